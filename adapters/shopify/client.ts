import { setTimeout as pause } from 'node:timers/promises';
import type { Shopify } from '@shopify/shopify-api';
import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { unreadable } from '../../src/domain/loose.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import { word } from '../../src/domain/text.ts';
import { MutationAnswer, type UserError } from './answer.ts';
import { type Cost, openBucket, readCost } from './cost.ts';
import { type Failure, type GraphqlFailure, readFailure, throttled, toShopError } from './failures.ts';
import { type Library, loadLibrary } from './library.ts';
import { type Place, placeOf } from './places.ts';
import type { App, Connection } from './settings.ts';
import { askToken } from './tokens/endpoint.ts';
import { liveInstall, renewalMargin } from './tokens/installed.ts';
import { isLapsing } from './tokens/record.ts';

/** One shop's Admin GraphQL. Every method throws ShopError; tokens are fetched and renewed inside. */
export interface Client {
  query<T>(...asked: Query<T>): Promise<T>;
  /** The same, with Shopify's clock; null where the answer does not tell. */
  dated<T>(...asked: Query<T>): Promise<{ data: T; date: Date | null }>;
  /** Runs a mutation and hands back its userErrors, which Shopify answers with HTTP 200. */
  mutate(document: string, variables: Record<string, unknown>, doing: string): Promise<UserError[]>;
}

type Query<T> = [document: string, variables: Record<string, unknown>, answer: z.ZodType<T>, doing: string];

/** As long as one call may wait for points and repeats; longer waits are the dispatcher's, which holds no worker up. */
const patienceMs = 10_000;

/** An answer of the library; `denied` where Shopify withheld some of it. */
interface Answered {
  data?: unknown;
  headers?: unknown;
  extensions?: unknown;
  denied?: unknown;
}

interface Opened {
  library: Library;
  api: Shopify;
}

/** Opens nothing before the first call. */
export function openClient(app: App, connection: Connection, context: ShopContext): Client {
  let opened: Promise<Opened> | undefined;

  const open = () => {
    opened ??= loadLibrary().then((library) => ({
      library,
      api: library.open(app, connection, context.userAgent),
    }));
    return opened;
  };

  /** Runs one call of the library within the time limit and says what failed in our own words. */
  async function call<T>(
    doing: string,
    run: (signal: AbortSignal, opened: Opened) => Promise<T>,
    onFailure: (failure: Failure) => void = () => {},
  ): Promise<T> {
    const ready = await open();
    const signal = AbortSignal.timeout(connection.timeoutMs);
    try {
      return await Promise.race([run(signal, ready), aborted(signal)]);
    } catch (error) {
      const failure = readFailure(error, ready.library.errors, signal);
      if (failure) onFailure(failure);
      const denied = failure ? toShopError(failure, connection.shop, doing) : error;
      if (failure?.kind !== 'graphql' || !isOnlyWithheld(failure.errors)) throw denied;
      // Shopify leaves out what the app may not read and still answers the rest.
      const paths = failure.errors.slice(0, 20).map(({ path }) => path);
      context.log.warn({ shop: connection.shop, paths }, 'Shopify withheld fields the app may not read');
      return { data: failure.data, denied } as T;
    }
  }

  const tokens = openTokens(app, connection, context);
  const bucket = openBucket();
  const withinMs = Math.min(connection.timeoutMs, patienceMs);

  /** One call, repeated while that is safe and worth the wait. */
  async function send(
    accessToken: string,
    [document, variables, , doing]: Query<unknown>,
  ): Promise<Answered> {
    const learn = (cost: Cost | null) => void (cost && bucket.learn(document, cost));
    const repeatable = !document.startsWith('mutation');
    return patiently({ withinMs, repeatable }, async () => {
      const wait = bucket.take(document);
      if (wait > 0) throw throttled(connection.shop, doing, wait);
      const answer = await call<Answered>(
        doing,
        (signal, { api }) => {
          const session = Object.assign(api.session.customAppSession(connection.shop), { accessToken });
          return new api.clients.Graphql({ session }).request(document, { variables, signal, retries: 0 });
        },
        (failure) => void (failure.kind === 'graphql' && learn(failure.cost)),
      );
      learn(readCost(answer.extensions));
      return answer;
    });
  }

  async function request(asked: Query<unknown>): Promise<Answered> {
    const current = await tokens.get();
    try {
      return await send(current, asked);
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'shopify-unauthorized') throw error;
      // Revoked before its time (secret rotated, app reinstalled): one new token, one more try.
      const next = await tokens.replace(current);
      if (next === null) throw error;
      return await send(next, asked);
    }
  }

  async function dated<T>(
    ...[document, variables, answer, doing]: Query<T>
  ): Promise<{ data: T; date: Date | null }> {
    const { data, headers, denied } = await request([document, variables, answer, doing]);
    const result = answer.safeParse(data);
    if (result.success) return { data: result.data, date: dateOf(headers) };
    // What was withheld is something we cannot do without.
    if (denied) throw denied;
    const { merchant, engineer } = unreadable(data, result.error);
    throw new ShopError(
      'shopify-unexpected-answer',
      `Shopify respondió algo que no se puede leer: ${merchant}. Avise a quien mantiene facturapuente.`,
      `Shopify ${connection.shop}, ${doing}: the answer does not have the expected shape (${engineer}).`,
      { retryable: false },
    );
  }

  const query = async <T>(...asked: Query<T>): Promise<T> => (await dated(...asked)).data;

  return {
    query,
    dated,
    async mutate(document, variables, doing) {
      const answer = await query(document, variables, MutationAnswer, doing);
      return Object.values(answer).flatMap(({ userErrors }) => userErrors);
    },
  };
}

