import { invalid, page, type RestAnswer } from './rest.ts';
import { linked } from './rest-refunds.ts';
import type { Store, StoredOrder } from './store.ts';

/** Where the shop keeps its orders: in tables of their own (HPOS), or among the posts. */
export type Storage = 'hpos' | 'posts';

/** `GET orders` as far as it was recorded, with the filters a search for changes needs. */
export function answerOrders(store: Store, url: URL, storage: Storage): RestAnswer {
  const asked = Object.fromEntries(url.searchParams);
  const isGmt = asked.dates_are_gmt === 'true' || asked.dates_are_gmt === '1';
  const instant = (text: string | undefined) => instantOf(text, isGmt, storage);
  const [after, before] = [instant(asked.modified_after), instant(asked.modified_before)];
  if (Number.isNaN(after)) return invalid('modified_after');
  if (Number.isNaN(before)) return invalid('modified_before');
  const include = list(asked.include);
  const exclude = list(asked.exclude);
  const rows = store.all().filter((order) => {
    const id = String(order.id);
    const changed = timeOf(order, 'date_modified_gmt');
    return (
      isListed(String(order.status), list(asked.status)) &&
      (include.length === 0 || include.includes(id)) &&
      !exclude.includes(id) &&
      (after === null || changed > after) &&
      (before === null || changed < before)
    );
  });
  rows.sort(sorting(store, asked.orderby ?? 'date'));
  if ((asked.order ?? 'desc') === 'desc') rows.reverse();
  return some(page(rows, url), list(asked._fields));
}

/** `GET refunds`: those of every order, newest first. */
export function answerShopRefunds(store: Store, home: string, url: URL): RestAnswer {
  const rows = store.all().flatMap((order) =>
    store.refunds.list(String(order.id)).map((refund) => {
      const { id, ...rest } = linked(refund, `${home}/wp-json/wc/v3/orders/${order.id}`);
      return { id, parent_id: order.id, ...rest };
    }),
  );
  rows.sort((a, b) => b.date_created_gmt.localeCompare(a.date_created_gmt) || b.id - a.id);
  return some(page(rows, url), list(url.searchParams.get('_fields') ?? undefined));
}

const list = (text: string | undefined): string[] => (text ? text.split(',') : []);

/** «any», the default, leaves out the trash and what never left the checkout. */
function isListed(status: string, asked: readonly string[]): boolean {
  if (asked.length > 0 && !asked.includes('any')) return asked.includes(status);
  return !['trash', 'checkout-draft', 'auto-draft'].includes(status);
}

const timeOf = (order: StoredOrder, key: 'date_created_gmt' | 'date_modified_gmt'): number =>
  Date.parse(`${order[key] ?? order.date_created_gmt}Z`);

/** Only «date» also sorts by id (WooCommerce's source): orders changed in one second come as the database likes. */
function sorting(store: Store, orderby: string): (a: StoredOrder, b: StoredOrder) => number {
  if (orderby === 'id') return (a, b) => a.id - b.id;
  if (orderby === 'date')
    return (a, b) => timeOf(a, 'date_created_gmt') - timeOf(b, 'date_created_gmt') || a.id - b.id;
  const whim = store.whim();
  return (a, b) => timeOf(a, 'date_modified_gmt') - timeOf(b, 'date_modified_gmt') || whim * (a.id - b.id);
}

const shopOffsetMs = 5 * 3_600_000;

/**
 * The instant a date filter means in a shop west of Greenwich, by the table measured on WooCommerce 11.0.1; null
 * without a filter, NaN for what is no date.
 */
function instantOf(text: string | undefined, isGmt: boolean, storage: Storage): number | null {
  if (text === undefined) return null;
  const [, naive, milliseconds, zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  if (naive === undefined) return Number.NaN;
  if (zone === undefined) return Date.parse(`${naive}Z`) + (isGmt ? 0 : shopOffsetMs);
  const instant = Date.parse(`${naive}${zone}`);
  if (isGmt) return instant - shopOffsetMs;
  return instant + (milliseconds === undefined || storage === 'posts' ? 0 : shopOffsetMs);
}

/** Only these keys of each row; all of them where none is named. */
function some(answer: RestAnswer, fields: readonly string[]): RestAnswer {
  if (!Array.isArray(answer.body) || fields.length === 0) return answer;
  const body = answer.body.map((row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => fields.includes(key))),
  );
  return { ...answer, body };
}
