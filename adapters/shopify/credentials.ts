import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import { tryReadJson } from '../../src/domain/loose.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { Credential, Credentials } from '../../src/domain/shop-identity.ts';
import { word } from '../../src/domain/text.ts';
import { type Client, openClient, shopifyFetch, type TokenSource } from './client.ts';
import { toShopError } from './errors.ts';
import { type App, adminAddress, type Connection, type Place, placeOf } from './settings.ts';

const Install = z.object({
  /** No other app can renew or use it. */
  clientId: z.string(),
  accessToken: z.string().min(1),
  /** By our clock; null for tokens of before 2026, which do not expire. */
  expiresAt: z.string().nullable(),
  refreshToken: z.string().nullable(),
  refreshExpiresAt: z.string().nullable(),
  scopes: z.array(z.string()),
  /** Of the installation, so that its address serves once; the first renewal is later than an address lives. */
  state: z.string().optional(),
  /** When Shopify refused to renew it; then the merchant must install the app again. */
  lostAt: z.string().nullable(),
});
export type Install = z.output<typeof Install>;

interface StoredInstall {
  install: Install;
  version: number;
}

export async function readInstall(
  credentials: Pick<Credentials, 'get'>,
  shop: string,
  clientId: string,
): Promise<StoredInstall | null> {
  const stored = readAnyInstall(await credentials.get(shop));
  return stored?.install.clientId === clientId ? stored : null;
}

export function readAnyInstall(credential: Credential | null): StoredInstall | null {
  const install = Install.safeParse(credential?.value).data;
  return credential && install ? { install, version: credential.version } : null;
}

export function toInstall(granted: Granted, clientId: string, now: Date): Install {
  const after = (seconds: number | null | undefined) =>
    seconds == null ? null : new Date(now.getTime() + seconds * 1000).toISOString();
  return {
    clientId,
    accessToken: granted.access_token,
    expiresAt: after(granted.expires_in),
    refreshToken: granted.refresh_token ?? null,
    refreshExpiresAt: after(granted.refresh_token_expires_in),
    scopes: granted.scope.split(/[\s,]+/).filter(Boolean),
    lostAt: null,
  };
}

export function expiresWithin(marginMs: number, expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - now.getTime() < marginMs;
}

const renewalMarginMs = 5 * 60_000;

type Tools = Pick<ShopContext, 'clock' | 'log' | 'userAgent' | 'credentials'>;

/** One renewal at a time for a shop, in all processes. Throws ShopError, among others `shop-not-connected`. */
export async function validInstall(place: Place, tools: Tools, want: Wanted = {}): Promise<Install> {
  const { app, shop } = place;
  const read = () => readInstall(tools.credentials, shop, app.clientId);
  const known = await read();
  if (known !== null && isValid(known.install, want, tools)) return known.install;
  if (known === null && want.oldToken === undefined) throw notConnected(shop, false);
  refuseLost(known, place, tools);
  return tools.credentials.alone(shop, async () => {
    const current = await read();
    if (current !== null && isValid(current.install, want, tools)) return current.install;
    refuseLost(current, place, tools);
    const grant = grantFor(current?.install, want.oldToken);
    const fresh = grant && (await renew(place, tools, grant, current));
    return fresh ?? lose(current, place, tools);
  });
}

interface Wanted {
  refusedToken?: string | undefined;
  oldToken?: string | undefined;
}

function isValid(install: Install, { refusedToken }: Wanted, { clock }: Tools): boolean {
  const { accessToken, expiresAt, lostAt } = install;
  if (accessToken === refusedToken || lostAt !== null || needsMigration(install)) return false;
  return !expiresWithin(renewalMarginMs, expiresAt, clock.now());
}

/** Public apps lose tokens that do not expire from 2027 on, so they are exchanged for a pair. */
const needsMigration = (install: Install) => install.expiresAt === null && install.refreshToken === null;

function grantFor(install: Install | undefined, oldToken: string | undefined): Grant | null {
  if (install === undefined) return oldToken === undefined ? null : grants.migrate(oldToken);
  if (install.refreshToken !== null) return grants.refresh(install.refreshToken);
  return needsMigration(install) ? grants.migrate(install.accessToken) : null;
}

/** Stored before its first use; null when Shopify refuses for good. */
async function renew(
  place: Place,
  { credentials, clock, log, userAgent }: Tools,
  grant: Grant,
  current: StoredInstall | null,
): Promise<Install | null> {
  const { shop, app } = place;
  const granted = await askToken(place, grant, userAgent).catch((error: unknown) => {
    if (error instanceof ShopError && error.code === 'shop-unauthorized' && error.params.why !== 'app')
      return null;
    throw error;
  });
  if (granted === null) return null;
  const scope = granted.scope || (current?.install.scopes ?? []).join();
  const fresh = toInstall({ ...granted, scope }, app.clientId, clock.now());
  // The merchant may have installed again meanwhile: that newer install stays.
  if (await credentials.put(shop, fresh, current?.version ?? null)) {
    log.info({ shop, grant: grant.grant_type }, 'Renewed the access to a Shopify shop');
    return fresh;
  }
  return (await readInstall(credentials, shop, app.clientId))?.install ?? null;
}

/** A refused renewal is tried again after this time, in case the fault was Shopify's. */
const retryLostMs = 6 * 3_600_000;

