import type { Day } from '../src/domain/calendar.ts';
import { type Amount, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { Payment } from '../src/domain/order.ts';
import type { MappingContext } from './context.ts';
import type { Destination } from './destination.ts';
import type { Entry } from './entries.ts';
import type { Tender } from './payments.ts';
import { isInForce } from './tables/dated.ts';
import { identificationTable } from './tables/identification.ts';
import { bankingLimits, tipLimit } from './tables/limits.ts';
import { cashForm } from './tables/payment-forms.ts';

interface Mapped {
  /** As the shop told of them. */
  payments: readonly Payment[];
  entries: readonly Entry[];
  destination: Destination;
  tenders: readonly Tender[];
  charged: Amount;
}

/** What an accountant would ask about a factura that is right by what the shop says; nothing is held for it. */
export function warningsOf(
  { payments, entries, destination, tenders, charged }: Mapped,
  context: MappingContext,
): string[] {
  return [
    ...unreadAmounts(payments, tenders),
    ...inCash(tenders, charged, context.today),
    ...largeTip(entries),
    ...toNobodyAbroad(destination, context),
  ];
}

/** The shop names several ways of paying and not how much of each: then the form of payment is that of one alone. */
function unreadAmounts(payments: readonly Payment[], tenders: readonly Tender[]): string[] {
  const counted = new Set(tenders.map(({ gateway }) => gateway));
  const unread = payments.filter(({ gateway, amount }) => amount === null && !counted.has(gateway));
  if (unread.length === 0 || counted.has('')) return [];
  const names = (some: readonly Payment[]) =>
    some.map(({ gateway, title }) => `«${title ?? gateway}»`).join(' y ');
  const paid = payments.filter(({ gateway }) => counted.has(gateway));
  return [
    `La tienda no dice cuánto del pedido se pagó con ${names(unread)}: la factura declara todo como pagado con ${names(paid)}. Compruébelo antes de declarar la forma de pago.`,
  ];
}

/** So much was paid in cash that the buyer may not deduct it (bancarización). */
function inCash(tenders: readonly Tender[], total: Amount, today: Day): string[] {
  const limit = bankingLimits.find((row) => isInForce(row, today))?.limit;
  const cash = tenders.filter(({ rule }) => rule.tipo === cashForm);
  if (limit === undefined || cash.length === 0 || decimal(total).lt(limit)) return [];
  const paid = toAmount(sum(cash.map(({ amount }) => amount)));
  return [
    `De los ${toAmount(total)} se declaran ${paid} sin utilización del sistema financiero (forma de pago 01). En operaciones de USD ${limit} o más el comprador necesita haber pagado por el sistema financiero para deducir la compra (LRTI, art. 103): confirme que se pagó en efectivo o corrija el medio de pago en policy.payments.`,
  ];
}

/** A tip is a line here, which has no limit; the field of the SRI's format has one. */
function largeTip(entries: readonly Entry[]): string[] {
  const tips = entries.filter(({ item }) => item.kind === 'tip');
  const tip = sum(tips.map(({ net }) => net));
  const rest = sum(entries.filter((entry) => !tips.includes(entry)).map(({ net }) => net));
  if (tip.lte(rest.times(tipLimit.percent).div(100))) return [];
  return [
    `La propina de ${toAmount(tip)} supera el ${tipLimit.percent} % de lo vendido sin impuestos (${toAmount(rest)}), hasta el que el SRI la admite como propina (ficha técnica SRI, tabla 21). Aquí va como una línea de la factura: confirme con su contador que lo que la excede se factura así.`,
  ];
}

/** Neither to be annulled nor credited, and it names no client abroad. */
function toNobodyAbroad({ abroad, why }: Destination, { recipient }: MappingContext): string[] {
  if (!abroad || recipient.type !== identificationTable['consumidor-final'].code) return [];
  return [
    `La venta es fuera del Ecuador (${why}) y la factura sale a consumidor final: no nombra al cliente del exterior, y no se puede anular ni acreditar. Si es una exportación, consulte a su contador; con policy.finalConsumer.allowed: false toda venta sin identificación espera a que el comprador la dé.`,
  ];
}
