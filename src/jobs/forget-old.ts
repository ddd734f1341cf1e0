import { type Day, ecuadorDay, startOfEcuadorDay } from '../domain/calendar.ts';
import type { Clock } from '../domain/clock.ts';
import type { DocumentState } from '../domain/document.ts';
import type { Log } from '../domain/log.ts';
import type { Order } from '../domain/order.ts';
import { bodyWithoutBuyer, withoutBuyer } from '../domain/privacy.ts';
import { isShadowShop } from '../domain/shadow.ts';
import type { Ledger } from '../ledger/ledger.ts';

const atOnce = 200;
const dayMs = 24 * 3_600_000;

/** Whatever else a document waits for may still need its buyer. */
const settled = new Set<DocumentState>(['authorized', 'cancelled']);

export interface Kept {
  /** What an order says of its buyer, and what he answered, in days after the order's last change. */
  ordersDays: number;
  /** What was sent for a document, and its files, in years after the end of the one it was issued in. */
  documentsYears: number;
}

/**
 * Takes buyers out of what is older than it is kept: of orders first, and after the years the law asks for of what was
 * sent as well. Numbers, sums, states and access keys stay: no order may ever be invoiced twice.
 */
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
    log.info({ orders, documents }, 'Buyers were taken out of what is no longer kept');
}

async function forgetOrders(
  ledger: Ledger,
  shop: { platform: string; shop: string },
  before: string,
): Promise<number> {
  const walk = `orders ${shop.platform} ${shop.shop}`;
  let count = 0;
  // An order that waits is passed by and not left behind: it is remembered, and each walk asks for it first.
  for (const orderId of await ledger.retention.passedBy(walk)) {
    const forgotten = await forgetOrder(ledger, { ...shop, orderId }, before);
    if (forgotten !== 'waits') await ledger.retention.letGo(walk, orderId);
    if (forgotten === 'done') count += 1;
  }
  const mark = await ledger.retention.mark(walk);
  let after = { sourceUpdatedAt: mark.at, orderId: mark.id };
  for (;;) {
    const page = (await ledger.orders.changedAfter(shop, after, atOnce)).filter(
      ({ sourceUpdatedAt }) => sourceUpdatedAt < before,
    );
    for (const { orderId, sourceUpdatedAt } of page) {
      const forgotten = await forgetOrder(ledger, { ...shop, orderId }, before);
      if (forgotten === 'waits') await ledger.retention.passBy(walk, orderId);
      else if (forgotten === 'done') count += 1;
      await ledger.retention.setMark(walk, { at: sourceUpdatedAt, id: orderId });
      after = { sourceUpdatedAt, orderId };
    }
    if (page.length < atOnce) return count;
  }
}

async function forgetOrder(
  ledger: Ledger,
  key: { platform: string; shop: string; orderId: string },
  before: string,
): Promise<'done' | 'nothing' | 'waits'> {
  // Before its documents: whoever makes one saves the order first, and then it is not rewritten.
  const row = await ledger.orders.get(key);
  // Of one that changed since, the walk has its turn at its new time.
  if (!row || row.sourceUpdatedAt >= before) return 'nothing';
  // Nobody mends a shadow that was refused, and it has no tax value: it waits for nothing.
  const documents = isShadowShop(key.shop) ? [] : await ledger.documents.ofOrder(key);
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

async function forgetDocuments(ledger: Ledger, firstKept: Day): Promise<number> {
  const walk = 'documents';
  let count = 0;
  for (const id of await ledger.retention.passedBy(walk)) {
    if (await isKept(ledger, id, firstKept)) continue;
    await ledger.retention.forgetDocument(id, bodyWithoutBuyer);
    await ledger.retention.letGo(walk, id);
    count += 1;
  }
  let mark = await ledger.retention.mark(walk);
  for (;;) {
    const page = await ledger.retention.documents(mark, startOfEcuadorDay(firstKept), atOnce);
    for (const found of page) {
      mark = found;
      if (await isKept(ledger, found.id, firstKept)) {
        await ledger.retention.passBy(walk, found.id);
        continue;
      }
      await ledger.retention.forgetDocument(found.id, bodyWithoutBuyer);
      count += 1;
    }
    if (page.length > 0) await ledger.retention.setMark(walk, mark);
    if (page.length < atOnce) return count;
  }
}

/** One that waited over the turn of a year bears the date of the later one, and the law counts by that. */
async function isKept(
  { documents }: Pick<Ledger, 'documents'>,
  id: string,
  firstKept: Day,
): Promise<boolean> {
  const issued = (await documents.get(id))?.issueDate;
  return issued != null && issued >= firstKept;
}
