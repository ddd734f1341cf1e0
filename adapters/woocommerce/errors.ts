import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { tryReadJson, unreadable } from '../../src/domain/loose.ts';
import { privateAddress } from '../../src/domain/ports.ts';

/** The first version with `modified_after` and `dates_are_gmt`, which find orders whose webhook was lost. */
export const oldestVersion = '5.8';

/** A call as error messages name it; holds no key and no body. */
export interface Call {
  method: 'get' | 'put' | 'post' | 'delete';
  /** Below `/wp-json/wc/v3/`, or below `/wp-json/` and `namespace`. */
  path: string;
  namespace?: 'facturapuente/v1';
  /** The code of a 404 that means "there is none" for this call, beside that of a missing order. */
  absent?: string;
}

export interface Answer {
  status: number;
  location: string | undefined;
  retryAfter: string | undefined;
  /** The `Server` header, for instance "cloudflare". */
  server: string | undefined;
  /** `WWW-Authenticate`: a server in front of WordPress asks for a password. */
  challenge: string | undefined;
  /** `X-Redirect-By`: "WordPress" where WordPress itself redirects. */
  redirectedBy: string | undefined;
  /** Of the shop's address, as configured. */
  origin: string;
  /** `X-WP-TotalPages`; null where the header is missing. */
  pages: number | null;
  /** The shop's clock, in whole seconds. */
  date: Date | null;
  text: string;
}

const errorBody = z.looseObject({ code: z.string().regex(/^[\w-]{1,80}$/) });

/** The code of an error in WordPress's JSON; null where there is none. */
export const errorCodeOf = (json: unknown): string | null => errorBody.safeParse(json).data?.code ?? null;

/**
 * Reads an answer of the shop: its JSON, or null when WooCommerce says that the order does not exist. Throws ShopError
 * for anything else (measured on WooCommerce 11.0.1); `now` is for a Retry-After that names a date.
 */
export function readAnswer(call: Call, answer: Answer, now: Date): unknown {
  const { status, text } = answer;
  const json = tryReadJson(text);
  const code = errorCodeOf(json);
  const what = `${nameOf(call)} answered ${status}${code === null ? '' : ` ${code}`}`;
  if (status >= 300 && status < 400) throw redirected(what, answer);
  if (json === undefined) throw pageError(call, what, answer, now);
  if (status >= 200 && status < 300) return json;
  // A 404 of another kind is a wrong address or a disabled REST API, never a deleted order.
  if (status === 404 && (code?.endsWith('invalid_id') || (code !== null && code === call.absent)))
    return null;
  if (status === 401 || (status === 403 && code !== null)) throw unauthorized(call, what, code);
  if (status === 429 || status === 403 || status >= 500) throw failing(what, code, answer, now);
  throw new ShopError(
    'shop-refused',
    code === 'rest_no_route'
      ? `En esta dirección no responde la API de WooCommerce: active el plugin WooCommerce (versión ${oldestVersion} o posterior), o corrija «url» si la tienda está en otra carpeta.`
      : 'La tienda no aceptó la consulta a su API: actualice WooCommerce y revise si un plugin cambia su API.',
    `${what}. Check url, whether WooCommerce is active, and what changes its REST API.`,
    { retryable: false },
  );
}

const nameOf = ({ method, path }: Call): string => `${method.toUpperCase()} ${path}`;

/** The answer does not have the documented shape; `problem` names the field, never a value. */
export function unexpected(
  call: Call,
  problem: string,
  { merchant, cause }: { merchant?: string; cause?: Error } = {},
): ShopError {
  return new ShopError(
    'shop-answer',
    merchant ??
      'La tienda respondió con datos que no se pueden leer. Revise si un plugin cambia la API de WooCommerce.',
    `${nameOf(call)} answered something else than wc/v3: ${problem}`,
    { retryable: false, ...(cause && { cause }) },
  );
}

/** The answer belongs to another order: a cache or a proxy in front of the shop mixes answers up. It is read again. */
export function mixedUp(call: Call, problem: string, cause?: Error): ShopError {
  return new ShopError(
    'shop-mixed-up',
    'La tienda respondió con datos de otro pedido. No se usó nada y se leerá de nuevo; si se repite, excluya /wp-json/ de la caché del hosting o del plugin.',
    `${nameOf(call)} answered with data of another order: ${problem}. A cache or proxy in front of the shop mixes up answers; exclude /wp-json/ from it.`,
    { retryable: true, outage: false, ...(cause && { cause }) },
  );
}

/** Reads the JSON of an answer by its schema. Throws ShopError. */
export function parseAnswer<T>(schema: z.ZodType<T>, call: Call, json: unknown): T {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const { merchant, engineer } = unreadable(json, read.error);
  const sentence = `La tienda respondió a ${call.path.split('?')[0]} con datos que no se pueden leer: ${merchant}. Revise si un plugin cambia la API de WooCommerce.`;
  throw unexpected(call, engineer, { merchant: sentence });
}

