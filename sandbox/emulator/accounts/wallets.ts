import { isoInEcuador, monthsLater } from '../clock.ts';
import { centsWithVat, documentsFor, freeQueriesPerMonth, queryPrice, toCents } from './prices.ts';

/** Documents bought together. They expire together, 12 months later (spec, "Limits"). */
export interface Recharge {
  documentos: number;
  /** How many of them are left. */
  quedan: number;
  /** ISO instants. */
  comprados: string;
  vencen: string;
}

/** The money of one account. Amounts are whole cents of USD. */
export interface Wallets {
  facturacion: Recharge[];
  consultas: number;
  general: number;
  /** Free look-ups used in a month of Ecuador, `2026-11`; in any other month none are used. */
  gratis: { mes: string; usadas: number };
}

/** What an account begins with. Amounts in USD; what is left out is 100 documents, 20 free look-ups, no more. */
export interface WalletOptions {
  /** Documents of the billing wallet; charged only in ambiente 2. */
  credits?: number;
  /** When these expire, an ISO instant; 12 months after the account's beginning when left out. */
  creditsExpireAt?: string;
  /** Free registry look-ups left this month. */
  queries?: number;
  /** The queries wallet, for look-ups after the free ones. */
  queriesWallet?: number;
  /** The general wallet, for identity verifications; 20 when left out. */
  generalWallet?: number;
}

/** Opens the wallets of an account; throws a RangeError that names the option on what is no amount or instant. */
export function openWallets(options: WalletOptions, now: Date): Wallets {
  const { credits = 100, creditsExpireAt, queries = freeQueriesPerMonth } = options;
  for (const [name, count] of Object.entries({ credits, queries })) {
    if (!Number.isInteger(count) || count < 0) throw new RangeError(`${name} is a whole number, 0 or more.`);
  }
  if (creditsExpireAt !== undefined && Number.isNaN(Date.parse(creditsExpireAt))) {
    throw new RangeError('creditsExpireAt is an ISO instant, like 2027-11-20T00:00:00-05:00.');
  }
  const vencen = new Date(creditsExpireAt ?? monthsLater(now, 12)).toISOString();
  const first = { documentos: credits, quedan: credits, comprados: now.toISOString(), vencen };
  return {
    facturacion: credits > 0 ? [first] : [],
    consultas: amount('queriesWallet', options.queriesWallet ?? 0),
    general: amount('generalWallet', options.generalWallet ?? 20),
    gratis: { mes: monthOf(now), usadas: freeQueriesPerMonth - queries },
  };
}

function amount(name: string, usd: number): number {
  if (!Number.isFinite(usd) || usd < 0) throw new RangeError(`${name} is an amount in USD, 0 or more.`);
  return toCents(usd);
}

const monthOf = (instant: Date) => isoInEcuador(instant).slice(0, 7);

const isGood = (now: Date) => (recharge: Recharge) =>
  recharge.quedan > 0 && Date.parse(recharge.vencen) > now.getTime();

/** Credits that have neither been spent nor expired. */
export function creditsLeft({ facturacion }: Wallets, now: Date): number {
  return facturacion.filter(isGood(now)).reduce((sum, { quedan }) => sum + quedan, 0);
}

/** When the next credits expire; null when none are left. */
export function nextExpiry({ facturacion }: Wallets, now: Date): Date | null {
  const next = facturacion.filter(isGood(now)).sort(byExpiry)[0];
  return next ? new Date(next.vencen) : null;
}

const byExpiry = (a: Recharge, b: Recharge) => Date.parse(a.vencen) - Date.parse(b.vencen);
const byPurchase = (a: Recharge, b: Recharge) => Date.parse(a.comprados) - Date.parse(b.comprados);

/**
 * Takes one credit, of the oldest recharge. A document that was in process when the last credits expired takes
 * one of those: it had its own spoken for.
 */
export function spendCredit({ facturacion }: Wallets, now: Date): void {
  const some = facturacion.filter(({ quedan }) => quedan > 0).sort(byPurchase);
  const recharge = some.find(isGood(now)) ?? some.at(-1);
  if (recharge) recharge.quedan -= 1;
}

/** Buys documents for so many USD, which must reach the first tier; answers what was bought. */
export function rechargeCredits({ facturacion }: Wallets, usd: number, now: Date): Recharge {
  const documentos = documentsFor(usd);
  const vencen = monthsLater(now, 12).toISOString();
  const bought = { documentos, quedan: documentos, comprados: now.toISOString(), vencen };
  facturacion.push(bought);
  return bought;
}

/** Free look-ups left in this month of Ecuador. */
export function freeQueriesLeft({ gratis }: Wallets, now: Date): number {
  return gratis.mes === monthOf(now) ? Math.max(0, freeQueriesPerMonth - gratis.usadas) : freeQueriesPerMonth;
}

/** Whether one more look-up is free or can be paid. */
export function canQuery(wallets: Wallets, now: Date): boolean {
  return freeQueriesLeft(wallets, now) > 0 || wallets.consultas >= toCents(queryPrice);
}

/** Counts one look-up that returned data, or charges it; answers its cost in USD. */
export function payQuery(wallets: Wallets, now: Date): number {
  const mes = monthOf(now);
  if (freeQueriesLeft(wallets, now) > 0) {
    wallets.gratis = { mes, usadas: (wallets.gratis.mes === mes ? wallets.gratis.usadas : 0) + 1 };
    return 0;
  }
  wallets.consultas -= toCents(queryPrice);
  return queryPrice;
}

/** Charges a price in USD plus VAT to the general wallet; false, and nothing charged, when it is too little. */
export function payGeneral(wallets: Wallets, usd: number): boolean {
  const cents = centsWithVat(usd);
  if (wallets.general < cents) return false;
  wallets.general -= cents;
  return true;
}
