import type { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import type { Order } from '../../src/domain/order.ts';
import {
  type AnswerLine,
  type AnswerOrder,
  CollectionsAnswer,
  LinesAnswer,
  LocalizedAnswer,
  OrderAnswer,
  ShippingAnswer,
  TransactionsAnswer,
} from './answer.ts';
import { mixedUp, orderChanged } from './changed.ts';
import type { Client } from './client.ts';
import { fromGraphql } from './from-graphql.ts';
import { globalId } from './ids.ts';
import { buildOrder } from './order.ts';
import {
  collectionsQuery,
  linesQuery,
  localizedQuery,
  mostTransactions,
  orderQuery,
  shippingQuery,
  transactionsQuery,
  transactionsWithOrder,
} from './order-query.ts';
import { type AnswerRefund, RefundAnswer, RefundsAnswer } from './refunds/answer.ts';
import { mostRefunds, refundQuery, refundsQuery, refundsWithOrder } from './refunds/query.ts';
import type { Connection } from './settings.ts';

/**
 * An order as it is now, in as many calls as its lists have pages: nothing of it is ever left out. Null when the shop
 * no longer has it.
 * @throws ShopError when the order changes meanwhile (to be read again), or has more than Shopify lists.
 */
export async function fetchOrder(
  client: Client,
  connection: Connection,
  orderId: string,
): Promise<Order | null> {
  if (!/^\d{1,40}$/.test(orderId)) return null;
  const doing = `reading order ${orderId}`;
  const { productDetails: products } = connection;
  const id = globalId(orderId);
  const asked = { id, idKeys: identificationKeys(connection), products };
  const { order } = await client.query(orderQuery, asked, OrderAnswer, doing);
  if (order === null) return null;
  if (order.id !== id) throw mixedUp(doing);
  const reading = { client, id, updatedAt: order.updatedAt, doing };
  const whole: AnswerOrder = {
    ...order,
    lineItems: await wholeList(reading, order.lineItems, async (after) => {
      const answer = await client.query(linesQuery, { id, products, after }, LinesAnswer, doing);
      return unchanged(reading, answer).lineItems;
    }),
    shippingLines: await wholeList(reading, order.shippingLines, async (after) => {
      const answer = await client.query(shippingQuery, { id, after }, ShippingAnswer, doing);
      return unchanged(reading, answer).shippingLines;
    }),
    localizedFields: await wholeList(reading, order.localizedFields, async (after) => {
      const answer = await client.query(localizedQuery, { id, after }, LocalizedAnswer, doing);
      return unchanged(reading, answer).localizedFields;
    }),
    transactions: await allTransactions(reading, order),
  };
  const lines = await withCollections(reading, whole.lineItems.nodes);
  const refunds = await fetchRefunds(client, order, doing);
  return buildOrder(fromGraphql(whole, lines, refunds), connection);
}

interface Reading {
  client: Client;
  id: string;
  updatedAt: string;
  doing: string;
}

interface Page<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A connection with the nodes of all its pages. */
async function wholeList<Node>(
  { doing }: Reading,
  first: Page<Node>,
  next: (after: string) => Promise<Page<Node>>,
): Promise<Page<Node>> {
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  while (pageInfo.hasNextPage) {
    const { endCursor } = pageInfo;
    const page = await next(endCursor ?? '');
    // The same page again would never end.
    if (page.pageInfo.hasNextPage && page.pageInfo.endCursor === endCursor) throw orderChanged(doing);
    nodes.push(...page.nodes);
    pageInfo = page.pageInfo;
  }
  return { nodes, pageInfo };
}

/** What came of the order later, if it is still the order that came first, as it was then. */
function unchanged<Part extends { id: string; updatedAt: string }>(
  { id, updatedAt, doing }: Reading,
  { order }: { order: Part | null },
): Part {
  if (order !== null && order.id !== id) throw mixedUp(doing);
  if (order?.updatedAt !== updatedAt) throw orderChanged(doing);
  return order;
}

async function allTransactions(reading: Reading, order: AnswerOrder): Promise<AnswerOrder['transactions']> {
  if (order.transactions.length < transactionsWithOrder) return order.transactions;
  const { client, doing } = reading;
  const answer = await client.query(transactionsQuery, { id: order.id }, TransactionsAnswer, doing);
  const { transactions } = unchanged(reading, answer);
  if (transactions.length < mostTransactions) return transactions;
  throw new ShopError(
    'shopify-too-many-transactions',
    `El pedido tiene ${mostTransactions} transacciones o más y Shopify no las entrega todas; atiéndalo a mano.`,
    `Shopify, ${doing}: the order has ${mostTransactions} transactions or more, and Order.transactions has no further page. Handle it by hand.`,
    { retryable: false },
  );
}

/** Lines name three collections of their product; a tax rule may be about the fourth. */
async function withCollections({ client, id, doing }: Reading, lines: AnswerLine[]): Promise<AnswerLine[]> {
  type Collections = NonNullable<AnswerLine['product']>['collections'];
  const known = new Map<string, Collections>();
  for (const { product } of lines) {
    if (!product?.collections.pageInfo.hasNextPage || known.has(product.id)) continue;
    const reading = { client, id, updatedAt: '', doing };
    const all = await wholeList(reading, { ...product.collections, nodes: [] }, async (after) => {
      const asked = { id: product.id, after };
      const answer: z.output<typeof CollectionsAnswer> = await client.query(
        collectionsQuery,
        asked,
        CollectionsAnswer,
        doing,
      );
      if (answer.product === null) throw orderChanged(doing);
      return answer.product.collections;
    });
    known.set(product.id, { ...all, nodes: [...product.collections.nodes, ...all.nodes] });
  }
  return lines.map((line) => {
    const collections = line.product && known.get(line.product.id);
    return line.product && collections ? { ...line, product: { ...line.product, collections } } : line;
  });
}

function identificationKeys(connection: Connection): string[] {
  const keys = connection.idSources.flatMap((source) =>
    source.kind === 'customer-metafield' ? [`${source.namespace}.${source.key}`] : [],
  );
  // An empty list would mean "all of them"; a key nobody has means none.
  return keys.length > 0 ? keys : ['facturapuente.none'];
}

/**
 * The details of an order's refunds, in the order's own sequence, one call or more for each.
 * @throws ShopError when the order changes meanwhile (to be read again), or has more refunds than Shopify lists.
 */
async function fetchRefunds(client: Client, order: AnswerOrder, doing: string): Promise<AnswerRefund[]> {
  const refunds: AnswerRefund[] = [];
  for (const { id } of await allRefunds(client, order, doing))
    refunds.push(await fetchRefund(client, id, order, doing));
  return refunds;
}

async function allRefunds(client: Client, order: AnswerOrder, doing: string): Promise<{ id: string }[]> {
  if (order.refunds.length < refundsWithOrder) return order.refunds;
  const answer = await client.query(refundsQuery, { id: order.id }, RefundsAnswer, doing);
  if (answer.order && answer.order.id !== order.id) throw mixedUp(doing);
  if (answer.order?.updatedAt !== order.updatedAt) throw orderChanged(doing);
  if (answer.order.refunds.length < mostRefunds) return answer.order.refunds;
  throw new ShopError(
    'shopify-too-many-refunds',
    `El pedido tiene ${mostRefunds} reembolsos o más y Shopify no los entrega todos; atiéndalo a mano.`,
    `Shopify, ${doing}: the order has ${mostRefunds} refunds or more, and Order.refunds has no further page. Handle it by hand.`,
    { retryable: false },
  );
}

/** One refund with every page of its lists. */
async function fetchRefund(
  client: Client,
  id: string,
  order: Pick<AnswerOrder, 'id' | 'updatedAt'>,
  doing: string,
): Promise<AnswerRefund> {
  const cursors: Partial<Record<keyof typeof lists, string | null>> = {};
  const read = async () => {
    const { refund } = await client.query(refundQuery, { id, ...cursors }, RefundAnswer, doing);
    if (refund && (refund.id !== id || refund.order.id !== order.id)) throw mixedUp(doing);
    if (refund?.order.updatedAt !== order.updatedAt) throw orderChanged(doing);
    return refund;
  };
  const whole = await read();
  const unfinished = (page: AnswerRefund) => (name: keyof typeof lists) =>
    page[lists[name]].pageInfo.hasNextPage;
  let page = whole;
  let open = names.filter(unfinished(page));
  while (open.length > 0) {
    for (const name of open) cursors[name] = page[lists[name]].pageInfo.endCursor;
    page = await read();
    // Lists that had ended answer something again; only what was still open counts.
    for (const name of open) (whole[lists[name]].nodes as unknown[]).push(...page[lists[name]].nodes);
    open = open.filter(unfinished(page));
  }
  return whole;
}

/** Each variable of the query and the list it pages. */
const lists = {
  lines: 'refundLineItems',
  shipping: 'refundShippingLines',
  adjustments: 'orderAdjustments',
  transactions: 'transactions',
} as const;
const names = Object.keys(lists) as (keyof typeof lists)[];
