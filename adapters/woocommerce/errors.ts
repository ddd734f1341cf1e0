import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { tryReadJson, unreadable } from '../../src/domain/loose.ts';
import { privateAddress } from '../../src/domain/ports.ts';

/** The first version with `modified_after` and `dates_are_gmt`, which find orders whose webhook was lost. */
export const oldestVersion = '5.8';

/** Holds no key and no body: error messages show it. */
export interface Call {
  method: 'get' | 'put' | 'post' | 'delete';
  path: string;
  namespace?: 'facturapuente/v1';
  /** The code of a 404 that means "there is none" for this call, beside that of a missing order. */
  absent?: string;
}

export interface Answer {
  status: number;
  location: string | undefined;
  retryAfter: string | undefined;
  server: string | undefined;
  challenge: string | undefined;
  /** `X-Redirect-By`: "WordPress" where WordPress itself redirects. */
  redirectedBy: string | undefined;
  origin: string;
  pages: number | null;
  /** The shop's clock, in whole seconds. */
  date: Date | null;
  text: string;
}

const errorBody = z.looseObject({ code: z.string().regex(/^[\w-]{1,80}$/) });

export const errorCodeOf = (json: unknown): string | null => errorBody.safeParse(json).data?.code ?? null;

/** Null when WooCommerce states that the order does not exist; throws ShopError for anything else. */
export function readAnswer(call: Call, answer: Answer, now: Date): unknown {
  const { status, text } = answer;
  const json = tryReadJson(text);
  const code = errorCodeOf(json);
  const seen = { platform, call: nameOf(call), status, reason: code ?? undefined };
  if (status >= 300 && status < 400) throw redirected(seen, answer);
  if (json === undefined) throw pageError(call, seen, answer, now);
  if (status >= 200 && status < 300) return json;
  // A 404 of another kind is a wrong address or a disabled REST API, never a deleted order.
  if (status === 404 && (code?.endsWith('invalid_id') || (code !== null && code === call.absent)))
    return null;
  if (status === 401 || (status === 403 && code !== null)) throw unauthorized(call, seen, answer.origin);
  if (status === 429 || status === 403 || status >= 500) throw failing(seen, answer, now);
  const why = code === 'rest_no_route' ? 'no-woocommerce' : 'plugin';
  throw new ShopError('shop-refused', { why, ...seen }, { retryable: false });
}

type Seen = {
  platform: string;
  call: string;
  status: number;
  reason: string | undefined;
};

const platform = 'WooCommerce';

const nameOf = ({ method, path }: Call): string => `${method.toUpperCase()} ${path}`;

/** `problem` names the field, never a value. */
export function unexpected(call: Call, problem: string, cause?: Error): ShopError {
  return new ShopError(
    'shop-answer',
    { platform, call: nameOf(call), path: call.path.split('?')[0] ?? '', problem },
    { retryable: false, ...(cause && { cause }) },
  );
}

export function mixedUp(call: Call, problem: string, cause?: Error): ShopError {
  return new ShopError(
    'shop-mixed-up',
    { platform, call: nameOf(call), isChanging: false, problem },
    { retryable: true, ...(cause && { cause }) },
  );
}

export function parseAnswer<T>(schema: z.ZodType<T>, call: Call, json: unknown): T {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  throw unexpected(call, unreadable(json, read.error));
}

/** Statuses of a server in front of PHP that gave up on a write while PHP goes on. */
const mayStillRun = ({ method }: Call, status: number): boolean =>
  method !== 'get' && [502, 504, 520, 522, 524].includes(status);

const phpTimeoutMs = 60_000;

