import type { FacturaBody, NotaCreditoBody } from '../../../mappers/body.ts';
import { statedRows } from '../../../mappers/tax-computation.ts';
import { bareRefund, type Order, type Refund, type RefundPart } from '../../../src/domain/order.ts';
import type { Action, PlanInput, PlannedDocument, SentContent } from '../../../src/planner/action.ts';
import { plan } from '../../../src/planner/plan.ts';
import { netCents } from '../../mappers/four-ways.ts';
import { policyOf } from '../../mappers/policy.ts';
import { line, noon, order, prorating, shipping, store } from '../../support/orders.ts';

export type Policy = Parameters<typeof policyOf>[0];

export const storeWith = (policy: Policy = {}): typeof store => ({
  ...store,
  policy: prorating(policyOf(policy)),
});

/** Three T-shirts at 15 %, a book at 0 %, shipping: 30.00 + 4.50 + 8.00 + 4.35 + 0.65. */
export const sale = order({
  lines: [line({ quantity: '3' }), line({ id: '2', name: 'Libro', sku: 'LIB', price: '8.00', rate: '0' })],
  charges: [shipping()],
});

export const refund = (
  amount: string | null,
  parts: RefundPart[] | null = [],
  fields: Partial<Refund> = {},
): Refund => ({ ...bareRefund(fields.id ?? '48', amount), parts, ...fields });

export const part = (of: string | null, net: string, tax: string, quantity = '1'): RefundPart => ({
  of,
  name: 'Camiseta',
  quantity,
  net,
  tax,
});

/** One T-shirt of `sale`. */
export const shirt = part('line:1', '10.00', '1.50');

type More = Partial<Omit<PlanInput, 'order' | 'documents'>>;

export const actions = (sold: Order, documents: readonly PlannedDocument[] = [], more: More = {}): Action[] =>
  plan({ order: sold, documents, store: storeWith(), invoiceFrom: new Date(0), now: noon, ...more });

export const refundActions = (
  sold: Order,
  documents: readonly PlannedDocument[] = [],
  more: More = {},
): Action[] => actions(sold, documents, more).filter(({ kind }) => kind === 'nota-credito');

/** The planner's word on one refund of an order with these documents. */
export function give(
  one: Refund,
  sold: Order,
  documents: readonly PlannedDocument[] = [],
  more: More = {},
): Action {
  const [action] = refundActions({ ...sold, refunds: [one] }, documents, more);
  if (!action) throw new Error('The planner said nothing about the refund.');
  return action;
}

export function facturaAction(
  sold: Order,
  documents: readonly PlannedDocument[] = [],
  more: More = {},
): Action {
  const [action] = actions(sold, documents, more);
  if (!action) throw new Error('The planner said nothing about the sale.');
  return action;
}

export const creditBody = (action: Action | undefined): NotaCreditoBody => action?.body as NotaCreditoBody;
export const facturaBody = (action: Action | undefined): FacturaBody => action?.body as FacturaBody;

/** Rows of taxes as [code, base, valor]. */
export const rows = (body: NotaCreditoBody | FacturaBody): [string, number, number][] =>
  statedRows(body).map(({ codigo, codigo_porcentaje: code, base_imponible, valor }) => [
    codigo === '2' ? code : `${codigo}/${code}`,
    base_imponible,
    valor,
  ]);

/** The lines of a nota de crédito that gives back a factura whole: the factura's own, whose sums follow from their prices. */
export const copied = (factura: NotaCreditoBody | FacturaBody | SentContent | null | undefined) =>
  factura?.items.map(({ precio_total_sin_impuesto: _total, ...item }) => item);

/** Lines as [code, quantity, price, discount, total]. */
export const lines = ({ items }: NotaCreditoBody | FacturaBody) =>
  items.map((item) => [
    item.codigo_principal,
    item.cantidad,
    item.precio_unitario,
    item.descuento,
    netCents(item) / 100,
  ]);
