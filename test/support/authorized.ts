import type { FacturaBody, NotaCreditoBody } from '../../mappers/body.ts';
import type { Order } from '../../src/core/order.ts';
import type { Refund } from '../../src/core/refund.ts';
import type { PlannedDocument } from '../../src/planning/input.ts';
import { mapFactura } from '../../src/planning/map-factura.ts';
import { plan } from '../../src/planning/plan.ts';
import { noon, store } from './orders.ts';

const identity = {
  platform: 'woocommerce',
  shop: 'https://tienda.example.ec',
  ambiente: 1,
  kind: 'factura',
  sourceId: '29',
  ordinal: 1,
} as const;

/** The factura an order was invoiced with two days ago, as number 123. */
export function authorized(order: Order, fields: Partial<PlannedDocument> = {}): PlannedDocument {
  const at = { now: new Date('2026-11-18T15:00:00Z'), secuencial: '000000123' };
  const sale = mapFactura(order, store, identity, at);
  if (!sale.ok) throw new Error(`The order cannot be invoiced: ${sale.reason}`);
  const { body, ties, total } = sale.mapped;
  return {
    kind: 'factura',
    state: 'authorized',
    accessKey: '1'.repeat(49),
    sourceId: order.id,
    code: null,
    reason: null,
    secuencial: at.secuencial,
    sent: {
      ...contentOf(body),
      ties,
      number: '001-001-000000123',
      issueDate: '2026-11-18',
      accessKey: '1'.repeat(49),
      total,
      nettedRefunds: sale.netted,
    },
    ...fields,
  };
}

const contentOf = ({ items, totales, comprador }: FacturaBody | NotaCreditoBody) => ({
  items,
  totales,
  comprador,
});

/** The nota de crédito of a refund, authorised as it is planned beside `documents`. */
export function credited(
  order: Order,
  refund: Refund,
  documents: readonly PlannedDocument[],
): PlannedDocument {
  const input = {
    order: { ...order, refunds: [refund] },
    documents,
    store,
    invoiceFrom: new Date(0),
    now: noon,
  };
  const action = plan(input).find(({ kind }) => kind === 'nota-credito');
  if (!action?.body || !action.trace.credit) throw new Error(`Nothing to credit: ${action?.reason}`);
  return {
    kind: 'nota-credito',
    state: 'authorized',
    accessKey: '2'.repeat(49),
    sourceId: refund.id,
    code: null,
    reason: null,
    secuencial: '000000001',
    sent: {
      ...contentOf(action.body),
      ties: action.trace.credit.items.map(({ source, units }) => ({ source, units })),
      number: '001-001-000000001',
      issueDate: '2026-11-20',
      accessKey: '2'.repeat(49),
      total: action.document ?? '0.00',
      nettedRefunds: [],
    },
  };
}
