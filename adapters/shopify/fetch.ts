import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import type { Asked, ChangesPage, ListedOrder } from '../../src/domain/listing.ts';
import { instant as instantText } from '../../src/domain/loose.ts';
import type { Order, Refund } from '../../src/domain/order.ts';
import { word } from '../../src/domain/text.ts';
import type { Client } from './client.ts';
import { buildOrder } from './order.ts';
import {
  type AnswerLine,
  type AnswerOrder,
  type AnswerRefund,
  CollectionsAnswer,
  changedQuery,
  collectionsQuery,
  gid,
  LinesAnswer,
  LocalizedAnswer,
  linesQuery,
  listedQuery,
  localizedQuery,
  mostListedTogether,
  OrderAnswer,
  orderQuery,
  pageOf,
  RefundAnswer,
  RefundsAnswer,
  refundQuery,
  refundsListed,
  refundsQuery,
  refundsWithOrder,
  ShippingAnswer,
  shippingQuery,
  TransactionsAnswer,
  transactionsQuery,
  transactionsWithOrder,
} from './queries.ts';
import { refundFromGraphql } from './refund.ts';
import { globalId, instant, numericId, saleFromGraphql } from './sale.ts';
import type { Connection } from './settings.ts';

/** Null when the order does not exist. Throws ShopError, also when the order changes meanwhile or is too long. */
export async function fetchOrder(
  client: Client,
  connection: Connection,
  orderId: string,
): Promise<Order | null> {
  if (!/^\d{1,40}$/.test(orderId)) return null;
  const doing = `reading order ${orderId}`;
  const { productDetails: products } = connection;
  const id = globalId(orderId);
  const variables = { id, idKeys: metafieldKeys(connection), products };
  const { order } = await client.query(orderQuery, variables, OrderAnswer, doing);
  if (order === null) return null;
  if (order.id !== id) throw mixedUp(doing);
  const reading: Reading = { client, order, doing };
  const more = async <Part>(query: string, answer: z.ZodType<OrderPart<Part>>, variables: object) =>
    unchanged(reading, await client.query(query, { id, ...variables }, answer, doing));
  const whole: AnswerOrder = {
    ...order,
    lineItems: await wholeList(
      doing,
      order.lineItems,
      async (after) => (await more(linesQuery, LinesAnswer, { products, after })).lineItems,
    ),
    shippingLines: await wholeList(
      doing,
      order.shippingLines,
      async (after) => (await more(shippingQuery, ShippingAnswer, { after })).shippingLines,
    ),
    localizedFields: await wholeList(
      doing,
      order.localizedFields,
      async (after) => (await more(localizedQuery, LocalizedAnswer, { after })).localizedFields,
    ),
    transactions: await allTransactions(reading),
  };
  const lines = await withCollections(client, whole.lineItems.nodes, doing);
  const refunds: Refund[] = [];
  for (const { id } of await allRefunds(reading))
    refunds.push(refundFromGraphql(await fetchRefund(reading, id), whole));
  return buildOrder(saleFromGraphql(whole, lines, refunds), connection);
}

interface Reading {
  client: Client;
  order: AnswerOrder;
  doing: string;
}

interface Page<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

async function wholeList<Node>(
  doing: string,
  first: Page<Node>,
  next: (after: string) => Promise<Page<Node>>,
): Promise<Page<Node>> {
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  while (pageInfo.hasNextPage) {
    const { endCursor } = pageInfo;
    const page = await next(endCursor ?? '');
    if (page.pageInfo.hasNextPage && page.pageInfo.endCursor === endCursor) throw orderChanged(doing);
    nodes.push(...page.nodes);
    pageInfo = page.pageInfo;
  }
  return { nodes, pageInfo };
}

interface OrderPart<Part> {
  order: (Part & { id: string; updatedAt: string }) | null;
}

function unchanged<Part>({ order: first, doing }: Reading, { order }: OrderPart<Part>): Part {
  if (order !== null && order.id !== first.id) throw mixedUp(doing);
  if (order?.updatedAt !== first.updatedAt) throw orderChanged(doing);
  return order;
}

async function allTransactions(reading: Reading): Promise<AnswerOrder['transactions']> {
  const { client, order, doing } = reading;
  if (order.transactions.length < transactionsWithOrder) return order.transactions;
  const answer = await client.query(transactionsQuery, { id: order.id }, TransactionsAnswer, doing);
  return allListed(unchanged(reading, answer).transactions, 'transacciones', doing);
}

async function allRefunds(reading: Reading): Promise<AnswerOrder['refunds']> {
  const { client, order, doing } = reading;
  if (order.refunds.length < refundsWithOrder) return order.refunds;
  const answer = await client.query(refundsQuery, { id: order.id }, RefundsAnswer, doing);
  return allListed(unchanged(reading, answer).refunds, 'reembolsos', doing);
}

function allListed<Row>(rows: Row[], list: string, doing: string): Row[] {
  if (rows.length < mostListedTogether) return rows;
  throw new ShopError(
    'order-too-long',
    { most: mostListedTogether, list, call: doing },
    { retryable: false },
  );
}

