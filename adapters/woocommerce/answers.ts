import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { readJson } from '../../src/domain/json.ts';
import { unreadable } from '../../src/domain/loose.ts';
import { failing, redirected, unauthorized } from './failures.ts';
import { explainPage } from './page-answers.ts';

/** A call as error messages name it; holds no key and no body. */
export interface Call {
  method: 'get' | 'put' | 'post' | 'delete';
  /** Below `/wp-json/wc/v3/`. */
  path: string;
  /** The code of a 404 that means "there is none" here, beside that of a missing order. */
  absent?: string;
}

export interface Answer {
  status: number;
  location: string | undefined;
  retryAfter: string | undefined;
  /** Who says that he answered, for instance "cloudflare". */
  server: string | undefined;
  /** `WWW-Authenticate`: something before WordPress asks for a password. */
  challenge: string | undefined;
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
  if (status >= 300 && status < 400) throw redirected(what, answer.location);
  if (json === undefined) throw explainPage(what, answer, now, mayBeAtIt(call, status));
  if (status >= 200 && status < 300) return json;
  // A 404 of another kind is a wrong address or a switched off REST API, never a deleted order.
  if (status === 404 && (code?.endsWith('invalid_id') || (code !== null && code === call.absent)))
    return null;
  if (status === 401 || (status === 403 && code !== null)) throw unauthorized(call, what, code);
  if (status === 429 || status === 403 || status >= 500) throw failing(what, code, answer, now);
  throw new ShopError(
    'shop-refused',
    code === 'rest_no_route'
      ? 'En esta dirección no responde la API de WooCommerce: active el plugin WooCommerce (versión 9 o posterior), o corrija «url» si la tienda está en otra carpeta.'
      : 'La tienda no aceptó la consulta a su API: actualice WooCommerce y revise si un plugin cambia su API.',
    `${what}. Check url, whether WooCommerce is active, and what changes its REST API.`,
    { retryable: false },
  );
}

/** A server before PHP lost patience with a write, and PHP goes on. */
function mayBeAtIt({ method }: Call, status: number): boolean {
  return method !== 'get' && [502, 504, 520, 522, 524].includes(status);
}

/**
 * The answer came but is not what its place demands; `problem` names the place, never a value. `merchant` says it in
 * his words, where there is more to say than that it cannot be read.
 */
export function unexpected(
  call: Call,
  problem: string,
  { merchant, cause }: { merchant?: string; cause?: Error } = {},
): ShopError {
  return new ShopError(
    'shop-answer',
    merchant ??
      'La tienda respondió con datos que no se pueden leer. Revise si un plugin cambia la API de WooCommerce.',
    `${call.method.toUpperCase()} ${call.path} answered something else than wc/v3: ${problem}`,
    { retryable: false, ...(cause && { cause }) },
  );
}

/** What came is another's: a cache or a proxy before the shop mixes answers up. Never believed, asked for again. */
export function mixedUp({ method, path }: Call, problem: string, cause?: Error): ShopError {
  return new ShopError(
    'shop-mixed-up',
    'La tienda respondió con datos de otro pedido. No se creyó nada y se leerá de nuevo; si se repite, excluya /wp-json/ de la caché del hosting o del plugin.',
    `${method.toUpperCase()} ${path} answered with what is another order's: ${problem}. A cache or proxy before the shop mixes up answers; exclude /wp-json/ from it.`,
    { retryable: true, outage: false, ...(cause && { cause }) },
  );
}

/** The same of an answer that its schema refused. */
export function refused(call: Call, json: unknown, error: z.ZodError): ShopError {
  const { merchant, engineer } = unreadable(json, error);
  const sentence = `La tienda respondió a ${call.path.split('?')[0]} con datos que no se pueden leer: ${merchant}. Revise si un plugin cambia la API de WooCommerce.`;
  return unexpected(call, engineer, { merchant: sentence });
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
