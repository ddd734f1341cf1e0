import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { word } from '../../src/domain/text.ts';
import { requiredScopes } from './settings.ts';

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

const graphqlBody = z
  .object({
    errors: z.object({ graphQLErrors: z.array(graphqlFailure) }).catch({ graphQLErrors: [] }),
    data: z.unknown().optional(),
    extensions: z.unknown().optional(),
  })
  .catch({ errors: { graphQLErrors: [] } });

type Failure =
  | { kind: 'http'; status: number; retryAfterMs: number | null; reason?: string | undefined }
  | { kind: 'graphql'; errors: GraphqlFailure[]; data: unknown; waitMs: number }
  | { kind: 'network'; timedOut: boolean };

/** Of the vendor's library, which is imported at the first call. */
export type ErrorClasses = Pick<
  typeof import('@shopify/shopify-api'),
  'GraphqlQueryError' | 'HttpResponseError' | 'HttpThrottlingError' | 'HttpRequestError'
>;

export function readFailure(error: unknown, classes: ErrorClasses, signal: AbortSignal): Failure | null {
  // First, because the library takes an answer that was cut off for a page with status 200.
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
  const seen = { platform: 'Shopify', shop, call: doing };
  if (failure.kind === 'http') return httpError(failure, seen);
  if (failure.kind === 'graphql') return graphqlError(failure, seen);
  return failure.timedOut
    ? new ShopError('shop-timeout', seen, { retryable: true })
    : new ShopError('shop-unreachable', { reason: undefined, ...seen }, { retryable: true });
}

type Seen = { platform: string; shop: string; call: string };

function httpError(failure: Extract<Failure, { kind: 'http' }>, where: Seen): ShopError {
  const { status, reason } = failure;
  const seen = { ...where, status, reason };
  const wait = failure.retryAfterMs === null ? {} : { retryAfterMs: failure.retryAfterMs };
  if (status === 401 || (status === 400 && reason !== undefined))
    return new ShopError(
      'shop-unauthorized',
      {
        why:
          reason === 'app_not_installed'
            ? 'not-installed'
            : reason === 'shop_not_permitted'
              ? 'other-owner'
              : 'token',
        ...seen,
      },
      { retryable: false, disconnected: status === 401 || reason === 'app_not_installed' },
    );
  if (status === 403) return forbidden(seen);
  if (status === 402 || status === 423)
    return new ShopError(
      'shop-closed',
      { state: status === 402 ? 'suspendida por falta de pago' : 'bloqueada', ...seen },
      { retryable: true, retryAfterMs: hour },
    );
  if (status === 429) return new ShopError('shop-busy', seen, { retryable: true, ...wait });
  if (status === 408 || status >= 500)
    return new ShopError('shop-failing', seen, { retryable: true, ...wait });
  if (status >= 200 && status < 300)
    return new ShopError('shop-not-json', { isWrite: false, ...seen }, { retryable: true });
  return new ShopError('shop-refused', { why: 'address', ...seen }, { retryable: false });
}

const forbidden = (seen: Seen) =>
  new ShopError(
    'shop-forbidden',
    { what: `facturar en ${seen.shop}`, scopes: requiredScopes(), ...seen },
    { retryable: false },
  );

function graphqlError(failure: Extract<Failure, { kind: 'graphql' }>, where: Seen): ShopError {
  const codes = new Set(failure.errors.map((error) => error.code));
  const reason = failure.errors.map((error) => `${error.code ?? 'error'} ${error.message}`).join('; ');
  const seen = { ...where, reason };
  if (codes.has('THROTTLED'))
    return new ShopError('shop-busy', seen, { retryable: true, retryAfterMs: failure.waitMs });
  if (codes.has('ACCESS_DENIED')) return forbidden(seen);
  if (codes.has('INTERNAL_SERVER_ERROR') || codes.has('TIMEOUT'))
    return new ShopError('shop-failing', seen, { retryable: true });
  return new ShopError('shop-refused', { why: 'query', ...seen }, { retryable: false });
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
