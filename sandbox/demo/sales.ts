import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { decimal, toAmount } from '../../src/domain/money.ts';
import { shopifyOrderIds, shopifyOrders } from '../shops/shopify-orders.ts';
import { wooOrderIds, wooOrders } from '../shops/woocommerce-orders.ts';
import type { Demo } from './run.ts';

/** The shops and the service of a demo. */
export type Parts = Pick<Demo, 'url' | 'woo' | 'shopify' | 'secrets' | 'sandbox'>;

/** A document of the demo, as the merchant finds it on the order in the shop. */
export interface DemoRow {
  platform: string;
  order: string;
  /** What the buyer paid, or got back. */
  amount: string;
  /** The total of the authorised document. */
  document: string | null;
  number: string | null;
  accessKey: string | null;
  state: string;
  pdfUrl: string | null;
  pdfBytes: number;
  writtenBack: boolean;
}

export interface DeliveryCounts {
  accepted: number;
  duplicates: number;
  rejected: number;
}

export interface DemoResult {
  orders: DemoRow[];
  refunds: DemoRow[];
  deliveries: DeliveryCounts;
  seconds: number;
  /** Whether every document was written back and every PDF opened. */
  complete: boolean;
}

/**
 * Sells ten orders, waits until each has its factura, and refunds some until each refund has its nota de crédito.
 * Rejects once it is stopped.
 */
export async function sellTen(
  parts: Parts,
  { stopped, began }: { stopped: AbortSignal; began: number },
): Promise<DemoResult> {
  const deliveries = await deliverAll(parts);
  const orders = await collect(parts, soldOrders(parts), stopped);
  const refunds = await collect(parts, await refundSome(parts), stopped);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const complete =
    [...orders, ...refunds].every((row) => row.writtenBack && row.pdfBytes > 0) && deliveries.rejected === 1;
  return { orders, refunds, deliveries, seconds, complete };
}

/** The object `demo --json` prints. */
export function toJson({ orders, refunds, deliveries, seconds }: DemoResult): unknown {
  return {
    orders: orders.map(({ amount: charged, ...row }) => ({ ...row, charged })),
    refunds: refunds.map(({ amount, ...row }) => ({ ...row, refunded: amount })),
    deliveries,
    seconds,
  };
}

/** Sends the webhook of every order as its shop does: the first one three times, and one with a wrong signature. */
export async function deliverAll({ url, woo, shopify, secrets }: Parts): Promise<DeliveryCounts> {
  const counts: DeliveryCounts = { accepted: 0, duplicates: 0, rejected: 0 };
  const count = (answers: readonly { status: number; body: string }[]) => {
    for (const { status, body } of answers) {
      if (status === 401) counts.rejected += 1;
      else if (status === 200 && JSON.parse(body).status === 'duplicate') counts.duplicates += 1;
      else if (status === 200) counts.accepted += 1;
      else throw new Error(`A webhook was answered with ${status}.`);
    }
  };
  const sendWoo = (orderId: string, how: { times?: number; badSignature?: boolean }) =>
    woo.deliver(`${url}/webhooks/tienda-woo`, secrets.woo, { topic: 'order.updated', orderId, ...how });
  count(await sendWoo(wooOrderIds[0] ?? '', { badSignature: true }));
  for (const [at, orderId] of wooOrderIds.entries())
    count(await sendWoo(orderId, { times: at === 0 ? 3 : 1 }));
  for (const orderId of shopifyOrderIds) {
    const paid = { clientSecret: secrets.shopify, topic: 'orders/paid', orderId };
    count(await shopify.deliver(`${url}/webhooks/app-demo`, paid));
  }
  return counts;
}

/** What stands on an order in the shop about one document. */
type Written = Pick<DemoRow, 'number' | 'accessKey' | 'state' | 'pdfUrl'>;

interface Expected extends Pick<DemoRow, 'platform' | 'order' | 'amount'> {
  written(): Written;
}

function soldOrders({ woo, shopify }: Parts): Expected[] {
  const now = new Date();
  const sold = (platform: string, order: unknown, total: unknown, value: (key: string) => string | null) => ({
    platform,
    order: String(order),
    amount: String(total),
    written: () => writtenFactura(value),
  });
  return [
    ...wooOrders(now).map(({ id, number, total }) =>
      sold('woocommerce', number, total, (key) => {
        const meta = woo.order(String(id))?.meta_data ?? [];
        const found = meta.find((entry) => entry.key === `_facturapuente_${key}`)?.value;
        return typeof found === 'string' ? found : null;
      }),
    ),
    ...shopifyOrders(now).map(({ id, name, total_price }) =>
      sold('shopify', name, total_price, (key) => shopify.metafields(String(id))[key] ?? null),
    ),
  ];
}

