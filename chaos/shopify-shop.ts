import { orderId, toShopifyOrder } from '../sandbox/shops/shopify-orders.ts';
import { openShopifyShop } from '../sandbox/shops/shopify-shop.ts';
import type { Clock } from '../src/domain/clock.ts';
import { sum, toAmount } from '../src/domain/money.ts';
import { openProxy, type Passing, type Spoiling } from './proxy.ts';
import type { GivenBack, Sale } from './sales.ts';
import {
  type Credentials,
  keysOf,
  type Spoilt,
  type TroubledShop,
  type TroubleKind,
  unreadable,
  wrongClock,
} from './shop.ts';

interface Rest {
  total_price: string;
  line_items: { id: number; quantity: number }[];
  shipping_lines: unknown[];
}

/** The Shopify emulator as a shop of the run, behind a proxy. */
export async function openShopify(credentials: Credentials, right: Clock): Promise<TroubledShop> {
  const { domain, accessToken, secret } = credentials;
  const clock = wrongClock(right);
  const shop = await openShopifyShop({ shop: domain, orders: [], accessToken, clock });
  const proxy = await openProxy(shop.url, kindOf);
  return {
    platform: 'shopify',
    url: proxy.url,
    own: null,
    sell(number, sale) {
      const id = String(orderId({ number }));
      const placedAt = clock.now();
      shop.put(toShopifyOrder(toShopifySale(number, sale), placedAt.toISOString()));
      return { id, name: `#${number}`, total: (shop.order(id) as Rest).total_price, placedAt };
    },
    leaveUnpaid(number, sale) {
      const order = toShopifyOrder(toShopifySale(number, sale), clock.now().toISOString());
      shop.put({ ...order, financial_status: 'pending', transactions: [] });
      return String(orderId({ number }));
    },
    refund(id, back) {
      const made = shop.refund(id, asked(back, shop.order(id) as Rest));
      const moved = made.transactions as { amount: string }[];
      return { id: String(made.id), amount: toAmount(sum(moved.map(({ amount }) => amount))) };
    },
    deliver: (target, { id, topic, times }) =>
      shop.deliver(target, { clientSecret: secret, topic, orderId: id, times }),
    trouble(kind) {
      shop.trouble(troubles[kind]);
    },
    hang: shop.hang,
    spoil(id, how) {
      const meets = ({ body }: Passing) =>
        body.includes('query FacturapuenteOrder(') && body.includes(`gid://shopify/Order/${id}"`);
      proxy.spoil(id, how && { meets, change: spoilt[how] });
    },
    unpay(id) {
      shop.put({
        ...(shop.order(id) as object),
        financial_status: 'voided',
        updated_at: clock.now().toISOString(),
      });
    },
    stepClock: clock.step,
    twist: proxy.twist,
    untwist: proxy.untwist,
    twisted: () => [...proxy.struck().values()].reduce((all, one) => all + one, 0),
    written(id) {
      const fields = shop.metafields(id);
      return {
        state: fields.estado ?? null,
        accessKey: fields.clave_acceso ?? null,
        creditNotes: keysOf(JSON.parse(fields.notas_credito ?? '[]')),
      };
    },
    async close() {
      await proxy.close();
      await shop.close();
    },
  };
}

/** Like the WooCommerce shop's; one answer has all data of an order. */
function kindOf({ body }: Passing): string | null {
  if (body.includes('query FacturapuenteOrder(')) return 'order';
  return body.includes('query FacturapuenteChanged(') ? 'list' : null;
}

const gone: Spoiling['change'] = ({ status }) => ({ status, body: '{"data":{"order":null}}' });
/** No cache lies before Shopify; without `read_all_orders` it shows no order of more than 60 days. */
const spoilt: Record<Spoilt, Spoiling['change']> = { ...unreadable, missing: gone, stale: gone };

const troubles = {
  busy: { status: 502, body: '<h1>Bad Gateway</h1>' },
  lost: 'lost',
  slowDown: 'throttled',
} as const satisfies Record<TroubleKind, unknown>;

function asked(back: GivenBack, { line_items, shipping_lines }: Rest): Record<string, unknown> {
  const whole = ({ id, quantity }: Rest['line_items'][number]) => ({ line_item_id: id, quantity });
  switch (back.what) {
    case 'units':
      return { refund_line_items: [{ line_item_id: line_items[0]?.id, quantity: back.units }] };
    case 'last-line':
      return { refund_line_items: line_items.slice(-1).map(whole) };
    case 'shipping':
      return { refund_shipping_lines: [{}] };
    case 'all':
      return {
        refund_line_items: line_items.map(whole),
        refund_shipping_lines: shipping_lines.map(() => ({})),
      };
  }
}

function toShopifySale(number: number, sale: Sale) {
  const { kind, id, first, last } = sale.buyer;
  const buyer = {
    first,
    last,
    city: 'Quito',
    address: 'Av. Amazonas N34-451',
    email: `compra${number}@example.ec`,
    ...(kind === 'ruc' ? { company: `Comercial ${last}` } : {}),
  };
  return {
    number,
    buyer,
    ...(id ? { noteAttributes: [{ name: kind === 'ruc' ? 'RUC' : 'Cédula', value: id }] } : {}),
    gateways: [{ gateway: 'payphone' }],
    taxesIncluded: sale.taxesIncluded,
    ...(sale.percentOff > 0 ? { discount: { code: 'PROMO', percent: sale.percentOff } } : {}),
    lines: sale.lines.map(({ sku, name, quantity, price, rate }) => ({
      sku,
      title: name,
      quantity,
      price,
      rate: rate === '15' ? '0.15' : '0',
    })),
    ...(sale.shipping ? { shipping: sale.shipping } : {}),
  };
}
