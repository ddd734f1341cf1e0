import { createHash, randomBytes } from 'node:crypto';
import { ShopError } from '../../../src/domain/errors.ts';
import type { PageContext, PageStore, ShopContext } from '../../../src/domain/platform.ts';
import { openApi } from '../api.ts';
import type { ApiKeys } from '../client.ts';
import { type Attempt, configuredKeys, type ShopCredentials, updateCredentials } from '../credentials.ts';
import type { Connection } from '../settings.ts';
import { newSecret } from '../webhooks.ts';

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

const attemptLifeMs = 60 * 60_000;

const digest = (nonce: string): string => createHash('sha256').update(nonce).digest('hex');

export async function beginAttempt({ connection }: Connectable, context: PageContext): Promise<string> {
  const nonce = randomBytes(32).toString('base64url');
  const until = new Date(context.clock.now().getTime() + attemptLifeMs).toISOString();
  await updateCredentials(context.credentials, connection.url, (before) => ({
    ...before,
    attempt: { nonce: digest(nonce), until, state: 'open', pending: null, reason: null },
  }));
  return nonce;
}

/** Null after an hour. Digests are compared, so the time taken reveals nothing. */
export function attemptOf(
  { attempt }: ShopCredentials,
  nonce: string,
  { clock }: Pick<PageContext, 'clock'>,
): Attempt | null {
  if (attempt === null || attempt.nonce !== digest(nonce)) return null;
  return Date.parse(attempt.until) > clock.now().getTime() ? attempt : null;
}

export async function takeAttempt(
  { connection }: Connectable,
  nonce: string,
  context: PageContext,
): Promise<Attempt | null> {
  let taken: Attempt | null = null;
  await updateCredentials(context.credentials, connection.url, (before) => {
    const attempt = attemptOf(before, nonce, context);
    taken = attempt?.state === 'open' ? { ...attempt, state: 'taken' } : null;
    return taken && { ...before, attempt: taken };
  });
  return taken;
}

export async function moveAttempt(
  { url }: Pick<Connection, 'url'>,
  { credentials }: Pick<ShopContext, 'credentials'>,
  from: Attempt,
  to: Partial<Pick<Attempt, 'state' | 'reason' | 'pending'>>,
  more: (before: ShopCredentials) => Partial<ShopCredentials> = () => ({}),
): Promise<boolean> {
  let moved = false;
  await updateCredentials(credentials, url, (before) => {
    const { attempt } = before;
    moved = attempt !== null && attempt.nonce === from.nonce && attempt.state === from.state;
    return moved && attempt ? { ...before, ...more(before), attempt: { ...attempt, ...to } } : null;
  });
  return moved;
}

/** A shop with one PHP worker cannot answer while it waits for our answer (measured on WooCommerce 11.0.1). */
const checkTimeoutMs = 8_000;

type Tried = { kind: 'connected' | 'unchecked' | 'superseded' } | { kind: 'refused'; reason: string };

export async function tryKeys(
  connection: Connection,
  context: ShopContext,
  attempt: Attempt,
  keys: ApiKeys,
): Promise<Tried> {
  const error = await check(connection, context, keys);
  if (error?.retryable) {
    const isMoved = await moveAttempt(connection, context, attempt, { state: 'unchecked', pending: keys });
    return { kind: isMoved ? 'unchecked' : 'superseded' };
  }
  if (error) {
    const { merchant: reason } = error;
    const isMoved = await moveAttempt(connection, context, attempt, {
      state: 'refused',
      pending: null,
      reason,
    });
    return isMoved ? { kind: 'refused', reason } : { kind: 'superseded' };
  }
  const to = { state: 'connected', pending: null } as const;
  const isMoved = await moveAttempt(connection, context, attempt, to, ({ secrets }) => ({
    keys,
    installed: true,
    uninstalled: false,
    // A person who had the old keys may have known the old secret.
    secrets: [newSecret(), ...secrets.slice(0, 1)],
  }));
  return { kind: isMoved ? 'connected' : 'superseded' };
}

async function check(connection: Connection, context: ShopContext, keys: ApiKeys): Promise<ShopError | null> {
  const timeoutMs = Math.min(connection.timeoutMs, checkTimeoutMs);
  try {
    await openApi({ ...connection, timeoutMs }, async () => keys, context).recentOrders();
    return null;
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return error;
  }
}
