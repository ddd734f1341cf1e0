import { createHash, randomBytes } from 'node:crypto';
import { ShopError } from '../../../src/domain/errors.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import type { PageContext, PageStore } from '../../../src/domain/platform-page.ts';
import { configuredKeys } from '../access.ts';
import type { ApiKeys } from '../client.ts';
import { openInstallCalls } from '../install/calls.ts';
import { newSecret } from '../install/secret.ts';
import { type Attempt, changeKept, type Kept } from '../kept.ts';
import type { Connection } from '../settings.ts';

/** A configured store that may take its keys from its shop. */
export interface Connectable {
  store: PageStore;
  connection: Connection;
}

export function findStore(context: PageContext, id: string | null): Connectable | undefined {
  const store = context.stores().find((one) => one.id === id);
  const connection = store?.connection as Connection | undefined;
  if (!store || !connection?.apiAccess || configuredKeys(connection) !== null) return undefined;
  return { store, connection };
}

/** Long enough to log in to WordPress and think about it. */
const goodForMs = 60 * 60_000;

const digest = (nonce: string): string => createHash('sha256').update(nonce).digest('hex');

/** Begins one; an earlier one of the same shop is worth nothing from then on. Answers its nonce. */
export async function beginAttempt({ connection }: Connectable, context: PageContext): Promise<string> {
  const nonce = randomBytes(32).toString('base64url');
  const until = new Date(context.clock.now().getTime() + goodForMs).toISOString();
  await changeKept(context.credentials, connection.url, (kept) => ({
    ...kept,
    attempt: { nonce: digest(nonce), until, state: 'open', pending: null, reason: null },
  }));
  return nonce;
}

/**
 * The attempt of this nonce within its hour; null for any other, and without a word why. Hashes are compared, so time
 * tells nothing.
 */
export function attemptOf(
  { attempt }: Kept,
  nonce: string,
  { clock }: Pick<PageContext, 'clock'>,
): Attempt | null {
  if (attempt === null || attempt.nonce !== digest(nonce)) return null;
  return Date.parse(attempt.until) > clock.now().getTime() ? attempt : null;
}

/** Takes an open attempt, once: null for everybody who comes later, or with another nonce. */
export async function takeAttempt(
  { connection }: Connectable,
  nonce: string,
  context: PageContext,
): Promise<Attempt | null> {
  let taken: Attempt | null = null;
  await changeKept(context.credentials, connection.url, (kept) => {
    const attempt = attemptOf(kept, nonce, context);
    taken = attempt?.state === 'open' ? { ...attempt, state: 'taken' } : null;
    return taken && { ...kept, attempt: taken };
  });
  return taken;
}

/**
 * Writes what became of an attempt; false, and nothing written, when it is no longer the one that is kept or the one
 * `from` expects.
 */
export async function moveAttempt(
  connection: Pick<Connection, 'url'>,
  { credentials }: Pick<ShopContext, 'credentials'>,
  from: Attempt,
  to: Partial<Pick<Attempt, 'state' | 'reason' | 'pending'>>,
  more: (kept: Kept) => Partial<Kept> = () => ({}),
): Promise<boolean> {
  let moved = false;
  await changeKept(credentials, connection.url, (kept) => {
    const { attempt } = kept;
    moved = attempt !== null && attempt.nonce === from.nonce && attempt.state === from.state;
    return moved && attempt ? { ...kept, ...more(kept), attempt: { ...attempt, ...to } } : null;
  });
  return moved;
}

/** A shop with one worker only cannot answer us before we answered it; it waits a minute (measured on WooCommerce 11.0.1). */
const checkWithinMs = 8_000;

/**
 * Tries keys the shop brought. Those that open the shop take the place of the former ones; those that do not are refused,
 * and those nobody could try wait beside them. Answers what became of the attempt; `gone` where a newer one has begun.
 */
export async function tryKeys(
  connection: Connection,
  context: ShopContext,
  attempt: Attempt,
  keys: ApiKeys,
): Promise<{ kind: 'connected' | 'unchecked' | 'gone' } | { kind: 'refused'; reason: string }> {
  const move = async (...to: [Parameters<typeof moveAttempt>[3], Parameters<typeof moveAttempt>[4]?]) =>
    moveAttempt(connection, context, attempt, ...to);
  const checked = await check(connection, context, keys);
  if (checked === 'no-answer')
    return { kind: (await move({ state: 'unchecked', pending: keys })) ? 'unchecked' : 'gone' };
  if (checked !== 'fine') {
    const { merchant: reason } = checked;
    return (await move({ state: 'refused', pending: null, reason }))
      ? { kind: 'refused', reason }
      : { kind: 'gone' };
  }
  const isKept = await move({ state: 'connected', pending: null }, ({ secrets }) => ({
    keys,
    installed: true,
    // Whoever had the old keys may have known the old secret.
    secrets: [newSecret(), ...secrets.slice(0, 1)],
  }));
  return { kind: isKept ? 'connected' : 'gone' };
}

/** Whether these keys open this very shop. */
async function check(
  connection: Connection,
  context: ShopContext,
  keys: ApiKeys,
): Promise<'fine' | 'no-answer' | ShopError> {
  const timeoutMs = Math.min(connection.timeoutMs, checkWithinMs);
  try {
    await openInstallCalls({ ...connection, timeoutMs }, keys, context).recentOrders();
    return 'fine';
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return error.retryable ? 'no-answer' : error;
  }
}
