import { type Sale, sales, toWooOrder } from '../shops/woocommerce-orders.ts';
import type { Demo } from './run.ts';

const [sold] = sales;
const scene = (id: number, changes: Partial<Sale>): Sale => ({ ...(sold as Sale), id, ...changes });
const shirts = (quantity: number): Sale['lines'] => [
  { sku: 'CAM-001', name: 'Camiseta algodón «Ñandú»', quantity, price: '12.50', tax: 'iva15' },
];
const cedula = (value: string) => ({ meta: { _billing_cedula: value } });

/** What was sold yesterday, for the day that is closed. */
const yesterday: Sale[] = [
  scene(1101, { ...cedula('1710034065'), lines: shirts(1) }),
  scene(1102, { ...cedula('1804567897'), lines: shirts(4) }),
];

/** Sales that do not end by themselves, each for another reason. */
const open: Sale[] = [
  // No rule names the product, and 5 % alone does not mean construction materials: held.
  scene(1206, {
    lines: [{ sku: 'ARE-001', name: 'Arena fina, saco', quantity: 10, price: '2.40', tax: 'iva5' }],
  }),
  // Above the limit for a consumidor final without an identification: the buyer is asked.
  scene(1207, { meta: {}, lines: shirts(6) }),
  // The emulated authority rejects this buyer (sandbox/README.md).
  scene(1208, { ...cedula('2459900698'), lines: shirts(2) }),
  // … and takes three hours for this one.
  scene(1209, { ...cedula('2459901019'), lines: shirts(2) }),
];

export const sceneIds: readonly string[] = [...yesterday, ...open].map(({ id }) => String(id));
export const yesterdayIds: readonly string[] = yesterday.map(({ id }) => String(id));

export const dayBefore = (now: Date): Date => new Date(now.getTime() - 24 * 60 * 60_000);

/** Places these sales in the WooCommerce shop, which sends their webhooks. */
export async function playScenes(demo: Demo, now: Date): Promise<void> {
  const place = async (sale: Sale, at: Date) => {
    demo.woo.put(toWooOrder(sale, at));
    await sendHint(demo, sale.id);
  };
  for (const sale of yesterday) await place(sale, dayBefore(now));
  for (const sale of open) await place(sale, now);
}

/** The shop's webhook: something happened to this order. */
export async function sendHint({ url, woo, secrets }: Demo, orderId: string | number): Promise<void> {
  const delivery = { topic: 'order.updated', orderId: String(orderId) };
  await woo.deliver(`${url}/webhooks/tienda-woo`, secrets.woo, delivery);
}