/** A server in front of PHP gave up on a write, and PHP goes on. */
const mayStillRun = ({ method }: Call, status: number): boolean =>
  method !== 'get' && [502, 504, 520, 522, 524].includes(status);

/** As long as hosts commonly let PHP run after its caller has left. */
const phpTimeoutMs = 60_000;

/** A page came instead of JSON: WordPress in maintenance, a firewall, an error page of the host. It is never quoted. */
function pageError(call: Call, what: string, answer: Answer, now: Date): ShopError {
  const { code, merchant, engineer, retryable } = explainPage(call, answer);
  const named = readRetryAfter(answer.retryAfter, now);
  const retryAfterMs = named ?? (mayStillRun(call, answer.status) ? phpTimeoutMs : null);
  return new ShopError(
    code,
    retryable ? `${merchant} Se intentará de nuevo.` : merchant,
    `${what} without JSON: ${engineer}`,
    {
      retryable,
      outage: retryable && named === null,
      ...(retryable && retryAfterMs !== null && { retryAfterMs }),
    },
  );
}

interface PageExplanation {
  code: string;
  /** The cause and its resolution, one sentence. */
  merchant: string;
  engineer: string;
  retryable: boolean;
}

const noPlainPermalinks = 'en Ajustes → Enlaces permanentes elija cualquier opción menos «Simple»';

