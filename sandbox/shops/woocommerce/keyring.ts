import type { IncomingHttpHeaders } from 'node:http';
import { openAuth } from './auth.ts';
import type { ShopKeys, WooError } from './oauth.ts';

/** All the keys of a shop: those it opened with, and those handed over since. */
export function openKeyring(first: ShopKeys, host: Parameters<typeof openAuth>[1]) {
  const checks = [openAuth(first, host)];
  return {
    check(method: string, url: URL, headers: IncomingHttpHeaders): WooError | null {
      let error: WooError | null = null;
      for (const check of checks) {
        const found = check(method, url, headers);
        if (found === null) return null;
        // The word about a key that is known says more than that another one is not it.
        if (error === null || !found.message.startsWith('Consumer key')) error = found;
      }
      return error;
    },
    add(keys: ShopKeys): { revoke(): void } {
      const check = openAuth(keys, host);
      checks.push(check);
      return { revoke: () => void checks.splice(checks.indexOf(check), 1) };
    },
  };
}
