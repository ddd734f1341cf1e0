import type { Crediting } from '../../mappers/credit/apportion.ts';
import { balanceOf } from '../../mappers/credit/balance.ts';
import { toEntries, withKinds } from '../../mappers/entries.ts';
import { type MappedFactura, toFactura, toReducedFactura } from '../../mappers/factura.ts';
import { type FacturaContext, Hold, mapOrHold, type Recipient, type Unmapped } from '../../mappers/hold.ts';
import { creditOf } from '../../mappers/nota-credito.ts';
import { ecuadorDay } from '../domain/clock.ts';
import { type DocumentIdentity, documentReference } from '../domain/document.ts';
import { type Amount, decimal, sum, toAmount } from '../domain/money.ts';
import {
  type Charge,
  type LeftOut,
  type Line,
  type Order,
  type Refund,
  sourceOf,
  worth,
} from '../domain/order.ts';
import type { Store } from '../domain/settings.ts';
import { nothingLeft, type Trace } from './action.ts';
import { withRemovedNamed, withRestoredParts } from './edited-rows.ts';
import { identifyBuyer } from './identity-gate.ts';
import { moneyOn, withOverpaidReturned, worthOutside } from './refund-money.ts';
import { type Counted, unclearPurpose } from './refund-purpose.ts';
import { inOrder, withRecordsCombined } from './refund-records.ts';

interface MappedSale {
  ok: true;
  mapped: MappedFactura;
  recipient: Recipient;
  netted: string[];
  overpaid: Amount;
  trace: Trace;
}

interface UnmappedSale extends Unmapped {
  buyerReason: string | null;
  charged: Amount;
  trace: Trace;
}

/** Used to plan, without a number, and again to send, with the reserved number and that day's date. */
export function mapFactura(
  read: Order,
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  identity: DocumentIdentity,
  at: { now: Date; secuencial: string | null },
): MappedSale | UnmappedSale {
  const named = withRestoredParts(withKinds(read, store.policy));
  const kept = withRemovedNamed(withOverpaidReturned(named, undefined), undefined, store.policy);
  const order = withRecordsCombined(kept, []);
  const refunds = nettable(order);
  const today = ecuadorDay(at.now);
  const leftOut = cardsLeftOut(order, { policy: store.policy, today });
  const charged = invoiced(order, refunds, leftOut);
  const netted = [
    ...new Set([...refunds.flatMap(({ id, linesFrom = [] }) => [id, ...linesFrom]), ...before(order)]),
  ];
  // The limit for consumidor final depends on the sale, whatever came back since (docs/refunds.md).
  const sold = store.policy.finalConsumer.measures === 'sale' ? invoiced(order, [], leftOut) : charged;
  const buyer = identifyBuyer(
    { ...order, total: sold },
    store.policy,
    toAmount(decimal(sold).minus(charged)),
  );
  if (!buyer.ok) return { ...buyer, charged, document: null, trace: { identity: buyer.trace } };
  const context: FacturaContext = {
    issuer: store.issuer,
    series: store.series,
    secuencial: at.secuencial,
    today,
    policy: store.policy,
    recipient: buyer.recipient,
    reference: documentReference(identity),
  };
  const trace: Trace = { identity: buyer.trace, ...(netted.length > 0 ? { netted } : {}) };
  const mapped = mapLeft(order, refunds, context);
  if (!mapped.ok) return { ...mapped, buyerReason: null, charged, trace };
  const { recipient } = context;
  return {
    ok: true,
    mapped,
    recipient,
    netted,
    overpaid: order.overpaid ?? '0.00',
    trace: { ...trace, mapping: mapped.trace },
  };
}

/** The units that refunds of an edited order name are not in its lines, even where their money is still on its way. */
const before = ({ overpaid, refunds }: Order): string[] =>
  overpaid === undefined ? [] : refunds.flatMap(({ id, amount }) => (amount === null ? [] : [id]));

function invoiced(order: Order, refunds: readonly Refund[], leftOut: readonly LeftOut[] | null): Amount {
  const factura = { lineReferences: [], leftOut: leftOut ?? [] };
  const outside = leftOut === null ? decimal(0) : worthOutside(order, factura);
  const back = sum(
    refunds.map((refund) =>
      leftOut === null ? (refund.amount ?? '0') : moneyOn(factura, order, refund).money,
    ),
  );
  return toAmount(decimal(order.total).minus(outside).minus(back));
}

function cardsLeftOut(
  order: Order,
  context: Pick<FacturaContext, 'policy' | 'today'>,
): readonly LeftOut[] | null {
  if (context.policy.giftCardsSold.as !== 'exclude') return null;
  if (!order.lines.some(({ kind }) => kind === 'gift-card')) return [];
  const read = mapOrHold(() => ({ ok: true as const, ...toEntries(order, context) }));
  return read.ok ? read.outside : [];
}

