import { createHash, randomBytes } from 'node:crypto';
import type { PageContext, PageStore } from '../../../src/core/platform-page.ts';
import { configuredKeys } from '../access.ts';
import { type Attempt, changeKept, type Kept } from '../kept.ts';
import type { Connection } from '../settings.ts';

/** A configured store that may take its keys from its shop. */
export interface Connectable {
  store: PageStore;
  connection: Connection;
}

export function connectables(context: PageContext): Connectable[] {
  return context
    .stores()
    .map((store) => ({ store, connection: store.connection as Connection }))
    .filter(({ connection }) => connection.apiAccess && configuredKeys(connection) === null);
}

export const findStore = (context: PageContext, id: string | null): Connectable | undefined =>
  connectables(context).find(({ store }) => store.id === id);

/** Long enough to log in to WordPress and think about it. */
const goodForMs = 60 * 60_000;

const digest = (nonce: string): string => createHash('sha256').update(nonce).digest('hex');

/** Begins one; an earlier one of the same shop is worth nothing from then on. Answers its nonce. */
export async function beginAttempt({ connection }: Connectable, context: PageContext): Promise<string> {
  const nonce = randomBytes(32).toString('base64url');
  const until = new Date(context.clock.now().getTime() + goodForMs).toISOString();
  await changeKept(context.credentials, connection.url, (kept) => ({
    ...kept,
    attempt: { nonce: digest(nonce), until, state: 'open', reason: null },
  }));
  return nonce;
}

/** The attempt of this nonce; null for any other, and without a word why. Hashes are compared, so time tells nothing. */
export function attemptOf({ attempt }: Kept, nonce: string): Attempt | null {
  return attempt !== null && attempt.nonce === digest(nonce) ? attempt : null;
}

/** Takes an open attempt, once: false for everybody who comes later, or with another nonce. */
export async function takeAttempt(
  { connection }: Connectable,
  nonce: string,
  context: PageContext,
): Promise<boolean> {
  let taken = false;
  await changeKept(context.credentials, connection.url, (kept) => {
    const attempt = attemptOf(kept, nonce);
    taken = attempt?.state === 'open' && Date.parse(attempt.until) > context.clock.now().getTime();
    return taken && attempt ? { ...kept, attempt: { ...attempt, state: 'taken' } } : null;
  });
  return taken;
}

/** Writes how it ended, and what else changes with it; nothing, and false, when a newer attempt has begun. */
export async function endAttempt(
  { connection }: Connectable,
  nonce: string,
  context: PageContext,
  end: Pick<Attempt, 'state' | 'reason'>,
  more: (kept: Kept) => Partial<Kept> = () => ({}),
): Promise<boolean> {
  const after = await changeKept(context.credentials, connection.url, (kept) => {
    const attempt = attemptOf(kept, nonce);
    return attempt === null ? null : { ...kept, ...more(kept), attempt: { ...attempt, ...end } };
  });
  return attemptOf(after, nonce) !== null;
}
