import { toWooOrder } from '../src/cli/demo/woocommerce-orders.ts';
import type { Clock } from '../src/core/clock.ts';
import { decimal, sum, toAmount } from '../src/core/money.ts';
import { openWooCommerceShop } from '../src/testing/woocommerce-shop.ts';
import type { Sale } from './sales.ts';
import { type Credentials, keysOf, type TroubledShop, type TroubleKind } from './shop.ts';

interface Row {
  id: number;
  quantity?: number;
  total: string;
  taxes: { id: number; total: string }[];
}

/** The WooCommerce stand-in as the run uses a shop. */
export async function openWoo(credentials: Credentials, clock: Clock): Promise<TroubledShop> {
  const { consumerKey, consumerSecret } = credentials;
  const shop = await openWooCommerceShop({ orders: [], consumerKey, consumerSecret, clock });
  const rows = (id: string, key: 'line_items' | 'shipping_lines') =>
    (shop.order(id) as unknown as Record<typeof key, Row[]>)[key];
  return {
    platform: 'woocommerce',
    url: shop.url,
    shop: shop.url,
    sell(number, sale) {
      shop.put(toWooOrder(toWooSale(number, sale), clock.now()));
      return { id: String(number), total: String(shop.order(number)?.total) };
    },
    leaveUnpaid(number, sale) {
      const unpaid = { status: 'pending', date_paid: null, date_paid_gmt: null };
      shop.put({ ...toWooOrder(toWooSale(number, sale), clock.now()), ...unpaid });
      return String(number);
    },
    refund(id, back) {
      const lines = rows(id, 'line_items');
      const shipping = rows(id, 'shipping_lines');
      const first = lines[0];
      if (!first) throw new Error(`Order ${id} sells nothing.`);
      const asked =
        back.what === 'all'
          ? [...lines, ...shipping].map((row) => part(row, row.quantity ?? 0))
          : back.what === 'units'
            ? [part(first, back.units)]
            : (back.what === 'shipping' ? shipping : lines.slice(-1)).map((row) =>
                part(row, row.quantity ?? 0),
              );
      const amount = sum(
        asked.flatMap((one) => [one.refund_total, ...one.refund_tax.map((tax) => tax.refund_total)]),
      );
      const made = shop.refund(id, { amount: toAmount(amount), reason: 'Devolución', line_items: asked });
      return { id: String(made.id), amount: made.amount };
    },
    deliver: (target, { id, topic, times }) =>
      shop.deliver(target, credentials.secret, { topic, orderId: id, times }),
    trouble(kind) {
      shop.trouble(troubles[kind]);
    },
    hang: shop.hang,
    written(id) {
      const meta = shop.order(id)?.meta_data ?? [];
      const value = (key: string) => meta.find((one) => one.key === `_facturapuente_${key}`)?.value;
      const notes = value('notas_credito');
      return {
        state: text(value('estado')),
        accessKey: text(value('clave_acceso')),
        creditNotes: keysOf(notes),
      };
    },
    close: shop.close,
  };
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const troubles = {
  busy: { status: 503, body: '<h1>Error establishing a database connection</h1>' },
  lost: 'lost',
  slowDown: {
    status: 429,
    headers: { 'retry-after': '5' },
    body: { code: 'too_many', message: 'Slow down.' },
  },
} as const satisfies Record<TroubleKind, unknown>;

/** So many units of a row with their share of its money; a row without units goes back whole. */
function part(row: Row, units: number) {
  const share = (amount: string) =>
    units === 0 || row.quantity === undefined
      ? amount
      : toAmount(decimal(amount).times(units).div(row.quantity));
  return {
    id: row.id,
    quantity: units,
    refund_total: share(row.total),
    refund_tax: row.taxes.map((tax) => ({ id: tax.id, refund_total: share(tax.total) })),
  };
}

function toWooSale(number: number, sale: Sale) {
  const { kind, id, first, last } = sale.buyer;
  return {
    id: number,
    buyer: {
      first,
      last,
      city: 'Quito',
      address: 'Calle Loja 123',
      email: `compra${number}@example.ec`,
      phone: '0987654321',
      ...(kind === 'ruc' ? { company: `Comercial ${last}` } : {}),
    },
    ...(id ? { meta: { [kind === 'ruc' ? '_billing_ruc' : '_billing_cedula']: id } } : {}),
    payment: { id: 'payphone', title: 'Payphone' },
    ...(sale.percentOff > 0 ? { coupon: { code: 'diez', percent: sale.percentOff } } : {}),
    lines: sale.lines.map(({ rate, ...line }) => ({
      ...line,
      tax: rate === '15' ? ('iva15' as const) : ('iva0' as const),
    })),
    ...(sale.shipping ? { shipping: sale.shipping } : {}),
  };
}