/** WordPress in maintenance, a firewall or an error page of the host; the page is never quoted. */
function pageError(call: Call, seen: Seen, answer: Answer, now: Date): ShopError {
  const { status, text, server = '', challenge } = answer;
  const retryAfterMs =
    readRetryAfter(answer.retryAfter, now) ?? (mayStillRun(call, status) ? phpTimeoutMs : null);
  const later = { retryable: true, ...(retryAfterMs !== null && { retryAfterMs }) };
  const never = { retryable: false };
  if (status === 401 && challenge !== undefined)
    return new ShopError('shop-blocked', { why: 'password', ...seen }, never);
  if (status === 429) return new ShopError('shop-busy', seen, later);
  if (isFirewall(status, text, server))
    return new ShopError('shop-blocked', { why: 'firewall', ...seen, server: server.slice(0, 40) }, later);
  if (status === 404) return new ShopError('shop-permalinks', seen, never);
  if (/<b>(Warning|Notice|Deprecated|Fatal error|Parse error)<\/b>/.test(text))
    return new ShopError('shop-php-output', seen, later);
  if (status >= 500 && status !== 503) return new ShopError('shop-failing', seen, later);
  if (status === 200 || status === 503)
    return new ShopError('shop-not-json', { isWrite: call.method !== 'get', ...seen }, later);
  return new ShopError('shop-refused', { why: 'server', ...seen }, never);
}

/** WordPress never answers 403 or 406 with a page; other statuses need the name of a firewall in page or header. */
function isFirewall(status: number, text: string, server: string): boolean {
  const page = text.slice(0, 20_000);
  return (
    status === 403 ||
    status === 406 ||
    /\b(sucuri|imperva|incapsula|wordfence|imunify360|litespeed captcha)\b/i.test(page) ||
    (/cloudflare/i.test(server) && /\b(cf-|challenge-platform|just a moment)/i.test(page))
  );
}

/** 301 and 302 change a POST into a GET that looks like success (measured on WooCommerce 11.0.1). */
function redirected(seen: Seen, { location, redirectedBy, origin }: Answer): ShopError {
  // Only the origin: over http the query of the location repeats the signed parameters.
  const to =
    location !== undefined && URL.canParse(location, origin) ? new URL(location, origin).origin : undefined;
  if (to === origin && redirectedBy === 'WordPress')
    return new ShopError('shop-permalinks', seen, { retryable: false });
  return new ShopError('shop-redirects', { to, ...seen }, { retryable: false });
}

function unauthorized({ method }: Call, seen: Seen, shop: string): ShopError {
  const why =
    seen.reason === 'woocommerce_rest_authentication_error'
      ? method === 'get'
        ? 'signature'
        : 'read-only'
      : (seen.reason?.startsWith('woocommerce_') ?? true)
        ? 'rights'
        : 'plugin';
  return new ShopError('shop-unauthorized', { why, shop, ...seen }, { retryable: false });
}

function failing(seen: Seen, { status, retryAfter }: Answer, now: Date): ShopError {
  const retryAfterMs = readRetryAfter(retryAfter, now);
  const later = { retryable: true, ...(retryAfterMs !== null && { retryAfterMs }) };
  if (status === 429) return new ShopError('shop-busy', seen, later);
  if (status === 403) return new ShopError('shop-blocked', { why: 'firewall', ...seen }, later);
  // WooCommerce answers 500 with this code to requests it will never accept (measured on WooCommerce 11.0.1).
  if (seen.reason?.startsWith('woocommerce_rest_'))
    return new ShopError('shop-refused', { why: 'order', ...seen }, { retryable: false });
  return new ShopError('shop-failing', seen, later);
}

const certificateCodes =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** `reason` is Node's code, for instance ECONNREFUSED; a write may have happened all the same. */
export function noAnswer(call: Call, reason: string, timeoutMs: number): ShopError {
  const seen = { platform, call: nameOf(call), reason };
  if (['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED'].includes(reason))
    return new ShopError(
      'shop-timeout',
      { ...seen, timeoutMs },
      // PHP may still be writing: a repeat that looks too early finds nothing and writes twice.
      { retryable: true, ...(call.method !== 'get' && { retryAfterMs: phpTimeoutMs }) },
    );
  if (certificateCodes.test(reason)) return new ShopError('shop-certificate', seen, { retryable: true });
  if (reason === privateAddress) return new ShopError('shop-private', seen, { retryable: true });
  return new ShopError('shop-unreachable', seen, { retryable: true });
}

const longestWaitMs = 3_600_000;

/** Milliseconds, an hour at most; seconds or an HTTP date (RFC 9110 §10.2.3); null for neither. */
function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), longestWaitMs);
}