type Collections = NonNullable<AnswerLine['product']>['collections'];

/** A line has three collections of its product; a tax rule may name the fourth. */
async function withCollections(client: Client, lines: AnswerLine[], doing: string): Promise<AnswerLine[]> {
  const known = new Map<string, Collections>();
  for (const { product } of lines)
    if (product?.collections.pageInfo.hasNextPage && !known.has(product.id))
      known.set(product.id, await allCollections(client, product.id, product.collections, doing));
  return lines.map((line) => {
    const collections = line.product && known.get(line.product.id);
    return line.product && collections ? { ...line, product: { ...line.product, collections } } : line;
  });
}

export function allCollections(
  client: Client,
  productId: string,
  first: Collections,
  doing: string,
): Promise<Collections> {
  return wholeList(doing, first, async (after) => {
    const { product } = await client.query(
      collectionsQuery,
      { id: productId, after },
      CollectionsAnswer,
      doing,
    );
    if (product === null) throw orderChanged(doing);
    return product.collections;
  });
}

function metafieldKeys({ idSources }: Connection): string[] {
  const keys = idSources.flatMap((source) =>
    source.kind === 'customer-metafield' ? [`${source.namespace}.${source.key}`] : [],
  );
  // For Shopify an empty list means all of them; a key without metafields means none.
  return keys.length > 0 ? keys : ['facturapuente.none'];
}

const refundLists = {
  refundLineItems: 'lines',
  refundShippingLines: 'shipping',
  orderAdjustments: 'adjustments',
  transactions: 'transactions',
} as const;
const refundListNames = Object.keys(refundLists) as (keyof typeof refundLists)[];

async function fetchRefund({ client, order, doing }: Reading, id: string): Promise<AnswerRefund> {
  const cursors: Record<string, string | null> = {};
  const read = async () => {
    const { refund } = await client.query(refundQuery, { id, ...cursors }, RefundAnswer, doing);
    if (refund && (refund.id !== id || refund.order.id !== order.id)) throw mixedUp(doing);
    if (refund?.order.updatedAt !== order.updatedAt) throw orderChanged(doing);
    return refund;
  };
  const whole = await read();
  let page = whole;
  let open = refundListNames;
  while (true) {
    open = open.filter((name) => page[name].pageInfo.hasNextPage);
    if (open.length === 0) return whole;
    for (const name of open) cursors[refundLists[name]] = page[name].pageInfo.endCursor;
    page = await read();
    for (const name of open) (whole[name].nodes as unknown[]).push(...page[name].nodes);
  }
}

/** A proxy in front of Shopify, or Shopify, mixed answers up; the order is read again. */
function mixedUp(doing: string): ShopError {
  return new ShopError(
    'shop-mixed-up',
    { platform: 'Shopify', call: doing, isChanging: false },
    { retryable: true },
  );
}

function orderChanged(doing: string): ShopError {
  return new ShopError(
    'shop-mixed-up',
    { platform: 'Shopify', call: doing, isChanging: true },
    { retryable: true, retryAfterMs: 2_000 },
  );
}

const Listed = z.object({ id: gid, updatedAt: instantText, refunds: z.array(z.object({ id: gid })) });
const ChangedAnswer = z.object({ orders: pageOf(Listed) });
const ListedAnswer = z.object({ nodes: z.array(Listed.nullable()) });

/** Shopify gives at most 25,000 orders of one list, so a new list begins before that. */
const Position = z.object({ since: word, after: word.nullable(), read: z.int() });
const mostOfOneList = 20_000;

/** The list comes from a search index that lags (up to ten minutes are reported), so callers look back further. */
export async function changedOrders(client: Client, { since, cursor }: Asked): Promise<ChangesPage> {
  const at =
    cursor === null
      ? { since: since.toISOString(), after: null, read: 0 }
      : Position.parse(JSON.parse(cursor));
  const { data, date } = await client.dated(
    changedQuery,
    { query: `updated_at:>='${at.since}'`, after: at.after },
    ChangedAnswer,
    'listing changed orders',
  );
  const { nodes, pageInfo } = data.orders;
  const rows = nodes.map(toListed);
  const read = at.read + rows.length;
  const last = rows.at(-1)?.updatedAt ?? at.since;
  const next =
    read >= mostOfOneList && last > at.since
      ? { since: last, after: null, read: 0 }
      : { since: at.since, after: pageInfo.endCursor, read };
  return { rows, next: pageInfo.hasNextPage ? JSON.stringify(next) : null, asOf: date };
}

export async function listOrders(client: Client, ids: readonly string[]): Promise<ListedOrder[]> {
  if (ids.length === 0) return [];
  const answer = await client.query(listedQuery, { ids: ids.map(globalId) }, ListedAnswer, 'listing orders');
  return answer.nodes.flatMap((node) => (node === null ? [] : [toListed(node)]));
}

function toListed({ id, updatedAt, refunds }: z.output<typeof Listed>): ListedOrder {
  return {
    id: numericId(id),
    updatedAt: instant(updatedAt),
    refunds: refunds.length < refundsListed ? refunds.map((refund) => numericId(refund.id)) : null,
  };
}
