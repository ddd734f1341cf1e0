import { ShopError } from '../../src/domain/errors.ts';
import { type Cost, readCost, waitFor } from './cost.ts';
import type { Library } from './library.ts';

/** One entry of a GraphQL answer's top-level `errors`. */
export interface GraphqlFailure {
  code: string | null;
  message: string;
  path: string;
}

/** What the library threw, without the request, its token and the answer's data. */
export type Failure =
  | { kind: 'http'; status: number; retryAfterMs: number | null; reason: string | null }
  | { kind: 'graphql'; errors: GraphqlFailure[]; data: unknown; cost: Cost | null }
  | { kind: 'network'; timedOut: boolean };

type Bag = Record<string, unknown>;
const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {});

/** Tells what happened by the library's error classes; null for an error that is not the library's. */
export function readFailure(error: unknown, errors: Library['errors'], signal: AbortSignal): Failure | null {
  if (error instanceof errors.GraphqlQueryError) {
    const body = bag(error.body);
    const list = bag(body.errors).graphQLErrors;
    return {
      kind: 'graphql',
      errors: (Array.isArray(list) ? list : []).map(readGraphqlFailure),
      data: body.data ?? null,
      cost: readCost(body.extensions),
    };
  }
  if (error instanceof errors.HttpResponseError) {
    const seconds = error instanceof errors.HttpThrottlingError ? error.response.retryAfter : undefined;
    const reason = bag(error.response.body).error;
    return {
      kind: 'http',
      status: error.response.code,
      retryAfterMs: seconds === undefined ? null : seconds * 1000,
      // The OAuth endpoint's own code, such as app_not_installed; nothing else of the body is kept.
      reason: typeof reason === 'string' && /^[a-z_]{1,40}$/.test(reason) ? reason : null,
    };
  }
  // The token endpoint answered with a page; the library read it as JSON.
  if (error instanceof SyntaxError) return { kind: 'http', status: 502, retryAfterMs: null, reason: null };
  if (error instanceof errors.HttpRequestError || isFetchFailure(error))
    return { kind: 'network', timedOut: signal.aborted };
  return null;
}

function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && /Abort|Timeout/.test(error.name));
}

function readGraphqlFailure(entry: unknown): GraphqlFailure {
  const { message, extensions, path } = bag(entry);
  const code = bag(extensions).code;
  return {
    code: typeof code === 'string' ? code.slice(0, 200) : null,
    message: String(message ?? '').slice(0, 200),
    path: Array.isArray(path) ? path.join('.').slice(0, 200) : '',
  };
}

const hour = 3_600_000;

/** The two sentences for a failure against a shop. */
export function toShopError(failure: Failure, shop: string, doing: string): ShopError {
  const where = `Shopify ${shop}, ${doing}`;
  if (failure.kind === 'network')
    return new ShopError(
      failure.timedOut ? 'shopify-timeout' : 'shopify-unreachable',
      'Shopify no respondió; se volverá a intentar.',
      `${where}: ${failure.timedOut ? 'no answer within timeoutMs' : 'the connection failed'}. Will be retried.`,
      { retryable: true },
    );
  return failure.kind === 'http' ? httpError(failure, shop, where) : graphqlError(failure, shop, doing);
}

/** The shop has too few points left for the call, which was not carried out. */
export function throttled(shop: string, doing: string, retryAfterMs: number): ShopError {
  return new ShopError(
    'shopify-throttled',
    'Shopify está ocupado; se volverá a intentar.',
    `Shopify ${shop}, ${doing}: THROTTLED; the points it costs are there in ${retryAfterMs} ms. Will be retried.`,
    { retryable: true, retryAfterMs },
  );
}

function httpError(failure: Extract<Failure, { kind: 'http' }>, shop: string, where: string): ShopError {
  const { status, reason } = failure;
  const what = `${where}: HTTP ${status}${reason ? ` (${reason})` : ''}`;
  const wait = failure.retryAfterMs === null ? {} : { retryAfterMs: failure.retryAfterMs };
  if (status === 401 || (status === 400 && reason !== null))
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
      `${what}: the shop is frozen or locked. Looked at again every hour.`,
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
      `${what}: the answer is no JSON, as of a maintenance page in front of the API. Will be retried.`,
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
  doing: string,
): ShopError {
  const where = `Shopify ${shop}, ${doing}`;
  const codes = new Set(failure.errors.map((error) => error.code));
  const what = `${where}: ${failure.errors.map((error) => `${error.code ?? 'error'} ${error.message}`).join('; ')}`;
  if (codes.has('THROTTLED'))
    return throttled(shop, doing, failure.cost === null ? 1_000 : waitFor(failure.cost));
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
