import type { ShopContext } from '../../../src/domain/platform.ts';
import { type Place, placeOf } from '../places.ts';
import type { App, Connection } from '../settings.ts';
import { askToken } from './endpoint.ts';
import { liveInstall, renewalMargin } from './installed.ts';
import { isLapsing } from './record.ts';

/** The access tokens of one shop, for one app. Throws ShopError. */
export interface TokenSource {
  /** One that works as far as we know; renewed before it lapses. */
  get(): Promise<string>;
  /** Another one after Shopify said 401 to `dead`; null where there can be none. */
  replace(dead: string): Promise<string | null>;
}

/** By the way the store is connected: a fixed token, the app's own 24-hour ones, or those the merchant granted. */
export function openTokens(app: App, connection: Connection, context: ShopContext): TokenSource {
  const place = placeOf(app, connection);
  if (app.access === 'oauth') return granted(place, connection.accessToken, context);
  if (connection.accessToken !== undefined) return fixed(connection.accessToken);
  return clientCredentials(place, context);
}

function fixed(token: string): TokenSource {
  return { get: async () => token, replace: async () => null };
}

interface Held {
  accessToken: string;
  expiresAt: string | null;
}

/** Keeps the last token in memory, and asks for the next one once even when many need it. */
function held(context: ShopContext, fetch: (dead?: string) => Promise<Held>): TokenSource {
  let last: Held | undefined;
  let fetching: Promise<Held> | undefined;
  const renew = async (dead?: string) => {
    try {
      // Kept in the same step that ends the asking: whoever comes then must find one or the other.
      last = await fetch(dead);
      return last;
    } finally {
      fetching = undefined;
    }
  };
  const next = async (dead?: string) => {
    fetching ??= renew(dead);
    return (await fetching).accessToken;
  };
  return {
    async get() {
      if (last && !isLapsing(last.expiresAt, context.clock.now(), renewalMargin)) return last.accessToken;
      return next();
    },
    async replace(dead) {
      if (last && last.accessToken !== dead) return last.accessToken;
      last = undefined;
      return next(dead);
    },
  };
}

/** Of the merchant's own app: no more than a day, and no need to keep them. */
function clientCredentials(place: Place, context: ShopContext): TokenSource {
  return held(context, async () => {
    const { accessToken, expiresIn } = await askToken(
      place,
      { kind: 'client-credentials' },
      context.userAgent,
    );
    const end = expiresIn === null ? null : context.clock.now().getTime() + expiresIn * 1000;
    return { accessToken, expiresAt: end === null ? null : new Date(end).toISOString() };
  });
}

/** From the ledger, where all processes find the newest. */
function granted(place: Place, oldToken: string | undefined, context: ShopContext): TokenSource {
  return held(context, (dead) => liveInstall(place, context, { oldToken, ...(dead ? { dead } : {}) }));
}
