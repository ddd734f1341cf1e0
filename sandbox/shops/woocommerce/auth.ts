import type { IncomingHttpHeaders } from 'node:http';
import { openOAuthCheck, refused, type ShopKeys, type WooError } from './oauth.ts';

/** What the host changes between the caller and WordPress. */
export interface Host {
  /** Whether WordPress knows that it is called over TLS; a proxy that ends it may not say so. */
  knowsTls: boolean;
  /** Whether a signature counts under the shop's own name only; over TLS calls are not signed, and any name of this host counts. */
  signsOwnName: boolean;
  /** PHP as CGI never sees the header Authorization. */
  stripsAuthorization: boolean;
  /** Answers one call after the other, as PHP's own server does: none while it waits for an answer itself. */
  oneWorker: boolean;
}

/**
 * Who may call, as WooCommerce decides it (measured on WooCommerce 11.0.1): over TLS by Basic or by both keys in the
 * query, else only by OAuth 1.0a; a key that may only read is refused at the first write.
 */
export function openAuth(keys: ShopKeys, host: Pick<Host, 'knowsTls' | 'stripsAuthorization'>) {
  const oauth = openOAuthCheck(keys);
  const who = (method: string, url: URL, headers: IncomingHttpHeaders): WooError | null => {
    const given = host.knowsTls
      ? keysOf(url, host.stripsAuthorization ? undefined : headers.authorization)
      : null;
    if (given === null) return oauth(method, url);
    if (given.key !== keys.consumerKey) return refused('Consumer key is invalid.');
    return given.secret === keys.consumerSecret ? null : refused('Consumer secret is invalid.');
  };
  return (method: string, url: URL, headers: IncomingHttpHeaders): WooError | null => {
    const error = who(method, url, headers);
    if (error !== null) return error;
    const { permissions = 'read_write' } = keys;
    const needed = method === 'GET' ? 'read' : 'write';
    if (permissions === needed || permissions === 'read_write') return null;
    return refused(`The API key provided does not have ${needed} permissions.`);
  };
}

function keysOf(url: URL, authorization: string | undefined): { key: string; secret: string } | null {
  const [, encoded] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  if (encoded !== undefined) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    return { key: text.slice(0, text.indexOf(':')), secret: text.slice(text.indexOf(':') + 1) };
  }
  const key = url.searchParams.get('consumer_key');
  const secret = url.searchParams.get('consumer_secret');
  return key === null || secret === null ? null : { key, secret };
}
