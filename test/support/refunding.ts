import { shopifyOrders, sales as shopifySales, toShopifyOrder } from '../../sandbox/shops/shopify-orders.ts';
import type { ShopifyShop } from '../../sandbox/shops/shopify-shop.ts';
import { toWooOrder, wooOrders, sales as wooSales } from '../../sandbox/shops/woocommerce-orders.ts';
import { type Product, written } from './product.ts';

/** A nota de crédito, or its hold, as it stands on an order. */
export interface CreditOnOrder {
  refund: string;
  number: string | null;
  pdf: string | null;
  /** The merchant's sentence where a person is needed. */
  reason: string | null;
}

/** One shop of either platform, as far as refunds go: what a merchant does there and what he finds on the order. */
export interface Till {
  /** Orders bought with a cédula, with two or more units of their first line; and two of consumidor final. */
  order: string;
  laterOrder: string;
  anonymous: string;
  earlyAnonymous: string;
  /** Tells the product that the order was paid, or changed. */
  reportPaid(order: string): Promise<unknown>;
  /** Gives one unit of the first line back. Answers the money. */
  refundUnit(order: string): number;
  /** Gives back all the money that is left. */
  refundRest(order: string): void;
  reportRefunded(order: string): Promise<unknown>;
  factura(order: string): string | null;
  credits(order: string): CreditOnOrder[];
}

/** The demo's orders, each twice: a refund needs an order nothing has happened to. */
export const wooTillOrders = (now: Date) => [
  ...wooOrders(now),
  ...wooSales.map((sale) => toWooOrder({ ...sale, id: sale.id + 100 }, new Date(now.getTime() - 60_000))),
];
export const shopifyTillOrders = (now: Date) => [
  ...shopifyOrders(now),
  ...shopifySales.map((sale) =>
    toShopifyOrder({ ...sale, number: sale.number + 100 }, new Date(now.getTime() - 60_000).toISOString()),
  ),
];

export function wooTill(product: Product): Till {
  const { shop } = product;
  const report = (order: string) => product.deliver(order);
  const left = (order: string) => {
    const back = shop.refunds(order).reduce((sum, { amount }) => sum + Number(amount), 0);
    return (Number(shop.order(order)?.total) - back).toFixed(2);
  };
  return {
    order: '1201',
    laterOrder: '1301',
    anonymous: '1203',
    earlyAnonymous: '1303',
    reportPaid: report,
    refundUnit(order) {
      const [line] = (shop.order(order)?.line_items ?? []) as {
        id: number;
        price: number;
        taxes: { id: number }[];
      }[];
      const price = line?.price ?? 0;
      const tax = price * 0.15;
      const { amount } = shop.refund(order, {
        api_refund: false,
        line_items: [
          {
            id: line?.id ?? 0,
            quantity: 1,
            refund_total: price.toFixed(2),
            refund_tax: [{ id: line?.taxes[0]?.id ?? 0, refund_total: tax.toFixed(2) }],
          },
        ],
      });
      return Number(amount);
    },
    refundRest: (order) => void shop.refund(order, { amount: left(order), api_refund: false }),
    reportRefunded: report,
    factura: (order) => written(product, order).numero ?? null,
    credits(order) {
      const list = shop
        .order(order)
        ?.meta_data.find(({ key }) => key === '_facturapuente_notas_credito')?.value;
      const done = ((list ?? []) as Record<string, string>[]).map((one) => ({
        refund: one.reembolso ?? '',
        number: one.numero ?? null,
        pdf: one.pdf ?? null,
        reason: null,
      }));
      const waiting = shop
        .notes(order)
        .filter(({ customer_note, note }) => !customer_note && note.includes('nota de crédito'))
        .map(({ note }) => ({ refund: '', number: null, pdf: null, reason: note }));
      return [...done, ...waiting];
    },
  };
}

export function shopifyTill(product: Product, shop: ShopifyShop, clientSecret: string): Till {
  const ids = shopifyTillOrders(new Date()).map(({ id }) => String(id));
  const report = (topic: string) => (orderId: string) =>
    shop.deliver(`${product.url}/webhooks/app`, { clientSecret, topic, orderId });
  const body = (order: string) => shop.order(order) as Record<string, unknown>;
  const field = (order: string, key: string) => shop.metafields(order)[key];
  return {
    order: ids[1] ?? '',
    laterOrder: ids[6] ?? '',
    anonymous: ids[4] ?? '',
    earlyAnonymous: ids[9] ?? '',
    reportPaid: report('orders/paid'),
    refundUnit(order) {
      const [line] = body(order).line_items as { id: number }[];
      const refund = shop.refund(order, { refund_line_items: [{ line_item_id: line?.id, quantity: 1 }] });
      return Number((refund.transactions as { amount: string }[])[0]?.amount);
    },
    refundRest(order) {
      const back = (body(order).refunds as { transactions: { amount: string }[] }[])
        .flatMap(({ transactions }) => transactions)
        .reduce((sum, { amount }) => sum + Number(amount), 0);
      const amount = (Number(body(order).total_price) - back).toFixed(2);
      shop.refund(order, { transactions: [{ amount }] });
    },
    reportRefunded: report('refunds/create'),
    factura: (order) => field(order, 'numero') ?? null,
    credits: (order) =>
      (JSON.parse(field(order, 'notas_credito') ?? '[]') as Record<string, string>[]).map((one) => ({
        refund: one.reembolso ?? '',
        number: one.numero ?? null,
        pdf: one.pdf ?? null,
        reason: reasonOf(field(order, 'motivo'), one.reembolso),
      })),
  };
}

/** The line of `motivo` that is about this refund. */
function reasonOf(reasons: string | undefined, refund: string | undefined): string | null {
  const start = `Reembolso ${refund}: `;
  return (
    reasons
      ?.split('\n')
      .find((line) => line.startsWith(start))
      ?.slice(start.length) ?? null
  );
}
