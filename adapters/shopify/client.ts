import type { Session, Shopify } from '@shopify/shopify-api';
import { z } from 'zod';
import { ShopError } from '../../src/core/errors.ts';
import type { ShopContext } from '../../src/core/platform.ts';
import { MutationAnswer, type UserError } from './answer.ts';
import { readFailure, toShopError } from './failures.ts';
import { type Library, loadLibrary } from './library.ts';
import type { App, Connection } from './settings.ts';

/** One shop's Admin GraphQL. Every method throws ShopError; tokens are fetched and renewed inside. */
export interface Client {
  query<T>(...asked: Query<T>): Promise<T>;
  /** The same, with Shopify's clock; null where the answer does not tell. */
  dated<T>(...asked: Query<T>): Promise<{ data: T; date: Date | null }>;
  /** Runs a mutation and hands back its userErrors, which Shopify answers with HTTP 200. */
  mutate(document: string, variables: Record<string, unknown>, doing: string): Promise<UserError[]>;
}

type Query<T> = [document: string, variables: Record<string, unknown>, answer: z.ZodType<T>, doing: string];

/** A token is renewed this long before it ends, so that none dies on its way. */
const renewalMargin = 5 * 60_000;

interface Opened {
  library: Library;
  api: Shopify;
}

/** Opens nothing before the first call. */
export function openClient(app: App, connection: Connection, context: ShopContext): Client {
  let opened: Promise<Opened> | undefined;
  let session: Promise<Session> | undefined;

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
  ): Promise<T> {
    const ready = await open();
    const signal = AbortSignal.timeout(connection.timeoutMs);
    try {
      return await Promise.race([run(signal, ready), aborted(signal)]);
    } catch (error) {
      const failure = readFailure(error, ready.library.errors, signal);
      if (failure?.kind === 'graphql' && isOnlyDenied(failure.errors) && hasOrder(failure.data)) {
        // Shopify leaves out what the app may not read and still answers the order.
        const paths = failure.errors.map(({ path }) => path);
        context.log.warn({ shop: connection.shop, paths }, 'Shopify withheld fields the app may not read');
        return { data: failure.data } as T;
      }
      throw failure ? toShopError(failure, connection.shop, doing) : error;
    }
  }

  /** The configured token, or one of the app's 24-hour ones; asked for once even by many at a time. */
  async function authorize(): Promise<Session> {
    const current = await session?.catch(() => undefined);
    if (current && !current.isExpired(renewalMargin)) return current;
    const { api } = await open();
    const fixed = connection.accessToken;
    const fresh =
      fixed !== undefined
        ? Promise.resolve(
            Object.assign(api.session.customAppSession(connection.shop), { accessToken: fixed }),
          )
        : call('fetching a token', () => api.auth.clientCredentials({ shop: connection.shop })).then(
            (answer) => answer.session,
          );
    session = fresh;
    return fresh;
  }

  let renewing: Promise<Session> | undefined;
  function token(): Promise<Session> {
    renewing ??= authorize().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function request(
    document: string,
    variables: Record<string, unknown>,
    doing: string,
  ): Promise<{ data?: unknown; headers?: unknown }> {
    const send = async (current: Session) =>
      call(doing, (signal, { api }) =>
        new api.clients.Graphql({ session: current }).request(document, { variables, signal, retries: 0 }),
      );
    const current = await token();
    try {
      return await send(current);
    } catch (error) {
      const revoked = error instanceof ShopError && error.code === 'shopify-unauthorized';
      if (!revoked || connection.accessToken !== undefined) throw error;
      // Revoked before its time (secret rotated, app reinstalled): one new token, one more try.
      session = undefined;
      return await send(await token());
    }
  }

  async function dated<T>(
    ...[document, variables, answer, doing]: Query<T>
  ): Promise<{ data: T; date: Date | null }> {
    const { data, headers } = await request(document, variables, doing);
    const result = answer.safeParse(data);
    if (result.success) return { data: result.data, date: dateOf(headers) };
    const fields = result.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ShopError(
      'shopify-unexpected-answer',
      'Shopify respondió algo que no se puede leer; avise a quien mantiene facturapuente.',
      `Shopify ${connection.shop}, ${doing}: the answer does not have the expected shape (${fields.join('; ')}).`,
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
  Date: z.union([z.string(), z.tuple([z.string()]).transform(([one]) => one)]),
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

function isOnlyDenied(errors: readonly { code: string | null }[]): boolean {
  return errors.length > 0 && errors.every(({ code }) => code === 'ACCESS_DENIED');
}

function hasOrder(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'order' in data && data.order !== null;
}
