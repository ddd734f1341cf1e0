import type { FacturaBody, NotaCreditoBody } from '../../mappers/body.ts';
import type { CreditCalculation } from '../../mappers/calculation.ts';
import type { LineReference, Order, Refund } from '../../src/domain/order.ts';
import type { PlannedDocument, SentContent } from '../../src/planner/action.ts';
import { mapFactura } from '../../src/planner/map-factura.ts';
import { plan } from '../../src/planner/plan.ts';
import { store as demo, noon, prorating } from './orders.ts';

type StorePart = typeof demo;

const identity = {
  platform: 'woocommerce',
  shop: 'https://tienda.example.ec',
  ambiente: 1,
  kind: 'factura',
  sourceId: '29',
  ordinal: 1,
} as const;

/** What left of a body, as the steps read it back (src/jobs/prepare.ts). */
export function contentOf(
  { items, totales, comprador, emisor }: FacturaBody | NotaCreditoBody,
  lineReferences: readonly LineReference[],
  fields: Pick<SentContent, 'total' | 'accessKey' | 'nettedRefunds' | 'overpaid' | 'leftOut'>,
): SentContent {
  const { codigo_establecimiento: place, codigo_puntoemision: point, secuencial } = emisor;
  const number = `${place}-${point}-${secuencial ?? '000000001'}`;
  const issueDate = emisor.fecha_emision.replaceAll('/', '-');
  return { items, totales, comprador, lineReferences, number, issueDate, ...fields };
}

/** What would leave for an order two days ago, or at another instant, as number 123; null where it is held. */
export function sentFactura(
  order: Order,
  store: StorePart = demo,
  now = new Date('2026-11-18T15:00:00Z'),
): SentContent | null {
  const at = { now, secuencial: '000000123' };
  const sale = mapFactura(order, store, identity, at);
  if (!sale.ok) return null;
  const { body, lineReferences, leftOut, total } = sale.mapped;
  const { netted: nettedRefunds, overpaid } = sale;
  const fields = { total, accessKey: '1'.repeat(49), nettedRefunds, overpaid, leftOut };
  return contentOf(body, lineReferences, fields);
}

/** The factura an order was invoiced with two days ago, as number 123. */
export function authorized(
  order: Order,
  fields: Partial<PlannedDocument> = {},
  store: StorePart = demo,
  now?: Date,
): PlannedDocument {
  const sent = sentFactura(order, store, now);
  if (!sent) throw new Error('The order cannot be invoiced.');
  return {
    kind: 'factura',
    state: 'authorized',
    accessKey: sent.accessKey,
    sourceId: order.id,
    code: null,
    reason: null,
    secuencial: '000000123',
    charged: sent.total,
    sent,
    ...fields,
  };
}

/** What each line of a planned nota de crédito stands for, as the attempt keeps it. */
export function lineReferencesIn({ items }: CreditCalculation): LineReference[] {
  const byLine = Map.groupBy(items, ({ line }) => line);
  return [...byLine.values()].map((of): LineReference => {
    const [first] = of;
    if (!first) throw new Error('A line that stands for nothing.');
    const { source, units } = first;
    return of.length === 1 ? { source, units } : { source, units, folded: of };
  });
}

/** The nota de crédito of a refund, authorised as it is planned beside `documents`. */
export function credited(
  order: Order,
  refund: Refund,
  documents: readonly PlannedDocument[],
  store: StorePart = { ...demo, policy: prorating(demo.policy) },
): PlannedDocument {
  const only = { ...order, refunds: [refund] };
  const input = { order: only, documents, store, invoiceFrom: new Date(0), now: noon };
  const action = plan(input).find(({ kind }) => kind === 'nota-credito');
  if (!action?.body || !action.trace.credit) throw new Error(`Nothing to credit: ${action?.reason}`);
  const accessKey = '2'.repeat(49);
  const lineReferences = lineReferencesIn(action.trace.credit);
  return {
    kind: 'nota-credito',
    state: 'authorized',
    accessKey,
    sourceId: refund.id,
    code: null,
    reason: null,
    secuencial: '000000001',
    charged: action.charged,
    sent: contentOf(action.body, lineReferences, {
      total: action.document ?? '0.00',
      accessKey,
      nettedRefunds: [],
    }),
  };
}
