import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type FacturapuenteError, PayloadError, ShopError } from '../../domain/errors.ts';
import type { ListedOrder, ListPage } from '../../domain/listing.ts';
import type { Order } from '../../domain/order.ts';
import type { Shop } from '../../domain/platform.ts';

/** A small host has few processes, and they are for the shop's visitors; the client lets no more through either. */
const atOnce = 4;
/** How often a call is tried that waiting may help, and how long the waits grow, milliseconds. */
const tries = 6;
const firstWait = 1_000;
const longestWait = 60_000;
/** When so many orders cannot be read and none can, it is the shop. */
const mostUnread = 5;

export interface Asked {
  /** Orders that changed before are not read. */
  since: Date;
  /** At most so many orders are read: those that changed last. */
  most: number;
  /** Hears how far it has come; `of` is null while the orders are being counted. */
  progress?(done: number, of: number | null): void;
  wait?(ms: number): Promise<unknown>;
}

export interface Past {
  /** Orders paid from this instant on were all read: later than asked for where there were too many. */
  since: Date;
  /** How many were left out because there were more than were to be read. */
  leftOut: number;
  /** Orders whose answer cannot be read, with what is wrong in the merchant's words. */
  unreadable: { id: string; reason: string }[];
}

/**
 * Reads the orders of a shop that changed since an instant, each handed to `take` once, in no certain order; nothing is
 * written anywhere. Whoever is paid changes, so every sale since then is among them. Throws ShopError where waiting
 * does not help.
 */
export async function readPast(shop: Shop, asked: Asked, take: (order: Order) => void): Promise<Past> {
  const { progress, wait = sleep } = asked;
  const patiently = <T>(task: () => Promise<T>) => untilAnswered(task, wait);
  const changed = await listed(shop, asked, patiently);
  const chosen = changed.slice(Math.max(changed.length - asked.most, 0));
  const leftOut = changed.length - chosen.length;
  const since = leftOut > 0 ? new Date(chosen[0]?.updatedAt ?? asked.since) : asked.since;
  const unreadable: Past['unreadable'] = [];
  const stop = new AbortController();
  const queue = new PQueue({ concurrency: atOnce });
  let done = 0;
  let taken = 0;
  const read = async (id: string) => {
    if (stop.signal.aborted) return;
    try {
      const order = await patiently(() => shop.fetchOrder(id));
      if (order) take(order);
      taken += 1;
    } catch (error) {
      const ofOrder = isOfOrder(error) && (unreadable.length < mostUnread || taken > 0);
      if (!ofOrder) {
        stop.abort();
        throw error;
      }
      unreadable.push({ id, reason: merchantWords(error) });
    }
    done += 1;
    progress?.(done, chosen.length);
  };
  await queue.addAll(
    chosen.map(
      ({ id }) =>
        () =>
          read(id),
    ),
  );
  return { since, leftOut, unreadable };
}

type Patiently = <T>(task: () => Promise<T>) => Promise<T>;

/** The oldest change first; and the orders of refunds that did not change their order's time. */
async function listed(shop: Shop, { since, progress }: Asked, patiently: Patiently): Promise<ListedOrder[]> {
  const found = new Map<string, ListedOrder>();
  await everyPage(
    patiently,
    (cursor) => shop.changedOrders({ since, cursor }),
    (row) => {
      // One that changed while the pages were read comes again, later.
      found.delete(row.id);
      found.set(row.id, row);
      progress?.(found.size, null);
    },
  );
  const updatedAt = since.toISOString();
  const older = new Map<string, ListedOrder>();
  await everyPage(
    patiently,
    (cursor) => shop.newRefunds({ since, cursor }),
    ({ orderId }) => {
      if (!found.has(orderId)) older.set(orderId, { id: orderId, updatedAt, refunds: null });
    },
  );
  return [...older.values(), ...found.values()];
}

async function everyPage<Row>(
  patiently: Patiently,
  page: (cursor: string | null) => Promise<ListPage<Row>>,
  take: (row: Row) => void,
): Promise<void> {
  let cursor: string | null = null;
  do {
    const at: string | null = cursor;
    const { rows, next }: ListPage<Row> = await patiently(() => page(at));
    rows.forEach(take);
    cursor = next;
  } while (cursor !== null);
}

/** What may be over in a moment (a limit, a page of maintenance) is waited for, as long as the shop says. */
async function untilAnswered<T>(task: () => Promise<T>, wait: (ms: number) => Promise<unknown>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await task();
    } catch (error) {
      if (turn >= tries || !isPassing(error as FacturapuenteError)) throw error;
      const grown = firstWait * 2 ** (turn - 1);
      await wait(Math.min((error as ShopError).retryAfterMs ?? grown, longestWait));
    }
  }
}

/** It lies in the answer for one order: the others may be as they should. */
const isOfOrder = (error: unknown): error is FacturapuenteError =>
  error instanceof PayloadError || (error instanceof ShopError && !error.retryable && !error.disconnected);

/** What was wrong with the answer is told by the error beneath, where there is one. */
const merchantWords = (error: FacturapuenteError): string =>
  error.cause instanceof PayloadError ? error.cause.merchant : error.merchant;

const isPassing = (error: unknown): boolean => error instanceof ShopError && error.retryable;