function refuseLost(stored: StoredInstall | null, { shop }: Place, { clock }: Tools): void {
  const lostAt = stored?.install.lostAt ?? null;
  if (lostAt !== null && clock.now().getTime() - Date.parse(lostAt) < retryLostMs)
    throw notConnected(shop, true);
}

async function lose(current: StoredInstall | null, { shop }: Place, tools: Tools): Promise<never> {
  if (current !== null) {
    const lost = { ...current.install, lostAt: tools.clock.now().toISOString() };
    const marked = await tools.credentials.put(shop, lost, current.version);
    // Logged once; the alert comes from the jobs that wait for the shop.
    if (marked && current.install.lostAt === null)
      tools.log.warn(
        { shop },
        'Shopify refused for good to renew the access to a shop; the app must be installed again',
      );
  }
  throw notConnected(shop, true);
}

/** `lost`: the refresh token was refused or has expired; else no token of this app is stored. */
const notConnected = (shop: string, lost: boolean) =>
  new ShopError(
    'shop-not-connected',
    { platform: 'Shopify', shop, lost },
    { retryable: false, disconnected: true },
  );

/** Calls the Admin API with the shop's stored access, or with a token of the merchant's own app. */
export function openShopClient(app: App, connection: Connection, context: ShopContext): Client {
  return openClient(app, connection, openTokens(app, connection, context), context);
}

export function openTokens(app: App, connection: Connection, context: ShopContext): TokenSource {
  const place = placeOf(app, connection);
  const { accessToken } = connection;
  if (app.access === 'oauth')
    return cached(context, (refusedToken) =>
      validInstall(place, context, { oldToken: accessToken, refusedToken }),
    );
  if (accessToken !== undefined) return { get: async () => accessToken, replace: async () => null };
  return cached(context, async () => {
    const granted = await askToken(place, grants.clientCredentials, context.userAgent);
    return toInstall(granted, app.clientId, context.clock.now());
  });
}

function cached(
  { clock }: ShopContext,
  fetch: (refused?: string) => Promise<Pick<Install, 'accessToken' | 'expiresAt'>>,
): TokenSource {
  let last: Pick<Install, 'accessToken' | 'expiresAt'> | undefined;
  let fetching: Promise<string> | undefined;
  const renew = async (refused?: string) => {
    try {
      last = await fetch(refused);
      return last.accessToken;
    } finally {
      fetching = undefined;
    }
  };
  const next = (refused?: string) => {
    fetching ??= renew(refused);
    return fetching;
  };
  return {
    async get() {
      if (last && !expiresWithin(renewalMarginMs, last.expiresAt, clock.now())) return last.accessToken;
      return next();
    },
    async replace(refused) {
      if (last && last.accessToken !== refused) return last.accessToken;
      last = undefined;
      return next(refused);
    },
  };
}

const seconds = z.int().positive().nullish();
/** Lifetimes in seconds from now, none for a token that does not expire. */
const Granted = z.object({
  access_token: word.min(1),
  scope: word.default(''),
  expires_in: seconds,
  refresh_token: word.min(1).nullish(),
  refresh_token_expires_in: seconds,
});
type Granted = z.output<typeof Granted>;

const Refusal = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

const offline = 'urn:shopify:params:oauth:token-type:offline-access-token';

type Grant = Readonly<Record<string, string>>;
export const grants = {
  clientCredentials: { grant_type: 'client_credentials' },
  code: (code: string) => ({ code, expiring: '1' }),
  refresh: (refreshToken: string) => ({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  /** Exchanges a token that does not expire for a pair that does; irreversible. */
  migrate: (accessToken: string) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: accessToken,
    subject_token_type: offline,
    requested_token_type: offline,
    expiring: '1',
  }),
};

/** Not through the library (docs/adr/0005). Throws ShopError `shop-unauthorized`. */
export async function askToken(place: Place, grant: Grant, userAgent: string): Promise<Granted> {
  const { app, shop, timeoutMs } = place;
  const doing = `requesting a token (${grant.grant_type ?? 'authorization_code'})`;
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await shopifyFetch(adminAddress(place, 'oauth/access_token'), {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ client_id: app.clientId, client_secret: app.clientSecrets[0], ...grant }),
    });
    text = await response.text();
  } catch {
    // Without the cause, which may quote the request and its secrets.
    throw toShopError({ kind: 'network', timedOut: signal.aborted }, shop, doing);
  }
  const body = tryReadJson(text);
  if (response.ok && body !== undefined) {
    const granted = Granted.safeParse(body).data;
    if (granted) return granted;
    throw new ShopError(
      'shop-answer',
      { platform: 'Shopify', shop, call: doing, path: '', problem: 'no trae un token' },
      { retryable: false },
    );
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isNaN(retryAfter) ? null : retryAfter * 1000;
  const reason = Refusal.safeParse(body).data?.error;
  // A page with status 200 is of something in front of Shopify.
  const status = response.ok ? 502 : response.status;
  if (reason !== undefined && appRefusals.has(reason))
    throw new ShopError(
      'shop-unauthorized',
      { why: 'app', shop, call: doing, status, reason, clientId: app.clientId },
      { retryable: false },
    );
  throw toShopError({ kind: 'http', status, retryAfterMs, reason }, shop, doing);
}

const appRefusals = new Set(['invalid_client', 'application_cannot_be_found', 'unauthorized_client']);
