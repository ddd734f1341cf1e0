import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { readJson } from '../../src/domain/json.ts';
import { unreadable } from '../../src/domain/loose.ts';
import { failing, redirected, unauthorized } from './failures.ts';
import { readRetryAfter, stillAtItMs } from './retry-after.ts';

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

interface Explained {
  code: string;
  /** What is the matter and its cure, one sentence. */
  merchant: string;
  engineer: string;
  retryable: boolean;
}

/**
 * A page where data should be: WordPress in maintenance, a firewall, a host's own error page. Of the page only what
 * it is leaves here, never a word of it. `mayBeAtIt`: the shop may still be doing what was asked.
 */
function explainPage(what: string, answer: Answer, now: Date, mayBeAtIt: boolean): ShopError {
  const { code, merchant, engineer, retryable } = explain(answer);
  const then = retryable ? ' Se intentará de nuevo.' : '';
  const named = readRetryAfter(answer.retryAfter, now);
  const retryAfterMs = named ?? (mayBeAtIt ? stillAtItMs : null);
  return new ShopError(code, `${merchant}${then}`, `${what} without JSON: ${engineer}`, {
    retryable,
    outage: retryable && named === null,
    ...(retryable && retryAfterMs !== null && { retryAfterMs }),
  });
}

function explain({ status, text, server = '', challenge }: Answer): Explained {
  if (status === 401 && challenge !== undefined) {
    return {
      code: 'shop-password',
      merchant:
        'El servidor pide una contraseña antes de llegar a WordPress (sitio de pruebas protegido): quite esa protección de «/wp-json/».',
      engineer: 'HTTP authentication in front of WordPress. Exempt /wp-json/.',
      retryable: false,
    };
  }
  if (status === 429) {
    return {
      code: 'shop-busy',
      merchant:
        'El hosting de la tienda limita cuántas consultas recibe: pídale que permita más a «/wp-json/wc/v3/».',
      engineer: 'the host limits the rate.',
      retryable: true,
    };
  }
  if (isFirewall(status, text, server)) {
    return {
      code: 'shop-blocked',
      merchant:
        'El firewall o CDN de la tienda bloquea las consultas: permita en él «/wp-json/wc/v3/» para «facturapuente».',
      engineer: `a firewall or CDN (${server.slice(0, 40) || 'unnamed'}). Allow our user agent on /wp-json/wc/v3/.`,
      retryable: true,
    };
  }
  if (status === 404) {
    return {
      code: 'shop-permalinks',
      merchant:
        'La API de WordPress no está en esta dirección: en Ajustes → Enlaces permanentes elija cualquier opción menos «Simple», y revise que «url» lleve la carpeta de la tienda.',
      engineer: 'plain permalinks, a wrong folder in url, or a server without rewrite rules.',
      retryable: false,
    };
  }
  if (/<b>(Warning|Notice|Deprecated|Fatal error|Parse error)<\/b>/.test(text)) {
    return {
      code: 'shop-php-output',
      merchant:
        'Un plugin de la tienda escribe avisos de PHP dentro de las respuestas: ponga WP_DEBUG_DISPLAY en false en wp-config.php.',
      engineer: 'PHP notices in the answer. Set WP_DEBUG_DISPLAY to false and mend the plugin.',
      retryable: true,
    };
  }
  if (status >= 500 && status !== 503) {
    return {
      code: 'shop-failing',
      merchant:
        'WordPress o su servidor falló con un error crítico: revise el registro de errores y el último plugin actualizado.',
      engineer: 'a crash of PHP or of the server before it. See the error log of WordPress.',
      retryable: true,
    };
  }
  if (status === 200 || status === 503) {
    return {
      code: status === 503 ? 'shop-failing' : 'shop-not-json',
      merchant:
        'La tienda respondió con una página en vez de datos; desactive el modo de mantenimiento o «próximamente» cuando termine.',
      engineer: 'a maintenance or coming-soon page. Open the address in a browser.',
      retryable: true,
    };
  }
  return {
    code: 'shop-refused',
    merchant:
      'El servidor de la tienda rechazó la consulta antes de llegar a WordPress: consulte a su hosting.',
    engineer: 'the server in front of WordPress refused it. Ask the host.',
    retryable: false,
  };
}

/** 403 and 406 with a page are of no WordPress; others say who they are. */
function isFirewall(status: number, text: string, server: string): boolean {
  if (status === 403 || status === 406) return true;
  if (/\b(sucuri|imperva|incapsula|wordfence|imunify360|litespeed captcha)\b/i.test(text.slice(0, 20_000)))
    return true;
  return (
    /cloudflare/i.test(server) && /\b(cf-|challenge-platform|just a moment)/i.test(text.slice(0, 20_000))
  );
}
