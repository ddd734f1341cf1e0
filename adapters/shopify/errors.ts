import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { word } from '../../src/domain/text.ts';
import type { Library } from './library.ts';

/** One entry of a GraphQL answer's top-level `errors`. */
const graphqlFailure = z
  .object({
    message: z.unknown().optional(),
    path: z.array(z.unknown()).catch([]),
    extensions: z.object({ code: word.nullable().catch(null) }).catch({ code: null }),
  })
  .transform(({ message, path, extensions: { code } }) => ({
    code: code?.slice(0, 200) ?? null,
    message: String(message ?? '').slice(0, 200),
    path: path.join('.').slice(0, 200),
  }))
  .catch({ code: null, message: '', path: '' });

type GraphqlFailure = z.output<typeof graphqlFailure>;

/** The body of a GraphQL error, as the library hands it over. */
const graphqlBody = z
  .object({
    errors: z.object({ graphQLErrors: z.array(graphqlFailure) }).catch({ graphQLErrors: [] }),
    data: z.unknown().optional(),
    extensions: z.unknown().optional(),
  })
  .catch({ errors: { graphQLErrors: [] } });

/** What the library threw, without the request and its token. */
type Failure =
  | { kind: 'http'; status: number; retryAfterMs: number | null; reason?: string | undefined }
  | { kind: 'graphql'; errors: GraphqlFailure[]; data: unknown; waitMs: number }
  | { kind: 'network'; timedOut: boolean };

/** The failure by the library's error classes; null for an error that is not the library's. */
export function readFailure(error: unknown, classes: Library['errors'], signal: AbortSignal): Failure | null {
  // First: the library takes an answer that was cut off for a page with status 200.
  if (signal.aborted) return { kind: 'network', timedOut: true };
  if (error instanceof classes.GraphqlQueryError) {
    const { data, errors, extensions } = graphqlBody.parse(error.body);
    return { kind: 'graphql', errors: errors.graphQLErrors, data, waitMs: waitForPoints(extensions) };
  }
  if (error instanceof classes.HttpResponseError) {
    const seconds = error instanceof classes.HttpThrottlingError ? error.response.retryAfter : undefined;
    const retryAfterMs = seconds === undefined ? null : seconds * 1000;
    return { kind: 'http', status: error.response.code, retryAfterMs };
  }
  return error instanceof classes.HttpRequestError ? { kind: 'network', timedOut: false } : null;
}

const hour = 3_600_000;

export function toShopError(failure: Failure, shop: string, doing: string): ShopError {
  const where = `Shopify ${shop}, ${doing}`;
  if (failure.kind === 'network')
    return new ShopError(
      failure.timedOut ? 'shopify-timeout' : 'shopify-unreachable',
      'Shopify no respondió; se volverá a intentar.',
      `${where}: ${failure.timedOut ? 'no answer within timeoutMs' : 'the connection failed'}. Will be retried.`,
      { retryable: true },
    );
  return failure.kind === 'http' ? httpError(failure, shop, where) : graphqlError(failure, shop, where);
}

function httpError(failure: Extract<Failure, { kind: 'http' }>, shop: string, where: string): ShopError {
  const { status, reason } = failure;
  const what = `${where}: HTTP ${status}${reason ? ` (${reason})` : ''}`;
  const wait = failure.retryAfterMs === null ? {} : { retryAfterMs: failure.retryAfterMs };
  if (status === 401 || (status === 400 && reason !== undefined))
    return new ShopError(
      'shopify-unauthorized',
      reason === 'app_not_installed'
        ? `La app no está instalada en ${shop}: instálela desde el Dev Dashboard de Shopify.`
        : reason === 'shop_not_permitted'
          ? `La app no pertenece a la organización de ${shop}: cree la app en la misma cuenta que la tienda.`
          : `Shopify no acepta el acceso a ${shop}: revise el Client ID, el Client secret o el token, y que la app siga instalada.`,
      `${what}: credentials refused. Check clientId, clientSecrets[0] or accessToken, and that the app is installed.`,
      { retryable: false, disconnected: status === 401 || reason === 'app_not_installed' },
    );
  if (status === 403)
    return new ShopError(
      'shopify-forbidden',
      `La app no tiene permiso en ${shop}: dele los permisos read_orders, write_orders y read_customers.`,
      `${what}: access refused. Grant read_orders, write_orders, read_customers; old tokens may have to be replaced.`,
      { retryable: false },
    );
  if (status === 402 || status === 423)
    return new ShopError(
      'shopify-shop-closed',
      `Shopify tiene ${status === 402 ? 'suspendida por falta de pago' : 'bloqueada'} la tienda ${shop}; resuélvalo en Shopify. Se volverá a intentar.`,
      `${what}: the shop is frozen or locked. Tried again every hour.`,
      { retryable: true, retryAfterMs: hour },
    );
  if (status === 429 || status === 408 || status >= 500)
    return new ShopError(
      status === 429 ? 'shopify-throttled' : 'shopify-unavailable',
      'Shopify está ocupado; se volverá a intentar.',
      `${what}. Will be retried.`,
      { retryable: true, ...wait },
    );
  if (status >= 200 && status < 300)
    return new ShopError(
      'shopify-answered-page',
      'Shopify respondió con una página en lugar de datos; se volverá a intentar.',
      `${what}: the answer is no JSON but, for instance, a maintenance page. Will be retried.`,
      { retryable: true },
    );
  return new ShopError(
    'shopify-unexpected-answer',
    `Shopify no encuentra la tienda ${shop} o la versión de su API: revise "shop" y "apiVersion".`,
    `${what}: check \`shop\` and \`apiVersion\`.`,
    { retryable: false },
  );
}

function graphqlError(
  failure: Extract<Failure, { kind: 'graphql' }>,
  shop: string,
  where: string,
): ShopError {
  const codes = new Set(failure.errors.map((error) => error.code));
  const what = `${where}: ${failure.errors.map((error) => `${error.code ?? 'error'} ${error.message}`).join('; ')}`;
  if (codes.has('THROTTLED'))
    return new ShopError(
      'shopify-throttled',
      'Shopify está ocupado; se volverá a intentar.',
      `${where}: THROTTLED; there are points enough in ${failure.waitMs} ms. Will be retried.`,
      { retryable: true, retryAfterMs: failure.waitMs },
    );
  if (codes.has('ACCESS_DENIED'))
    return new ShopError(
      'shopify-forbidden',
      `La app no tiene permiso en ${shop}: dele los permisos read_orders, write_orders y read_customers.`,
      `${what}. Grant the app the scopes read_orders, write_orders, read_customers.`,
      { retryable: false },
    );
  const passing = codes.has('INTERNAL_SERVER_ERROR') || codes.has('TIMEOUT');
  return new ShopError(
    passing ? 'shopify-unavailable' : 'shopify-query-refused',
    passing
      ? 'Shopify tuvo un problema interno; se volverá a intentar.'
      : 'Shopify rechazó la consulta; avise a quien mantiene facturapuente.',
    what,
    { retryable: passing },
  );
}

const Extensions = z.object({
  cost: z.object({
    requestedQueryCost: z.number().positive(),
    throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
  }),
});

/** Milliseconds until the shop has points enough: (requested − available) / restore rate (shopify.dev, API limits). */
function waitForPoints(extensions: unknown): number {
  const cost = Extensions.safeParse(extensions).data?.cost;
  if (!cost) return 1_000;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000));
}
