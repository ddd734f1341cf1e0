import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox } from 'facturapuente-sandbox';
import type { ShopifyShop, WooCommerceShop } from 'facturapuente-sandbox/shops';
import { z } from 'zod';
import { decimal, toAmount } from '../../domain/money.ts';
import type { Live } from './live.ts';
import { pdfSize } from './pdf.ts';
import { shopifyOrders } from './shopify-orders.ts';

/** One refund of the demo, as the merchant finds its nota de crédito afterwards on the order. */
export interface RefundRow {
  platform: string;
  order: string;
  refunded: string;
  /** What the authorised nota de crédito says it adds up to. */
  document: string | null;
  number: string | null;
  accessKey: string | null;
  state: string;
  pdfUrl: string | null;
  pdfBytes: number;
  writtenBack: boolean;
}

interface Parts {
  url: string;
  woo: WooCommerceShop;
  shopify: ShopifyShop;
  secrets: { woo: string; shopify: string };
  sandbox: Sandbox;
  live: Live;
}

interface Given {
  platform: string;
  order: string;
  refunded: string;
  /** The list of notas de crédito on the order. */
  written(): unknown;
}

/** Longer than the slowest machine needs for a handful of refunds. */
const patienceMs = 60_000;

/** Gives money back in both shops, as a merchant does, and waits until every order carries its nota de crédito. */
export async function refundAll(parts: Parts): Promise<RefundRow[]> {
  const given = [...(await refundWooCommerce(parts)), await refundShopify(parts)];
  const rows: RefundRow[] = [];
  const end = performance.now() + patienceMs;
  for (const refund of given) {
    let note = noteOf(refund.written());
    while (note === null && performance.now() < end) {
      await pause(20);
      note = noteOf(refund.written());
    }
    if (note !== null)
      parts.live.step(
        `Reembolso de ${refund.refunded} del pedido ${refund.order} (${refund.platform}): nota de crédito ${note.numero} autorizada y anotada en la tienda`,
      );
    rows.push(await toRow(refund, note, parts.sandbox));
  }
  return rows;
}

/** One shirt of two comes back; another order is given back whole, by its amount alone. */
async function refundWooCommerce({ url, woo, secrets }: Parts): Promise<Given[]> {
  const shirt = {
    id: 12_010,
    quantity: 1,
    refund_total: '12.50',
    refund_tax: [{ id: 1, refund_total: '1.88' }],
  };
  const whole = String(woo.order('1205')?.total);
  woo.refund('1201', { amount: '14.38', reason: 'Talla equivocada', api_refund: false, line_items: [shirt] });
  woo.refund('1205', { amount: whole, reason: 'Pedido devuelto', api_refund: false });
  const given: Given[] = [];
  for (const [order, refunded] of [
    ['1201', '14.38'],
    ['1205', whole],
  ] as const) {
    await woo.deliver(`${url}/webhooks/tienda-woo`, secrets.woo, { topic: 'order.updated', orderId: order });
    const written = () =>
      woo.order(order)?.meta_data.find(({ key }) => key === '_facturapuente_notas_credito')?.value;
    given.push({ platform: 'woocommerce', order, refunded, written });
  }
  return given;
}

/** Both backpacks, in a shop whose prices contain the tax. */
async function refundShopify({ url, shopify, secrets }: Parts): Promise<Given> {
  const sold = shopifyOrders(new Date())[1] ?? {};
  const orderId = String(sold.id);
  const [line] = sold.line_items as { id: number; price: string; quantity: number }[];
  shopify.refund(orderId, {
    note: 'Cliente se arrepintió',
    refund_line_items: [{ line_item_id: line?.id, quantity: line?.quantity }],
  });
  const hint = { clientSecret: secrets.shopify, topic: 'refunds/create', orderId };
  await shopify.deliver(`${url}/webhooks/app-demo`, hint);
  return {
    platform: 'shopify',
    order: String(sold.name),
    refunded: toAmount(decimal(line?.price ?? '0').times(line?.quantity ?? 0)),
    written: () => JSON.parse(shopify.metafields(orderId).notas_credito ?? '[]'),
  };
}

/** Both platforms carry the same facts under the same names. */
const note = z.object({ clave_acceso: z.string(), numero: z.string(), pdf: z.string() });

function noteOf(list: unknown): z.infer<typeof note> | null {
  const [first] = Array.isArray(list) ? list : [];
  return note.safeParse(first).data ?? null;
}

async function toRow(
  { platform, order, refunded }: Given,
  written: z.infer<typeof note> | null,
  sandbox: Sandbox,
): Promise<RefundRow> {
  const stored = sandbox.documents().find(({ claveacceso }) => claveacceso === written?.clave_acceso);
  return {
    platform,
    order,
    refunded,
    document: stored?.figures?.importeTotal ?? null,
    number: written?.numero ?? null,
    accessKey: written?.clave_acceso ?? null,
    state: written === null ? 'pending' : 'authorized',
    pdfUrl: written?.pdf ?? null,
    pdfBytes: written === null ? 0 : await pdfSize(written.pdf),
    writtenBack: written !== null,
  };
}
