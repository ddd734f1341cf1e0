import { isIP } from 'node:net';
import { isEncrypted } from '../../config/schema-parts.ts';
import { examine } from '../../domain/identification.ts';
import { saysFlaw } from '../../domain/identification-flaws.ts';

// What is wrong with an answer of a kind, in Spanish; undefined when it is good.

export const short = (value: string) =>
  value.trim() === '' ? 'Falta este dato.' : value.length > 300 ? 'Admite hasta 300 caracteres.' : undefined;
export const digits = (value: string) =>
  /^\d{3}$/.test(value) ? undefined : 'Son 3 dígitos, por ejemplo 001; están en sus facturas.';
export const number = (value: string) =>
  /^[1-9]\d{0,8}$/.test(value) ? undefined : 'Es un número entero entre 1 y 999999999.';

export function ruc(value: string): string | undefined {
  const examined = examine(value);
  if (!examined.ok) return saysFlaw(examined.flaw, examined.digits);
  return /^\d{10}001$/.test(value) ? undefined : 'El RUC del emisor tiene 13 dígitos y termina en 001.';
}

/** Plain http only to an address written in digits: somebody tries it in his own network. */
export function address(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'Escriba la dirección completa, con https://.';
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    return 'Escriba la dirección sin usuario, «?» ni «#».';
  const here = url.hostname === 'localhost' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
  return url.protocol === 'https:' || here ? undefined : 'La dirección debe empezar con https://.';
}

/** As `accounts.<id>.baseUrl` of the config: our key and the buyers' data go there. */
export function serviceAddress(value: string): string | undefined {
  return address(value) ?? (isEncrypted(value) ? undefined : 'La dirección debe empezar con https://.');
}
