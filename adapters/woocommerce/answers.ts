import { z } from 'zod';
import { ShopError } from '../../src/core/errors.ts';
import { readJson } from '../../src/core/json.ts';

/** A call as error messages name it; holds no key and no body. */
export interface Call {
  method: 'get' | 'put' | 'post';
  /** Below `/wp-json/wc/v3/`. */
  path: string;
  /** The code of a 404 that means "there is none" here, beside that of a missing order. */
  absent?: string;
}

export interface Answer {
  status: number;
  location: string | undefined;
  retryAfter: string | undefined;
  /** `X-WP-TotalPages`; null where the answer does not say. */
  pages: number | null;
  /** The shop's clock, cut to the second. */
  date: Date | null;
  text: string;
}

const errorBody = z.looseObject({ code: z.string().regex(/^[\w-]{1,80}$/) });

/**
 * Reads an answer of the shop: its JSON, or null when WooCommerce says that the order does not exist. Anything
 * else becomes a ShopError (measured on WooCommerce 11.0.1); `now` is for a Retry-After that names a date.
 */
export function readAnswer(call: Call, answer: Answer, now: Date): unknown {
  const { status, text } = answer;
  const json = parse(text);
  const code = errorBody.safeParse(json).data?.code ?? null;
  const what = `${call.method.toUpperCase()} ${call.path} answered ${status}${code === null ? '' : ` ${code}`}`;
  if (status >= 200 && status < 300) {
    if (json !== undefined) return json;
    throw new ShopError(
      'shop-not-json',
      'La tienda respondió con una página en vez de datos; puede estar en mantenimiento. Se intentará de nuevo.',
      `${what} without JSON (a maintenance page or a PHP notice). Open the address in a browser.`,
      { retryable: true },
    );
  }
  // A 404 of another kind is a wrong address or a switched off REST API, never a deleted order.
  if (status === 404 && (code?.endsWith('invalid_id') || (code !== null && code === call.absent)))
    return null;
  if (status >= 300 && status < 400) throw redirected(what, answer.location);
  if (status === 401 || (status === 403 && code !== null)) throw unauthorized(call, what, code);
  if (status === 429 || status === 403 || status >= 500) {
    throw failing(what, code, answer, now);
  }
  throw new ShopError(
    'shop-refused',
    'La tienda no aceptó la consulta a su API. Revise la dirección de la tienda y que sus enlaces permanentes no sean «simples».',
    `${what}. Check url, permalinks and whether the REST API is switched off.`,
    { retryable: false },
  );
}

/** The answer came but is not what its place demands; `problem` names the place, never a value. */
export function unexpected(call: Call, problem: string, cause?: Error): ShopError {
  return new ShopError(
    'shop-answer',
    'La tienda respondió con datos que no se pueden leer. Revise si un plugin cambia la API de WooCommerce.',
    `${call.method.toUpperCase()} ${call.path} answered something else than wc/v3: ${problem}`,
    { retryable: false, ...(cause && { cause }) },
  );
}

/** No answer at all. `code` is the network's word, for instance ECONNREFUSED. */
export function unanswered(call: Call, code: string, timeoutMs: number): ShopError {
  const what = `${call.method.toUpperCase()} ${call.path}`;
  if (['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED'].includes(code)) {
    return new ShopError(
      'shop-timeout',
      'La tienda tardó demasiado en responder. Se intentará de nuevo.',
      `${what} got no answer in ${timeoutMs} ms (${code}); a write may have happened all the same.`,
      { retryable: true },
    );
  }
  return new ShopError(
    'shop-unreachable',
    'No se pudo conectar con la tienda. Se intentará de nuevo; revise que la tienda esté en línea.',
    `${what} broke off: ${code}. Check address, certificate and firewall; a write may have happened all the same.`,
    { retryable: true },
  );
}

/** Not followed: 301 and 302 turn a POST into a GET that looks like success (measured on WooCommerce 11.0.1). */
function redirected(what: string, location: string | undefined): ShopError {
  // Only the origin: over http the query of the location repeats the signed parameters.
  const to = location !== undefined && URL.canParse(location) ? new URL(location).origin : null;
  return new ShopError(
    'shop-redirects',
    to === null
      ? 'La tienda redirige a otra dirección. Escriba en «url» la dirección final de la tienda.'
      : `La tienda redirige a ${to}. Escriba en «url» la dirección final de la tienda.`,
    `${what}, a redirect${to === null ? '' : ` to ${to}`}, not followed. Put the final address in url.`,
    { retryable: false },
  );
}

function unauthorized(call: Call, what: string, code: string | null): ShopError {
  const cures =
    code === 'woocommerce_rest_authentication_error' && call.method !== 'get'
      ? [
          'Revise que la clave de la API tenga permiso de lectura y escritura.',
          'The key is unknown or may only read.',
        ]
      : code === 'woocommerce_rest_authentication_error'
        ? [
            'Revise la clave y el secreto de la API, y que «url» sea la misma dirección que muestra WordPress.',
            'Wrong key or secret, or url is not the home URL that WordPress signs with.',
          ]
        : [
            'Revise que las claves sean de un administrador; si la tienda está detrás de un proxy o su servidor quita la cabecera Authorization, pruebe «queryStringAuth».',
            'Keys of a user without rights, a TLS proxy without HTTPS set, or a host that strips Authorization (try queryStringAuth).',
          ];
  return new ShopError(
    'shop-unauthorized',
    `La tienda no aceptó las claves de la API. ${cures[0]}`,
    `${what}. ${cures[1]}`,
    { retryable: false },
  );
}

function failing(what: string, code: string | null, { status, retryAfter }: Answer, now: Date): ShopError {
  const retryAfterMs = readRetryAfter(retryAfter, now);
  // WooCommerce says 500 for things it will refuse for ever (measured on WooCommerce 11.0.1); WordPress's own crash has another code.
  const retryable = !code?.startsWith('woocommerce_rest_');
  const busy = status === 429 || status === 403;
  const then = retryable
    ? 'Se intentará de nuevo.'
    : 'Revise el pedido en la tienda y el registro de errores de WordPress.';
  return new ShopError(
    busy ? 'shop-busy' : 'shop-failing',
    busy
      ? `La tienda o su firewall rechaza las consultas por ahora. ${then}`
      : `La tienda falló al responder. ${then}`,
    `${what}. ${retryable ? 'Waiting may help.' : 'WooCommerce means it: waiting does not help.'}`,
    { retryable, ...(retryAfterMs !== null && { retryAfterMs }) },
  );
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3). */
function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
