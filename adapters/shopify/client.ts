import { setTimeout as pause } from 'node:timers/promises';
import type { Shopify } from '@shopify/shopify-api';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { unreadable } from '../../src/domain/loose.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { ShopIdentity } from '../../src/domain/shop-identity.ts';
import { word } from '../../src/domain/text.ts';
import { type ErrorClasses, readFailure, toShopError } from './errors.ts';
import { appScopesQuery, identityQuery, MutationAnswer, type UserError } from './queries.ts';
import { type App, type Connection, placeOf } from './settings.ts';

/** Imported at the first call, because the vendor's library takes a third of a second. */
interface Library {
  open(app: App, connection: Connection, userAgent: string): Shopify;
  openAs(app: App, clientSecret: string, userAgent?: string): Shopify;
  errors: ErrorClasses;
}

let loaded: Promise<Library> | undefined;

export function loadLibrary(): Promise<Library> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Library> {
  // The runtime adapter must be in place before the library makes its first instance.
  await import('@shopify/shopify-api/adapters/node');
  const [vendor, runtime] = await Promise.all([
    import('@shopify/shopify-api'),
    import('@shopify/shopify-api/runtime'),
  ]);
  const emulators = new Map<string, string | undefined>();
  runtime.setAbstractFetchFunc((target, init) => {
    const { hostname, origin, pathname, search } = new URL(String(target));
    return shopifyFetch(`${emulators.get(hostname) ?? origin}${pathname}${search}`, init ?? {});
  });
  const openAs: Library['openAs'] = (app, clientSecret, userAgent = '') =>
    vendor.shopifyApi({
      apiKey: app.clientId,
      apiSecretKey: clientSecret,
      apiVersion: app.apiVersion as typeof vendor.ApiVersion.October26,
      hostName: 'localhost',
      isEmbeddedApp: false,
      userAgentPrefix: userAgent,
      // Silent: the library would print a line per instance, and bodies at its debug level.
      logger: { log: () => {} },
    });
  return {
    errors: vendor,
    openAs,
    open(app, connection, userAgent) {
      const { shop, adminUrl } = placeOf(app, connection);
      emulators.set(shop, adminUrl);
      return openAs(app, app.clientSecrets[0] ?? '', userAgent);
    },
  };
}

/** Bytes; a longer answer of a broken server would fill the memory. */
const answerLimit = 16 * 1024 * 1024;

let opened: Promise<{ fetch: typeof import('undici').fetch; dispatcher: Dispatcher }> | undefined;

/** Redirects are not followed: they would take the token along. */
export async function shopifyFetch(url: string, init: object): Promise<Response> {
  opened ??= import('undici').then(({ Agent, fetch }) => ({
    fetch,
    dispatcher: new Agent({ connect: { timeout: 5_000 }, maxResponseSize: answerLimit }),
  }));
  const { fetch, dispatcher } = await opened;
  return (await fetch(url, { ...init, redirect: 'manual', dispatcher })) as unknown as Response;
}

/** Every method throws ShopError. */
export interface Client {
  query<T>(...query: Query<T>): Promise<T>;
  /** `date` is Shopify's clock; null where the answer has none. */
  dated<T>(...query: Query<T>): Promise<{ data: T; date: Date | null }>;
  mutate(document: string, variables: Record<string, unknown>, doing: string): Promise<UserError[]>;
}

type Query<T> = [document: string, variables: Record<string, unknown>, answer: z.ZodType<T>, doing: string];

export interface TokenSource {
  get(): Promise<string>;
  /** Null where there is no other token than `refused`. */
  replace(refused: string): Promise<string | null>;
}

/** For points and repeats within one call; after that the job is delayed and its worker is free. */
const longestWaitMs = 10_000;

interface Answered {
  data?: unknown;
  headers?: Record<string, string | string[]> | undefined;
  denied?: ShopError;
}

