import { ShopError } from '../../src/domain/errors.ts';
import { privateAddress } from '../../src/domain/outbound.ts';
import type { Answer, Call } from './answers.ts';
import { readRetryAfter, stillAtItMs } from './retry-after.ts';

/** Not followed: 301 and 302 turn a POST into a GET that looks like success (measured on WooCommerce 11.0.1). */
export function redirected(what: string, location: string | undefined): ShopError {
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

export function unauthorized(call: Call, what: string, code: string | null): ShopError {
  const [cure, engineer] = cureOf(call, code);
  return new ShopError(
    'shop-unauthorized',
    `La tienda no aceptó las claves de la API. ${cure}`,
    `${what}. ${engineer}`,
    { retryable: false },
  );
}

function cureOf(call: Call, code: string | null): [merchant: string, engineer: string] {
  if (code === 'woocommerce_rest_authentication_error') {
    return call.method === 'get'
      ? [
          'Revise la clave y el secreto de la API, y que «url» sea la misma dirección que muestra WordPress.',
          'Wrong key or secret, or url is not the home URL that WordPress signs with.',
        ]
      : [
          'Revise que la clave de la API tenga permiso de lectura y escritura.',
          'The key is unknown or may only read.',
        ];
  }
  if (code === null || code.startsWith('woocommerce_')) {
    return [
      'Revise que las claves sean de un administrador que todavía existe; si la tienda está detrás de un proxy, haga que WordPress sepa que se usa HTTPS; si su servidor quita la cabecera Authorization, active «queryStringAuth».',
      'Keys of a user without rights, a TLS proxy that does not set HTTPS, or a host that strips Authorization (try queryStringAuth).',
    ];
  }
  return [
    'Un plugin de seguridad cierra la API REST de WordPress: permita en él las rutas «wc/v3».',
    'The code is not of WooCommerce: a plugin closes the REST API. Allow wc/v3 in it.',
  ];
}

/** An error that WordPress or WooCommerce put into JSON: an overload, a crash, or a refusal for ever. */
export function failing(
  what: string,
  code: string | null,
  { status, retryAfter }: Answer,
  now: Date,
): ShopError {
  const retryAfterMs = readRetryAfter(retryAfter, now);
  // WooCommerce says 500 for things it will refuse for ever (measured on WooCommerce 11.0.1); WordPress's own crash has another code.
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
    `${what}. ${retryable ? 'Waiting may help.' : 'WooCommerce means it: waiting does not help.'}`,
    { retryable, ...(retryAfterMs !== null && { retryAfterMs }) },
  );
}

const certificateCodes =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** No answer at all. `code` is the network's word, for instance ECONNREFUSED. */
export function unanswered({ method, path }: Call, code: string, timeoutMs: number): ShopError {
  const what = `${method.toUpperCase()} ${path}`;
  if (['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED'].includes(code)) {
    return new ShopError(
      'shop-timeout',
      'La tienda tardó demasiado en responder. Se intentará de nuevo.',
      `${what} got no answer in ${timeoutMs} ms (${code}); a write may have happened all the same.`,
      // A shop that is slow may still be at it: who looks too early finds nothing and writes twice.
      { retryable: true, outage: true, ...(method !== 'get' && { retryAfterMs: stillAtItMs }) },
    );
  }
  if (certificateCodes.test(code)) {
    return new ShopError(
      'shop-certificate',
      'El certificado HTTPS de la tienda no es válido: renuévelo en su hosting, o corrija «url» si es de otro dominio. Se intentará de nuevo.',
      `${what} broke off: ${code}. The certificate is expired, self-signed, of another name, or sent without its chain.`,
      { retryable: true },
    );
  }
  if (code === privateAddress) {
    return new ShopError(
      'shop-private',
      'El dominio de la tienda lleva a una red privada: corrija su DNS, o escriba esa red en «outbound.allow» si la tienda está junto a facturapuente.',
      `${what} was not sent: the shop's name leads into a private network that outbound.allow does not name.`,
      { retryable: true },
    );
  }
  return new ShopError(
    'shop-unreachable',
    code === 'ENOTFOUND'
      ? 'El dominio de la tienda no existe o no responde: revise «url» y que el dominio esté renovado. Se intentará de nuevo.'
      : 'No se pudo conectar con la tienda. Se intentará de nuevo; revise que la tienda esté en línea.',
    `${what} broke off: ${code}. Check address, certificate and firewall; a write may have happened all the same.`,
    { retryable: true },
  );
}
