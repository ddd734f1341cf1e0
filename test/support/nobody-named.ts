import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';

/** One of the demo's orders (1201: 33.75, 1202: 132.59), sold to somebody whose cédula has a wrong check digit. */
export function wrongCedula(now: Date, id: '1201' | '1202' = '1201'): Record<string, unknown> {
  const order = wooOrders(now).find((one) => String(one.id) === id);
  if (!order) throw new Error(`The demo has no order ${id}.`);
  const others = (order.meta_data as { key: string }[]).filter(
    ({ key }) => !/cedula|ruc|identif|dni/i.test(key),
  );
  const billing = { ...(order.billing as object), company: '' };
  return {
    ...order,
    billing,
    meta_data: [...others, { id: 901, key: '_billing_cedula', value: '1710034066' }],
  };
}
