import { z } from 'zod';
import type { Asked, ChangesPage, ListedOrder } from '../../src/domain/listing.ts';
import { instant as instantText } from '../../src/domain/loose.ts';
import { word } from '../../src/domain/text.ts';
import { gid, pageOf } from './answer.ts';
import type { Client } from './client.ts';
import { changedQuery, listedQuery, refundsListed } from './queries.ts';
import { globalId, instant, numericId } from './sale.ts';

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
