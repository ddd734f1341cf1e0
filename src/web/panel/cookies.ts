import type { CookieOptions, Request } from 'express';
import type { Language } from './words.ts';

/** How the panel's cookies are named and kept at this address. */
export interface Cookies {
  session: string;
  /** Browsers somebody signed in on before (sign-in.ts). */
  device: string;
  language: string;
  options: CookieOptions;
  /** False where a browser would not keep them: plain http to another machine. */
  kept: boolean;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** `__Host-` binds a cookie to this host, over https alone; only a machine talking to itself goes without. */
export function cookiesAt(publicUrl: string): Cookies {
  const { protocol, hostname } = new URL(publicUrl);
  const plain = protocol === 'http:' && loopback.includes(hostname);
  const prefix = plain ? '' : '__Host-';
  return {
    session: `${prefix}facturapuente`,
    device: `${prefix}facturapuente-equipo`,
    language: `${prefix}facturapuente-idioma`,
    options: { path: '/', httpOnly: true, secure: !plain, sameSite: 'lax' },
    kept: plain || protocol === 'https:',
  };
}

/** One cookie of a request, undefined when it has none. */
export function readCookie({ headers }: Pick<Request, 'headers'>, name: string): string | undefined {
  const found = (headers.cookie ?? '')
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** Spanish unless the cookie says otherwise. */
export const languageOf = (req: Pick<Request, 'headers'>, { language }: Cookies): Language =>
  readCookie(req, language) === 'en' ? 'en' : 'es';
