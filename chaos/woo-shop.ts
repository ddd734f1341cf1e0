import { toWooOrder } from '../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop } from '../sandbox/shops/woocommerce-shop.ts';
import type { Clock } from '../src/domain/clock.ts';
import { decimal, sum, toAmount } from '../src/domain/money.ts';
import { openProxy, type Passing, type Spoiling } from './proxy.ts';
import type { Sale } from './sales.ts';
import {
  type Credentials,
  keysOf,
  type OwnServer,
  type Placed,
  type Spoilt,
  type TroubledShop,
  type TroubleKind,
  unreadable,
  wrongClock,
} from './shop.ts';

interface Row {
  id: number;
  quantity?: number;
  total: string;
  taxes: { id: number; total: string }[];
}

/** The WooCommerce emulator as a shop of the run, behind a proxy. */
export async function openWoo(credentials: Credentials, right: Clock): Promise<TroubledShop> {
  const { consumerKey, consumerSecret } = credentials;
  const clock = wrongClock(right);
  const shop = await openWooCommerceShop({ orders: [], consumerKey, consumerSecret, clock });
  const proxy = await openProxy(shop.url, kindOf);
  shop.move(proxy.url());
  const rows = (id: string, key: 'line_items' | 'shipping_lines') =>
    (shop.order(id) as unknown as Record<typeof key, Row[]>)[key];
  /** Ids lost in a restore, to be reused, the oldest first. */
  const free = { orders: [] as string[], refunds: [] as string[] };
  const since = { orders: [] as string[], refunds: [] as string[] };
  let restore = () => {};

  function place(number: number, sale: Sale, more: (order: Record<string, unknown>) => object): Placed {
    const id = free.orders.shift() ?? String(number);
    const placedAt = clock.now();
    const order = { ...toWooOrder(toWooSale(Number(id), sale), placedAt), order_key: `wc_order_${number}` };
    shop.put({ ...order, ...more(order) });
    since.orders.push(id);
    return { id, name: id, total: String(shop.order(id)?.total), placedAt };
  }

  /** WooCommerce counts refunds and orders together; so the next refund after a restore has the id of a lost one. */
  function again(orderId: string, made: { id: number }): string {
    const id = free.refunds.shift();
    if (id !== undefined && shop.refunds(orderId).every((one) => String(one.id) !== id)) {
      const named = <R extends { id: number }>(one: R): R =>
        one.id === made.id ? { ...one, id: Number(id) } : one;
      const order = shop.order(orderId);
      shop.put({ ...order, refunds: order?.refunds.map(named) }, shop.refunds(orderId).map(named));
      return id;
    }
    return String(made.id);
  }

  const modified = () => {
    const [utc, local] = [0, 5].map((hours) =>
      new Date(clock.now().getTime() - hours * 3_600_000).toISOString().slice(0, 19),
    );
    return { date_modified: local, date_modified_gmt: utc };
  };

  const own: OwnServer = {
    duplicate(orderId, number, sale, renewal) {
      const kept = (shop.order(orderId)?.meta_data ?? []).filter(({ key }) =>
        key.startsWith('_facturapuente_'),
      );
      return place(number, sale, (order) => ({
        meta_data: [
          ...(order.meta_data as object[]),
          ...kept,
          ...(renewal ? [{ id: number * 10 + 9, key: '_subscription_renewal', value: orderId }] : []),
        ],
        created_via: renewal ? 'subscription' : 'checkout',
      }));
    },
    edit(orderId, more) {
      const order = shop.order(orderId);
      if (!order) throw new Error(`The shop has no order ${orderId}.`);
      shop.put({ ...order, ...edited(order as unknown as Edited, more), ...modified() });
      return { total: String(shop.order(orderId)?.total) };
    },
    backup() {
      restore = shop.backup();
      since.orders = [];
      since.refunds = [];
    },
    restore() {
      restore();
      const gone = { orders: since.orders, refunds: since.refunds };
      free.orders.push(...gone.orders);
      free.refunds.push(...gone.refunds);
      since.orders = [];
      since.refunds = [];
      return gone;
    },
    async move(keepOld) {
      shop.move(await proxy.move(keepOld));
    },
  };

  return {
    platform: 'woocommerce',
    url: proxy.url,
    own,
    sell: (number, sale) => place(number, sale, () => ({})),
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
      const given = again(id, made);
      since.refunds.push(given);
      return { id: given, amount: made.amount };
    },
    deliver: (target, { id, topic, times }) =>
      shop.deliver(target, credentials.secret, { topic, orderId: id, times }),
    trouble(kind) {
      shop.trouble(troubles[kind]);
    },
    hang: shop.hang,
    spoil(id, how) {
      const path = new RegExp(`/orders/${id}(\\?|$)`);
      const meets = (passing: Passing) => passing.method === 'GET' && path.test(passing.path);
      proxy.spoil(id, how && { meets, change: spoilt[how] });
    },
    unpay(id) {
      shop.put({ ...shop.order(id), status: 'on-hold', ...modified() });
    },
    stepClock: clock.step,
    twist: proxy.twist,
    untwist: proxy.untwist,
    twisted: () => sumOf(proxy.struck().values()),
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
    async close() {
      await proxy.close();
      await shop.close();
    },
  };
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((all, one) => all + one, 0);