export function openClient(
  app: App,
  connection: Connection,
  tokens: TokenSource,
  context: ShopContext,
): Client {
  let opened: Promise<{ library: Library; api: Shopify }> | undefined;
  const open = () => {
    opened ??= loadLibrary().then((library) => ({
      library,
      api: library.open(app, connection, context.userAgent),
    }));
    return opened;
  };

  async function call(
    accessToken: string,
    [document, variables, , doing]: Query<unknown>,
  ): Promise<Answered> {
    const { library, api } = await open();
    const signal = AbortSignal.timeout(connection.timeoutMs);
    try {
      const session = Object.assign(api.session.customAppSession(connection.shop), { accessToken });
      const client = new api.clients.Graphql({ session });
      return await client.request(document, { variables, signal, retries: 0 });
    } catch (error) {
      const failure = readFailure(error, library.errors, signal);
      if (!failure) throw error;
      const denied = toShopError(failure, connection.shop, doing);
      if (failure.kind !== 'graphql' || !isOnlyWithheld(failure.errors)) throw denied;
      const paths = failure.errors.slice(0, 20).map(({ path }) => path);
      context.log.warn({ shop: connection.shop, paths }, 'Shopify withheld fields the app may not read');
      return { data: failure.data, denied };
    }
  }

  const withinMs = Math.min(connection.timeoutMs, longestWaitMs);

  const send = (accessToken: string, query: Query<unknown>) =>
    withRetries({ withinMs, repeatable: !query[0].startsWith('mutation') }, () => call(accessToken, query));

  async function request(query: Query<unknown>): Promise<Answered> {
    const current = await tokens.get();
    try {
      return await send(current, query);
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'shop-unauthorized') throw error;
      // A token revoked early (secret rotated, app reinstalled): one new token, one more try.
      const next = await tokens.replace(current);
      if (next === null) throw error;
      return await send(next, query);
    }
  }

  async function dated<T>(
    ...[document, variables, answer, doing]: Query<T>
  ): Promise<{ data: T; date: Date | null }> {
    const { data, headers, denied } = await request([document, variables, answer, doing]);
    const result = answer.safeParse(data);
    if (result.success) return { data: result.data, date: dateOf(headers) };
    // A withheld field was a required one.
    if (denied) throw denied;
    const problem = unreadable(data, result.error);
    throw new ShopError(
      'shop-answer',
      { platform: 'Shopify', shop: connection.shop, call: doing, path: '', problem },
      { retryable: false },
    );
  }

  const query = async <T>(...args: Query<T>): Promise<T> => (await dated(...args)).data;

  return {
    query,
    dated,
    async mutate(document, variables, doing) {
      const answer = await query(document, variables, MutationAnswer, doing);
      return Object.values(answer).flatMap(({ userErrors }) => userErrors);
    },
  };
}

function dateOf(headers: Answered['headers']): Date | null {
  const time = Date.parse(String(headers?.Date));
  return Number.isNaN(time) ? null : new Date(time);
}

/** A whole order or answer that is missing is a failure. */
function isOnlyWithheld(errors: readonly { code: string | null; path: string }[]): boolean {
  const inside = (path: string) => /^\w+\.(.+\.)?[a-z]\w*$/i.test(path);
  return errors.length > 0 && errors.every(({ code, path }) => code === 'ACCESS_DENIED' && inside(path));
}

const pauses = [100, 400];
/** Without timeouts, which have used up the time already. */
const repeatedCodes = new Set(['shop-failing', 'shop-unreachable', 'shop-not-json']);

interface RetryLimits {
  withinMs: number;
  /** Reads may be repeated, also when Shopify may have carried them out; writes may not. */
  repeatable: boolean;
}

async function withRetries<T>({ withinMs, repeatable }: RetryLimits, run: () => Promise<T>): Promise<T> {
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
    // A throttled call was not carried out, so writes too are safe to repeat.
    if (code === 'shop-busy') return Math.max(retryAfterMs ?? 1_000, 10);
    if (!repeatable || !repeatedCodes.has(code)) return null;
    const usual = pauses[repeats];
    repeats += 1;
    return usual === undefined ? null : Math.max(usual, retryAfterMs ?? 0);
  }
}

const IdentityAnswer = z.object({
  shop: z.object({
    id: word.regex(/^gid:\/\/shopify\/Shop\/\d{1,20}$/),
    myshopifyDomain: word.toLowerCase(),
  }),
});

export async function readIdentity(client: Client): Promise<ShopIdentity> {
  const { shop } = await client.query(identityQuery, {}, IdentityAnswer, 'reading the identity of the shop');
  return { id: shop.id.replace('gid://shopify/Shop/', ''), addresses: [shop.myshopifyDomain] };
}

const ScopesAnswer = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: word })) }),
});

export async function readAppScopes(client: Client): Promise<string[]> {
  const answer = await client.query(appScopesQuery, {}, ScopesAnswer, 'reading the granted scopes');
  return answer.currentAppInstallation.accessScopes.map(({ handle }) => handle);
}