/** Both platforms write the same facts under the same names. */
function writtenFactura(value: (key: string) => string | null): Written {
  const state = value('estado');
  return {
    number: value('numero'),
    accessKey: value('clave_acceso'),
    state: state === 'AUTORIZADO' ? 'authorized' : (state ?? 'pending'),
    pdfUrl: value('pdf'),
  };
}

/** Refunds orders in both shops, as a merchant does. */
export async function refundSome(parts: Parts): Promise<Expected[]> {
  return [...(await refundWooCommerce(parts)), await refundShopify(parts)];
}

const refunded = (platform: string, order: string, amount: string, list: () => unknown): Expected => ({
  platform,
  order,
  amount,
  written: () => writtenNote(list()),
});

/** One shirt of two comes back; another order is refunded as a whole, by its amount alone. */
async function refundWooCommerce({ url, woo, secrets }: Parts): Promise<Expected[]> {
  const tax = [{ id: 1, refund_total: '1.88' }];
  const shirt = { id: 12_010, quantity: 1, refund_total: '12.50', refund_tax: tax };
  const whole = String(woo.order('1205')?.total);
  woo.refund('1201', { amount: '14.38', reason: 'Talla equivocada', api_refund: false, line_items: [shirt] });
  woo.refund('1205', { amount: whole, reason: 'Pedido devuelto', api_refund: false });
  const expected: Expected[] = [];
  for (const [orderId, amount] of [
    ['1201', '14.38'],
    ['1205', whole],
  ] as const) {
    await woo.deliver(`${url}/webhooks/tienda-woo`, secrets.woo, { topic: 'order.updated', orderId });
    const list = () =>
      woo.order(orderId)?.meta_data.find(({ key }) => key === '_facturapuente_notas_credito')?.value;
    expected.push(refunded('woocommerce', orderId, amount, list));
  }
  return expected;
}

/** Both backpacks, in a shop whose prices include the tax. */
async function refundShopify({ url, shopify, secrets }: Parts): Promise<Expected> {
  const sold = shopifyOrders(new Date())[1] ?? {};
  const orderId = String(sold.id);
  const [line] = sold.line_items as { id: number; price: string; quantity: number }[];
  shopify.refund(orderId, {
    note: 'Cliente se arrepintió',
    refund_line_items: [{ line_item_id: line?.id, quantity: line?.quantity }],
  });
  const hint = { clientSecret: secrets.shopify, topic: 'refunds/create', orderId };
  await shopify.deliver(`${url}/webhooks/app-demo`, hint);
  const amount = toAmount(decimal(line?.price ?? '0').times(line?.quantity ?? 0));
  const list = () => JSON.parse(shopify.metafields(orderId).notas_credito ?? '[]');
  return refunded('shopify', String(sold.name), amount, list);
}

const note = z.object({ clave_acceso: z.string(), numero: z.string(), pdf: z.string() });

function writtenNote(list: unknown): Written {
  const found = note.safeParse(Array.isArray(list) ? list[0] : null).data;
  return {
    number: found?.numero ?? null,
    accessKey: found?.clave_acceso ?? null,
    state: found ? 'authorized' : 'pending',
    pdfUrl: found?.pdf ?? null,
  };
}

/** Longer than the slowest machine needs. */
const patienceMs = 60_000;

/** Watches the shops until every document is written back, then opens every PDF link. */
async function collect(
  { sandbox }: Parts,
  expected: readonly Expected[],
  stopped: AbortSignal,
): Promise<DemoRow[]> {
  const open = new Set(expected);
  const end = performance.now() + patienceMs;
  while (open.size > 0 && performance.now() < end) {
    for (const one of open) {
      if (one.written().pdfUrl !== null) open.delete(one);
    }
    await pause(20, undefined, { signal: stopped });
  }
  return Promise.all(
    expected.map(async ({ platform, order, amount, written }) => {
      const found = written();
      const { accessKey, pdfUrl } = found;
      const stored = sandbox.documents().find(({ claveacceso }) => claveacceso === accessKey);
      return {
        ...{ platform, order, amount, document: stored?.figures?.importeTotal ?? null },
        ...found,
        pdfBytes: pdfUrl === null ? 0 : await pdfSize(pdfUrl),
        writtenBack: pdfUrl !== null && accessKey !== null,
      };
    }),
  );
}

/** The size of the PDF at a link; 0 where there is none. */
async function pdfSize(url: string): Promise<number> {
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return answer.ok && bytes.subarray(0, 4).toString('latin1') === '%PDF' ? bytes.byteLength : 0;
}
