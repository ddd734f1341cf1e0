import type { Issued } from '../../../../mappers/credit/balance.ts';
import { decimal } from '../../../../src/domain/money.ts';
import type { Order } from '../../../../src/domain/order.ts';
import type { Action, PlannedDocument } from '../../../../src/planner/action.ts';
import { plan } from '../../../../src/planner/plan.ts';
import { excise } from '../../../mappers/order-properties.ts';
import { policyOf } from '../../../mappers/policy.ts';
import { authorized, lineReferencesIn, sentFactura } from '../../../support/authorized.ts';
import { draws } from '../../../support/chance.ts';
import { decreedNoon, store as demo, prorating } from '../../../support/orders.ts';

/** Each costs as much as ten orders alone. */
const orders = draws(400, 100_000);

const part = (share: number): number => Math.ceil(orders * share);
/** Of each kind of property for prices with the tax inside, and as many for prices with the tax outside. */
export const drawn = {
  sequences: part(0.35),
  interleavings: part(0.1),
  netting: part(0.05),
  records: part(0.2),
};

export const store = { ...demo, policy: prorating(policyOf(excise)) };

/** Refunds that need a person, or nobody; every other code that emits nothing is a fault of ours. */
export const honest = [
  'refund-contradiction',
  'refund-detail-missing',
  'refund-contradiction',
  'refund-pending',
  'over-credit',
  'no-money',
  'no-money',
  'outside-factura',
];

/** The documents of an order whose factura is authorised; null where the order itself is held or cost nothing. */
export function invoiced(order: Order): PlannedDocument[] | null {
  if (order.total === '0.00' || sentFactura(order, store, decreedNoon) === null) return null;
  return [authorized(order, {}, store, decreedNoon)];
}

/** What the planner says of every refund of the order. */
export function refundActions(order: Order, documents: readonly PlannedDocument[]): Action[] {
  const input = { order, documents, store, invoiceFrom: new Date(0), now: decreedNoon };
  return plan(input).filter(({ kind }) => kind === 'nota-credito');
}

const toOwed = (charged: string, document: string | null): string =>
  decimal(charged)
    .minus(document ?? charged)
    .toFixed(2);

/** A planned nota de crédito as it would count once it has left. */
export function issued({ body, trace, charged, document }: Action): Issued {
  if (!body) throw new Error('nothing to be emitted');
  if (!trace.credit) throw new Error('nothing to be credited');
  return {
    items: body.items,
    totales: body.totales,
    lineReferences: lineReferencesIn(trace.credit),
    owed: toOwed(charged, document),
  };
}
