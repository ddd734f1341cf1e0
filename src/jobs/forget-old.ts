import { type Clock, type Day, dayMs, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import type { DocumentState } from '../domain/document.ts';
import type { Order } from '../domain/order.ts';
import type { Log } from '../domain/ports.ts';
import { bodyWithoutBuyer, withoutBuyer } from '../domain/privacy.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OrderKey, ShopKey } from '../ledger/schema.ts';

type Mark = Awaited<ReturnType<Ledger['retention']['mark']>>;

const atOnce = 200;

/** Documents in other states may still need their buyer. */
const settled = new Set<DocumentState>(['authorized', 'cancelled']);

export interface Kept {
  /** Days after the order's last change. */
  ordersDays: number;
  /** Years after the end of the year of issue. */
  documentsYears: number;
}

/** Numbers, totals, states and access keys stay, so that no order is ever invoiced twice. */
export async function forgetOld(
  { ledger, clock, log }: { ledger: Ledger; clock: Clock; log: Log },
  { ordersDays, documentsYears }: Kept,
): Promise<void> {
  const now = clock.now();
  const ordersBefore = new Date(now.getTime() - ordersDays * dayMs).toISOString();
  let orders = 0;
  for (const shop of await ledger.retention.shops()) orders += await forgetOrders(ledger, shop, ordersBefore);
  const firstKept = `${Number(ecuadorDay(now).slice(0, 4)) - documentsYears}-01-01`;
  const documents = await forgetDocuments(ledger, firstKept);
  if (orders + documents > 0)
    log.info({ orders, documents }, 'The data of buyers that is no longer kept was removed');
}

/** `waits`: something still needs the buyer; it is tried again at the next walk. */
type Forgotten = 'done' | 'nothing' | 'waits';

async function walk(
  { retention }: Ledger,
  name: string,
  next: (after: Mark) => Promise<Mark[]>,
  forget: (id: string) => Promise<Forgotten>,
): Promise<number> {
  let count = 0;
  const isForgotten = async (id: string): Promise<boolean> => {
    const forgotten = await forget(id);
    if (forgotten === 'done') count += 1;
    return forgotten !== 'waits';
  };
  for (const id of await retention.skipped(name)) if (await isForgotten(id)) await retention.unskip(name, id);
  for (let mark = await retention.mark(name); ; ) {
    const page = await next(mark);
    for (const { id } of page) if (!(await isForgotten(id))) await retention.skip(name, id);
    mark = page.at(-1) ?? mark;
    if (page.length > 0) await retention.setMark(name, mark);
    if (page.length < atOnce) return count;
  }
}

function forgetOrders(ledger: Ledger, shop: ShopKey, before: string): Promise<number> {
  const next = async ({ at, id }: Mark): Promise<Mark[]> => {
    const page = await ledger.orders.changedAfter(shop, { sourceUpdatedAt: at, orderId: id }, atOnce);
    return page.flatMap(({ sourceUpdatedAt, orderId }) =>
      sourceUpdatedAt < before ? { at: sourceUpdatedAt, id: orderId } : [],
    );
  };
  const forget = (orderId: string) => forgetOrder(ledger, { ...shop, orderId }, before);
  return walk(ledger, `orders ${shop.platform} ${shop.shop}`, next, forget);
}

async function forgetOrder(ledger: Ledger, key: OrderKey, before: string): Promise<Forgotten> {
  // Read before its documents: a run that makes one saves the order first, and then the rewrite is refused.
  const row = await ledger.orders.get(key);
  if (!row || row.sourceUpdatedAt >= before) return 'nothing';
  const documents = await ledger.documents.ofOrder(key);
  if (documents.some(({ state }) => !settled.has(state))) return 'waits';
  const order = row.snapshot as Order;
  const rest = withoutBuyer(order);
  if (JSON.stringify(rest) === JSON.stringify(order)) return 'nothing';
  return ledger.transaction(async (tables) => {
    if (!(await tables.orders.rewrite(row, rest))) return 'waits';
    await tables.deliveries.forgetOrder(key);
    await tables.questions.forget(key);
    return 'done';
  });
}

function forgetDocuments(ledger: Ledger, firstKept: Day): Promise<number> {
  const next = (mark: Mark) => ledger.retention.documents(mark, startOfEcuadorDay(firstKept), atOnce);
  return walk(ledger, 'documents', next, async (id) => {
    if (await isKept(ledger, id, firstKept)) return 'waits';
    await ledger.retention.forgetDocument(id, bodyWithoutBuyer);
    return 'done';
  });
}

/** By the year of its issue date, which may be later than that of its sale. */
async function isKept(
  { documents }: Pick<Ledger, 'documents'>,
  id: string,
  firstKept: Day,
): Promise<boolean> {
  const issued = (await documents.get(id))?.issueDate;
  return issued != null && issued >= firstKept;
}