function explainPage({ method }: Call, { status, text, server = '', challenge }: Answer): PageExplanation {
  if (status === 401 && challenge !== undefined)
    return {
      code: 'shop-password',
      merchant:
        'El servidor pide una contraseña antes de llegar a WordPress (sitio de pruebas protegido): quite esa protección de «/wp-json/».',
      engineer: 'HTTP authentication in front of WordPress. Exempt /wp-json/.',
      retryable: false,
    };
  if (status === 429)
    return {
      code: 'shop-busy',
      merchant:
        'El hosting de la tienda limita cuántas consultas recibe: pídale que permita más a «/wp-json/wc/v3/».',
      engineer: 'the host limits the rate.',
      retryable: true,
    };
  if (isFirewall(status, text, server))
    return {
      code: 'shop-blocked',
      merchant:
        'El firewall o CDN de la tienda bloquea las consultas: permita en él «/wp-json/wc/v3/» para «facturapuente».',
      engineer: `a firewall or CDN (${server.slice(0, 40) || 'unnamed'}). Allow our user agent on /wp-json/wc/v3/.`,
      retryable: true,
    };
  if (status === 404)
    return {
      code: 'shop-permalinks',
      merchant: `La API de WordPress no está en esta dirección: ${noPlainPermalinks}, y revise que «url» lleve la carpeta de la tienda.`,
      engineer: 'plain permalinks, a wrong folder in url, or a server without rewrite rules.',
      retryable: false,
    };
  if (/<b>(Warning|Notice|Deprecated|Fatal error|Parse error)<\/b>/.test(text))
    return {
      code: 'shop-php-output',
      merchant:
        'Un plugin de la tienda escribe avisos de PHP dentro de las respuestas: ponga WP_DEBUG_DISPLAY en false en wp-config.php.',
      engineer: 'PHP notices in the answer. Set WP_DEBUG_DISPLAY to false and fix the plugin.',
      retryable: true,
    };
  if (status >= 500 && status !== 503)
    return {
      code: 'shop-failing',
      merchant:
        'WordPress o su servidor falló con un error crítico: revise el registro de errores y el último plugin actualizado.',
      engineer: 'a crash of PHP or of the server in front of it. See the error log of WordPress.',
      retryable: true,
    };
  if (status === 200 || status === 503)
    return {
      code: status === 503 ? 'shop-failing' : 'shop-not-json',
      merchant:
        method === 'get'
          ? 'La tienda respondió con una página en vez de datos; desactive el modo de mantenimiento o «próximamente» cuando termine.'
          : `La tienda respondió con una página en vez de datos; ${noPlainPermalinks}, y desactive el modo de mantenimiento o «próximamente» cuando termine.`,
      engineer:
        'a maintenance or coming-soon page, or a write with plain permalinks. Open the address in a browser.',
      retryable: true,
    };
  return {
    code: 'shop-refused',
    merchant:
      'El servidor de la tienda rechazó la consulta antes de llegar a WordPress: consulte a su hosting.',
    engineer: 'the server in front of WordPress refused it. Ask the host.',
    retryable: false,
  };
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

/**
 * Not followed: 301 and 302 turn a POST into a GET that looks like success (measured on WooCommerce 11.0.1). With plain permalinks
 * WordPress redirects a GET to the same host with one slash more.
 */
function redirected(what: string, { location, redirectedBy, origin }: Answer): ShopError {
  // Only the origin: over http the query of the location repeats the signed parameters.
  const to =
    location !== undefined && URL.canParse(location, origin) ? new URL(location, origin).origin : null;
  if (to === origin && redirectedBy === 'WordPress')
    return new ShopError(
      'shop-permalinks',
      `Los enlaces permanentes de la tienda son simples y con ellos su API no responde: ${noPlainPermalinks}.`,
      `${what}, a redirect of WordPress within the same host: plain permalinks.`,
      { retryable: false },
    );
  return new ShopError(
    'shop-redirects',
    `La tienda redirige a ${to ?? 'otra dirección'}. Escriba en «url» la dirección final de la tienda.`,
    `${what}, a redirect${to === null ? '' : ` to ${to}`}, not followed. Put the final address in url.`,
    { retryable: false },
  );
}

function unauthorized(call: Call, what: string, code: string | null): ShopError {
  const [resolution, engineer] = resolutionOf(call, code);
  return new ShopError(
    'shop-unauthorized',
    `La tienda no aceptó las claves de la API. ${resolution}`,
    `${what}. ${engineer}`,
    { retryable: false },
  );
}

function resolutionOf({ method }: Call, code: string | null): [merchant: string, engineer: string] {
  if (code === 'woocommerce_rest_authentication_error' && method === 'get')
    return [
      'Revise la clave y el secreto de la API, y que «url» sea la misma dirección que muestra WordPress.',
      'Wrong key or secret, or url is not the home URL that WordPress signs with.',
    ];
  if (code === 'woocommerce_rest_authentication_error')
    return [
      'Revise que la clave de la API tenga permiso de lectura y escritura.',
      'The key is unknown or may only read.',
    ];
  if (code === null || code.startsWith('woocommerce_'))
    return [
      'Revise que las claves sean de un administrador que todavía existe; si la tienda está detrás de un proxy, haga que WordPress sepa que se usa HTTPS; si su servidor quita la cabecera Authorization, active «queryStringAuth».',
      'Keys of a user without rights, a TLS proxy that does not set HTTPS, or a host that strips Authorization (try queryStringAuth).',
    ];
  return [
    'Un plugin de seguridad cierra la API REST de WordPress: permita en él las rutas «wc/v3».',
    'The code is not of WooCommerce: a plugin closes the REST API. Allow wc/v3 in it.',
  ];
}

/** An error in JSON by WordPress or WooCommerce: an overload, a crash, or a permanent refusal. */
function failing(what: string, code: string | null, { status, retryAfter }: Answer, now: Date): ShopError {
  const retryAfterMs = readRetryAfter(retryAfter, now);
  // WooCommerce answers 500 to requests it will never accept (measured on WooCommerce 11.0.1); a crash of WordPress has another code.
  const retryable = status === 429 || !code?.startsWith('woocommerce_rest_');
  const busy = status === 429 || status === 403;
  const then = retryable
    ? 'Se intentará de nuevo.'
    : 'Revise el pedido en la tienda y el registro de errores de WordPress.';
  return new ShopError(
    busy ? 'shop-busy' : 'shop-failing',
    busy
      ? `La tienda o su firewall rechaza las consultas por ahora. ${then}`
      : `La tienda falló al responder. ${then}`,
    `${what}. ${retryable ? 'Waiting may help.' : 'WooCommerce refuses it for good: waiting does not help.'}`,
    { retryable, ...(retryAfterMs !== null && { retryAfterMs }) },
  );
}

const certificateCodes =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** No answer came. `code` is Node's, for instance ECONNREFUSED. */
export function noAnswer(call: Call, code: string, timeoutMs: number): ShopError {
  const what = nameOf(call);
  if (['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED'].includes(code))
    return new ShopError(
      'shop-timeout',
      'La tienda tardó demasiado en responder. Se intentará de nuevo.',
      `${what} got no answer in ${timeoutMs} ms (${code}); a write may have happened all the same.`,
      // PHP may still be writing: a repeat that looks too early finds nothing and writes twice.
      { retryable: true, outage: true, ...(call.method !== 'get' && { retryAfterMs: phpTimeoutMs }) },
    );
  if (certificateCodes.test(code))
    return new ShopError(
      'shop-certificate',
      'El certificado HTTPS de la tienda no es válido: renuévelo en su hosting, o corrija «url» si es de otro dominio. Se intentará de nuevo.',
      `${what} broke off: ${code}. The certificate is expired, self-signed, of another name, or sent without its chain.`,
      { retryable: true },
    );
  if (code === privateAddress)
    return new ShopError(
      'shop-private',
      'El dominio de la tienda lleva a una red privada: corrija su DNS, o escriba esa red en «outbound.allow» si la tienda está junto a facturapuente.',
      `${what} was not sent: the shop's name resolves to a private network that outbound.allow does not name.`,
      { retryable: true },
    );
  return new ShopError(
    'shop-unreachable',
    code === 'ENOTFOUND'
      ? 'El dominio de la tienda no existe o no responde: revise «url» y que el dominio esté renovado. Se intentará de nuevo.'
      : 'No se pudo conectar con la tienda. Se intentará de nuevo; revise que la tienda esté en línea.',
    `${what} broke off: ${code}. Check address, certificate and firewall; a write may have happened all the same.`,
    { retryable: true },
  );
}

const longestWaitMs = 3_600_000;

/** `Retry-After` in milliseconds, an hour at most: seconds or an HTTP date (RFC 9110 §10.2.3); null for neither. */
function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), longestWaitMs);
}
