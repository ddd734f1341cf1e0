import { randomUUID } from 'node:crypto';
import type { TokenAnswer, TokenOptions } from './tokens.ts';

/** One access token with what renews it; `next` is set once it was renewed. */
interface Pair {
  accessToken: string;
  refreshToken: string | null;
  /** Milliseconds of the clock; infinite for tokens of before 2026. */
  ends: number;
  refreshEnds: number;
  next: Pair | null;
  /** Somebody has called the API with it, or renewed it. */
  used: boolean;
}

/**
 * Offline tokens as Shopify gives them since 2026: an hour and 90 days, the refresh token changing at each use. A
 * refresh token may be repeated until what it gave is used (Shopify’s changelog of 2026-08-28), then it is dead, and so
 * is the access token before.
 */
export function openGrants(options: TokenOptions, now: () => Date) {
  let pairs: Pair[] = options.oldToken ? [pair(options.oldToken, false)] : [];
  let codes = new Set<string>();

  function pair(accessToken: string, expiring: boolean): Pair {
    const time = now().getTime();
    const after = (seconds: number) => (expiring ? time + seconds * 1000 : Number.POSITIVE_INFINITY);
    return {
      accessToken,
      refreshToken: expiring ? `shprt_standin_${randomUUID()}` : null,
      ends: after(options.tokenSeconds ?? 3_600),
      refreshEnds: after(options.refreshSeconds ?? 7_776_000),
      next: null,
      used: false,
    };
  }

  function fresh(expiring: boolean): Pair {
    const made = pair(`shpat_standin_${randomUUID()}`, expiring);
    pairs.push(made);
    return made;
  }

  function answer(given: Pair, scopes: readonly string[]): TokenAnswer {
    const left = (end: number) => Math.round((end - now().getTime()) / 1000);
    const lives = {
      expires_in: left(given.ends),
      refresh_token: given.refreshToken,
      refresh_token_expires_in: left(given.refreshEnds),
    };
    const body = { access_token: given.accessToken, scope: scopes.join(',') };
    return { status: 200, body: given.refreshToken === null ? body : { ...body, ...lives } };
  }

  /** Using a pair ends the one it came from. */
  function use(one: Pair): void {
    one.used = true;
    pairs = pairs.filter(({ next }) => next !== one);
  }

  function refresh(token: unknown): Pair | null {
    const one = pairs.find(({ refreshToken }) => refreshToken !== null && refreshToken === token);
    if (!one || one.refreshEnds <= now().getTime()) return null;
    use(one);
    one.next ??= fresh(true);
    return one.next;
  }

  function migrate(token: unknown): Pair | null {
    const one = pairs.find(({ accessToken, refreshToken }) => accessToken === token && refreshToken === null);
    if (!one) return null;
    pairs = pairs.filter((other) => other !== one);
    return fresh(true);
  }

  return {
    knows(token: string): boolean {
      const one = pairs.find(({ accessToken, ends }) => accessToken === token && ends > now().getTime());
      if (one) use(one);
      return one !== undefined;
    },
    grant(body: Readonly<Record<string, unknown>>, scopes: readonly string[]): TokenAnswer | null {
      let given: Pair | null = null;
      if (body.grant_type === 'refresh_token') given = refresh(body.refresh_token);
      else if (String(body.grant_type).endsWith(':token-exchange')) given = migrate(body.subject_token);
      // A code serves once.
      else if (codes.delete(String(body.code))) given = fresh(body.expiring === '1');
      return given && answer(given, scopes);
    },
    code(): string {
      const made = randomUUID().replaceAll('-', '');
      codes.add(made);
      return made;
    },
    revoke() {
      for (const one of pairs) one.ends = 0;
    },
    end() {
      pairs = [];
      codes = new Set();
    },
  };
}
