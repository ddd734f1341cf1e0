import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox } from 'facturapuente-sandbox';
import type { ShopifyShop, WooCommerceShop } from 'facturapuente-sandbox/shops';
import type { DeliveryCounts } from './deliveries.ts';
import type { Live } from './live.ts';
import { pdfSize } from './pdf.ts';
import type { RefundRow } from './refunds.ts';
import { shopifyOrders } from './shopify-orders.ts';
import { wooOrders } from './woocommerce-orders.ts';

/** One order of the demo, as the merchant finds it afterwards in his shop. */
export interface DemoRow {
  platform: string;
  order: string;
  charged: string;
  /** What the authorised document says it adds up to. */
  document: string | null;
  number: string | null;
  accessKey: string | null;
  state: string;
  pdfUrl: string | null;
  pdfBytes: number;
  writtenBack: boolean;
}

export interface DemoResult {
  orders: DemoRow[];
  refunds: RefundRow[];
  deliveries: DeliveryCounts;
  seconds: number;
  complete: boolean;
}

interface Sold {
  platform: string;
  order: string;
  charged: string;
  /** What stands on the order in the shop now. */
  written(): { number: string | null; accessKey: string | null; state: string; pdfUrl: string | null };
}

interface Parts {
  woo: WooCommerceShop;
  shopify: ShopifyShop;
  sandbox: Sandbox;
  live: Live;
}

/** Longer than the slowest machine needs for ten orders. */
const patienceMs = 60_000;

/** Watches the shops until every order carries its factura, then opens every PDF link. */
export async function collect(parts: Parts): Promise<DemoRow[]> {
  const sold = soldOrders(parts);
  const told = new Set<Sold>();
  const end = performance.now() + patienceMs;
  while (told.size < sold.length && performance.now() < end) {
    for (const sale of sold.filter((candidate) => !told.has(candidate))) {
      const { pdfUrl, number } = sale.written();
      if (pdfUrl === null) continue;
      told.add(sale);
      parts.live.step(
        `Pedido ${sale.order} (${sale.platform}): factura ${number} autorizada y anotada en la tienda`,
      );
    }
    await pause(20);
  }
  return Promise.all(sold.map((sale) => toRow(sale, parts.sandbox)));
}

async function toRow(sale: Sold, sandbox: Sandbox): Promise<DemoRow> {
  const { number, accessKey, state, pdfUrl } = sale.written();
  const stored = sandbox.documents().find((document) => document.claveacceso === accessKey);
  const { platform, order, charged } = sale;
  return {
    platform,
    order,
    charged,
    document: stored?.figures?.importeTotal ?? null,
    number,
    accessKey,
    state,
    pdfUrl,
    pdfBytes: pdfUrl === null ? 0 : await pdfSize(pdfUrl),
    writtenBack: pdfUrl !== null && accessKey !== null,
  };
}

function soldOrders({ woo, shopify }: Parts): Sold[] {
  const now = new Date();
  const wooSold = wooOrders(now).map(
    (order): Sold => ({
      platform: 'woocommerce',
      order: String(order.number),
      charged: String(order.total),
      written() {
        const meta = woo.order(String(order.id))?.meta_data ?? [];
        const value = (key: string) => {
          const found = meta.find((entry) => entry.key === `_facturapuente_${key}`)?.value;
          return typeof found === 'string' ? found : null;
        };
        return written(value);
      },
    }),
  );
  const shopifySold = shopifyOrders(now).map(
    (order): Sold => ({
      platform: 'shopify',
      order: String(order.name),
      charged: String(order.total_price),
      written() {
        const fields = shopify.metafields(String(order.id));
        return written((key) => fields[key] ?? null);
      },
    }),
  );
  return [...wooSold, ...shopifySold];
}

/** Both platforms carry the same facts under the same names. */
function written(value: (key: string) => string | null) {
  const state = value('estado');
  return {
    number: value('numero'),
    accessKey: value('clave_acceso'),
    // The shop shows Spanish; the report uses the product's own word.
    state: state === 'AUTORIZADO' ? 'authorized' : (state ?? 'pending'),
    pdfUrl: value('pdf'),
  };
}
