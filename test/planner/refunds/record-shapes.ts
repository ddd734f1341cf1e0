import type { Order, Refund, RefundPart } from '../../../src/domain/order.ts';
import type { PlannedDocument } from '../../../src/planner/action.ts';
import { planCredit } from '../../../src/planner/plan.ts';
import { authorized, contentOf, lineReferencesIn } from '../../support/authorized.ts';
import { line, noon, order, store } from '../../support/orders.ts';
import { part, refund, refundActions } from './shapes.ts';

/** A book of 100.00 at 0 %, two shirts of 100.00 + 15.00 each. */
export const sale = order({
  lines: [
    line({ id: '1', name: 'Libro', sku: 'LIB', price: '100.00', rate: '0' }),
    line({ id: '2', quantity: '2', price: '100.00' }),
  ],
});
export const factura = authorized(sale);
export const day = (n: number, hour = 10): string =>
  `2026-11-${String(n).padStart(2, '0')}T${hour}:00:00.000Z`;
export const shirt = part('line:2', '100.00', '15.00');
export const book = part('line:1', '100.00', '0.00');

/** As Shopify books them: the lines less what did not go back, and the money more than no lines. */
export const linesOnly = (id: string, parts: RefundPart[], at = day(21), apart = '-115.00'): Refund =>
  refund('0.00', parts, { id, at, discrepancy: apart });
export const moneyOnly = (id: string, amount: string, at = day(21)): Refund =>
  refund(amount, [], { id, at, discrepancy: amount });

/** Held where nothing explains an amount: the default of a store. */
export const asked = (
  refunds: Refund[],
  documents: readonly PlannedDocument[] = [factura],
  sold: Order = sale,
) => refundActions({ ...sold, refunds }, documents, { store });
export const said = (refunds: Refund[], documents?: readonly PlannedDocument[]) =>
  asked(refunds, documents).map(({ identity, action, code }) => [identity.sourceId, action, code]);

/** Its nota de crédito, sent and authorised as it is planned among the others. */
export function sent(
  refunds: Refund[],
  id: string,
  documents: readonly PlannedDocument[] = [factura],
): PlannedDocument {
  const planned = planCredit(
    { order: { ...sale, refunds }, documents, store, invoiceFrom: new Date(0), now: noon },
    id,
    '000000001',
  );
  const { action } = planned ?? {};
  if (!action?.body || !action.trace.credit) throw new Error(`Nothing to credit: ${action?.reason}`);
  const fields = {
    total: action.document ?? '0.00',
    accessKey: null,
    nettedRefunds: [...(planned?.linesFrom ?? [])],
  };
  return {
    ...factura,
    kind: 'nota-credito',
    sourceId: id,
    charged: action.charged,
    sent: contentOf(action.body, lineReferencesIn(action.trace.credit), fields),
  };
}

export const wholeShirt = ['nothing', 'no-money'];