/** Requests that a cache ignoring the request, or two mixed-up connections, could confuse. */
function kindOf({ method, path }: Passing): string | null {
  if (method !== 'GET') return null;
  const [, id, refunds] = /\/wp-json\/wc\/v3\/orders(?:\/(\d+)(\/refunds)?)?(?:\?|$)/.exec(path) ?? [null];
  if (id === undefined) return path.includes('/wc/v3/orders?') ? 'list' : null;
  return refunds ? 'refunds' : 'order';
}

interface Edited {
  total: string;
  total_tax: string;
  cart_tax: string;
  line_items: (Row & { subtotal: string; subtotal_tax: string; total_tax: string; quantity: number })[];
}

/** The order with one unit more or less of its first line, sums included. */
function edited({ total, total_tax, cart_tax, line_items }: Edited, more: boolean): Partial<Edited> {
  const [first, ...rest] = line_items;
  if (!first) return {};
  const quantity = more || first.quantity === 1 ? first.quantity + 1 : first.quantity - 1;
  const scaled = (amount: string) => toAmount(decimal(amount).times(quantity).div(first.quantity));
  const line = {
    ...first,
    quantity,
    total: scaled(first.total),
    subtotal: scaled(first.subtotal),
    total_tax: scaled(first.total_tax),
    subtotal_tax: scaled(first.subtotal_tax),
    taxes: first.taxes.map((tax) => ({ ...tax, total: scaled(tax.total), subtotal: scaled(tax.total) })),
  };
  const tax = decimal(line.total_tax).minus(first.total_tax);
  const net = decimal(line.total).minus(first.total);
  return {
    line_items: [line, ...rest],
    total: toAmount(decimal(total).plus(net).plus(tax)),
    total_tax: toAmount(decimal(total_tax).plus(tax)),
    cart_tax: toAmount(decimal(cart_tax).plus(tax)),
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

/** @see Spoilt */
const spoilt: Record<Spoilt, Spoiling['change']> = {
  ...unreadable,
  missing: () => ({
    status: 404,
    body: '{"code":"woocommerce_rest_shop_order_invalid_id","message":"ID no válido.","data":{"status":404}}',
  }),
  stale: ({ status, body }) => {
    if (status !== 200) return { status, body };
    const order = JSON.parse(body);
    const at = order.date_created;
    const unpaid = { status: 'pending', date_paid: null, date_paid_gmt: null };
    const before = { date_modified: at, date_modified_gmt: order.date_created_gmt };
    return { status, body: JSON.stringify({ ...order, ...unpaid, ...before }) };
  },
};

/** Units of a row with their share of its money; a row without units is refunded whole. */
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
