import type { Ambiente } from '../../domain/document.ts';
import { PayloadError } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import { type Figures, figuresOf } from './figures.ts';
import { type Asked, type Past, readPast } from './past.ts';
import { type PastDocument, rehearseOrder } from './rehearse-order.ts';

/** A recharge of the service's wallet, and how many documents it pays for. */
export interface Recharge {
  usd: number;
  documents: number;
}

/** What a month would consume; one credit a document in production (spec, key rules). */
export interface Monthly {
  /** Over so many days the past was counted. */
  days: number;
  /** As things are, and with everything held solved as well. */
  credits: number;
  creditsWithHelp: number;
  recharge: Recharge;
}

/** The past of one store through the mapper and planner; nothing was sent, and nothing written anywhere. */
export interface Rehearsal extends Pick<Past, 'leftOut' | 'unreadable'> {
  store: string;
  platform: string;
  shop: string;
  ambiente: Ambiente;
  /** Up to which a sale may name consumidor final; null where the store does not do it. */
  finalConsumerLimit: Amount | null;
  /** ISO instants: what was looked at. `since` is later than asked for where there were too many orders. */
  since: string;
  until: string;
  figures: Figures;
  monthly: Monthly;
  documents: PastDocument[];
}

export interface RehearsalParts {
  store: Store;
  shop: Shop;
  now: Date;
  /** The recharge that fits so many documents a day (src/service/tariff.ts). */
  rechargeFor(documentsPerDay: number): Recharge;
}

/** Rehearses the sales and refunds of a store since an instant. Throws ShopError. */
export async function rehearse(
  { store, shop, now, rechargeFor }: RehearsalParts,
  asked: Asked,
): Promise<Rehearsal> {
  const documents: PastDocument[] = [];
  const past = await readPast(shop, asked, (order) => {
    if (order.shop !== store.shop)
      throw new PayloadError(
        'order-identity',
        'La tienda respondió con un pedido de otra tienda.',
        `Order ${order.id} is of ${order.shop}, not of ${store.shop}.`,
      );
    documents.push(...rehearseOrder(order, store, now));
  });
  const counted = documents
    .filter(({ at }) => Date.parse(at) >= past.since.getTime())
    .sort((a, b) => a.at.localeCompare(b.at) || a.orderId.localeCompare(b.orderId));
  const figures = figuresOf(counted, past.since, now);
  const { allowed, limit } = store.policy.finalConsumer;
  return {
    store: store.id,
    platform: store.platform.title,
    shop: store.shop,
    ambiente: store.issuer.ambiente,
    finalConsumerLimit: allowed ? limit : null,
    since: past.since.toISOString(),
    until: now.toISOString(),
    leftOut: past.leftOut,
    unreadable: past.unreadable,
    figures,
    monthly: monthlyOf(figures, daysOf(counted[0]?.at, past.since, now), rechargeFor),
    documents: counted,
  };
}

const day = 24 * 3_600_000;
const month = 365 / 12;
/** Fewer days say nothing about a month. */
const fewestDays = 7;

/** A shop that is younger than what was asked for (or shows no older orders) is measured from its first sale on. */
function daysOf(first: string | undefined, since: Date, now: Date): number {
  const begun = first === undefined ? since.getTime() : Date.parse(first);
  const start = begun - since.getTime() > fewestDays * day ? begun : since.getTime();
  return Math.max(Math.ceil((now.getTime() - start) / day), fewestDays);
}

function monthlyOf(
  { facturas, notasCredito, obstacles }: Figures,
  days: number,
  rechargeFor: RehearsalParts['rechargeFor'],
): Monthly {
  const issued = facturas.count + notasCredito.count;
  const held = obstacles.filter(({ action }) => action === 'hold').reduce((sum, { count }) => sum + count, 0);
  const perMonth = (count: number) => Math.ceil((count / days) * month);
  return {
    days,
    credits: perMonth(issued),
    creditsWithHelp: perMonth(issued + held),
    recharge: rechargeFor((issued + held) / days),
  };
}