const dateHeader = z.looseObject({
  Date: z.union([word, z.tuple([word]).transform(([one]) => one)]),
});

/** The library writes header names with capitals and their values as lists. */
function dateOf(headers: unknown): Date | null {
  const time = Date.parse(dateHeader.safeParse(headers).data?.Date ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}

/** The library's token call takes no signal; whoever waits is released all the same. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Whether only fields inside of what was asked for are missing, never an order or a whole answer. */
function isOnlyWithheld(errors: readonly GraphqlFailure[]): boolean {
  const inside = (path: string) => /^\w+\.(.+\.)?[a-z]\w*$/i.test(path);
  return errors.length > 0 && errors.every(({ code, path }) => code === 'ACCESS_DENIED' && inside(path));
}

/** Between the tries of a call that may be repeated, milliseconds. More is the dispatcher's business. */
const pauses = [100, 400];

interface Patience {
  /** Waits never begin that would end later than this after the first try. */
  withinMs: number;
  /** Whether a call that may have been carried out can be made again: reading, never writing. */
  repeatable: boolean;
}

/**
 * Repeats what is worth repeating at once (the vendor's client repeats none of it): refused for want of points
 * until they are there, a call that broke or met a 5xx twice. What would take longer is thrown, with the time to
 * come back after, and holds up no worker.
 */
async function patiently<T>({ withinMs, repeatable }: Patience, run: () => Promise<T>): Promise<T> {
  const end = performance.now() + withinMs;
  let repeats = 0;
  while (true) {
    try {
      return await run();
    } catch (error) {
      const wait = error instanceof ShopError ? waitAfter(error) : null;
      if (wait === null || performance.now() + wait > end) throw error;
      await pause(wait);
    }
  }

  function waitAfter({ code, retryAfterMs }: ShopError): number | null {
    // Refused before it was carried out, so that writes too can be made again.
    if (code === 'shopify-throttled') return Math.max(retryAfterMs ?? 1_000, 10);
    if (!repeatable || !passing.has(code)) return null;
    const usual = pauses[repeats];
    repeats += 1;
    return usual === undefined ? null : Math.max(usual, retryAfterMs ?? 0);
  }
}

/** Not a timeout: it has used up the patience of whoever waits. */
const passing = new Set(['shopify-unavailable', 'shopify-unreachable', 'shopify-answered-page']);

/** The access tokens of one shop, for one app. Throws ShopError. */
interface TokenSource {
  /** One that works as far as we know; renewed before it lapses. */
  get(): Promise<string>;
  /** Another one after Shopify said 401 to `dead`; null where there can be none. */
  replace(dead: string): Promise<string | null>;
}

/** By the way the store is connected: a fixed token, the app's own 24-hour ones, or those the merchant granted. */
export function openTokens(app: App, connection: Connection, context: ShopContext): TokenSource {
  const place = placeOf(app, connection);
  if (app.access === 'oauth') return granted(place, connection.accessToken, context);
  if (connection.accessToken !== undefined) return fixed(connection.accessToken);
  return clientCredentials(place, context);
}

function fixed(token: string): TokenSource {
  return { get: async () => token, replace: async () => null };
}

interface Held {
  accessToken: string;
  expiresAt: string | null;
}

/** Keeps the last token in memory, and asks for the next one once even when many need it. */
function held(context: ShopContext, fetch: (dead?: string) => Promise<Held>): TokenSource {
  let last: Held | undefined;
  let fetching: Promise<Held> | undefined;
  const renew = async (dead?: string) => {
    try {
      // Kept in the same step that ends the asking: whoever comes then must find one or the other.
      last = await fetch(dead);
      return last;
    } finally {
      fetching = undefined;
    }
  };
  const next = async (dead?: string) => {
    fetching ??= renew(dead);
    return (await fetching).accessToken;
  };
  return {
    async get() {
      if (last && !isLapsing(last.expiresAt, context.clock.now(), renewalMargin)) return last.accessToken;
      return next();
    },
    async replace(dead) {
      if (last && last.accessToken !== dead) return last.accessToken;
      last = undefined;
      return next(dead);
    },
  };
}

/** Of the merchant's own app: no more than a day, and no need to keep them. */
function clientCredentials(place: Place, context: ShopContext): TokenSource {
  return held(context, async () => {
    const { accessToken, expiresIn } = await askToken(
      place,
      { kind: 'client-credentials' },
      context.userAgent,
    );
    const end = expiresIn === null ? null : context.clock.now().getTime() + expiresIn * 1000;
    return { accessToken, expiresAt: end === null ? null : new Date(end).toISOString() };
  });
}

/** From the ledger, where all processes find the newest. */
function granted(place: Place, oldToken: string | undefined, context: ShopContext): TokenSource {
  return held(context, (dead) => liveInstall(place, context, { oldToken, ...(dead ? { dead } : {}) }));
}