function mapLeft(
  order: Order,
  refunds: readonly Refund[],
  context: FacturaContext,
): MappedFactura | Unmapped {
  const full = toFactura(order, context);
  if (full.ok) return lessRefunds(order, full, refunds, context);
  const rest = withoutReturned(order, refunds);
  if (rest === null) return full;
  const sold = toFactura(rest, context);
  return sold.ok ? lessRefunds(rest, sold, nettable(rest), context) : sold;
}

function lessRefunds(
  order: Order,
  full: MappedFactura,
  refunds: readonly Refund[],
  context: FacturaContext,
): MappedFactura | Unmapped {
  return mapOrHold(
    () => netOff(order, full, refunds, context) ?? { ok: false, ...nothingLeft, document: null },
  );
}

function nettable(order: Order): Refund[] {
  return inOrder(order.refunds).filter(({ amount }) => amount !== null && !decimal(amount).isZero());
}

/** Refund by refund, as notas de crédito would take it. Null when nothing is left. @throws Hold. */
function netOff(
  order: Order,
  full: MappedFactura,
  refunds: readonly Refund[],
  context: FacturaContext,
): MappedFactura | null {
  if (refunds.length === 0) return full;
  const { lineReferences, leftOut } = full;
  const issued = { ...full.body, lineReferences, leftOut, nettedRefunds: [] };
  const credits: (Crediting & Counted)[] = [];
  for (const refund of refunds) {
    if (!decimal(refund.pending).isZero()) throw stillMoving(refund);
    const balance = balanceOf(issued, credits);
    const on = moneyOn(full, order, refund, balance.total);
    const money = decimal(on.money).lt(balance.total) ? on.money : toAmount(balance.total);
    if (decimal(money).isZero()) continue;
    const asked = { order, refund, on: { ...on, money }, factura: issued, credits, balance };
    const unclear = unclearPurpose(asked, context.policy);
    if (unclear) throw unclear;
    credits.push({ ...creditOf(balance, on.refund, money, 'stated'), refund });
  }
  const { total } = balanceOf(issued, credits);
  return total.isZero() && !decimal(full.total).isZero()
    ? null
    : toReducedFactura(full, credits, order, context);
}

/** Part of the money is back and part is not: neither a factura for the rest nor a nota de crédito is right yet. */
const stillMoving = ({ id, amount, pending }: Refund) =>
  new Hold('refund-pending', { why: 'order', refund: id, money: String(amount), pending });

/** Only refunds whose lines add up to their money count. */
function withoutReturned(order: Order, refunds: readonly Refund[]): Order | null {
  const clear = refunds.filter(isClear);
  const gone = [...order.lines, ...order.charges].filter((item) => cameBack(item, clear));
  if (gone.length === 0) return null;
  const sources = new Set(gone.map(sourceOf));
  const isGone = (of: string | null): boolean => of !== null && sources.has(of);
  const kept = clear.map((refund): Refund => {
    const parts = (refund.parts ?? []).filter(({ of }) => !isGone(of));
    const off = moneyOf({ ...refund, parts: (refund.parts ?? []).filter(({ of }) => isGone(of)) });
    return { ...refund, parts, amount: toAmount(decimal(refund.amount ?? '0').minus(off)) };
  });
  const back = sum(clear.map(({ amount }) => amount ?? '0')).minus(
    sum(kept.map(({ amount }) => amount ?? '0')),
  );
  return {
    ...order,
    lines: order.lines.filter((one) => !gone.includes(one)),
    charges: order.charges.filter((one) => !gone.includes(one)),
    total: toAmount(decimal(order.total).minus(back)),
    refunds: order.refunds.map((refund) => kept.find(({ id }) => id === refund.id) ?? refund),
  };
}

const moneyOf = ({ parts }: Refund) => worth(parts ?? []);

const isClear = (refund: Refund): boolean =>
  decimal(refund.pending).isZero() &&
  moneyOf(refund)
    .minus(refund.amount ?? '0')
    .abs()
    .lte('0.01');

function cameBack(item: Line | Charge, refunds: readonly Refund[]): boolean {
  const own = refunds.flatMap(({ parts }) => (parts ?? []).filter(({ of }) => of === sourceOf(item)));
  const money = worth(own);
  const units = sum(own.map(({ quantity }) => quantity));
  const all = worth([item]);
  return (
    own.length > 0 &&
    money.minus(all).abs().lte('0.02') &&
    (!('quantity' in item) || units.equals(item.quantity))
  );
}
