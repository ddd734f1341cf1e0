import { ShopError } from '../../../src/domain/errors.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import type { Place } from '../places.ts';
import { askToken, type Grant } from './endpoint.ts';
import { type Install, isLapsing, type KeptInstall, readInstall, toInstall } from './record.ts';

/** A token is renewed this long before it ends, so that none dies on its way. */
export const renewalMargin = 5 * 60_000;

type Tools = Pick<ShopContext, 'clock' | 'log' | 'userAgent' | 'credentials'>;

/**
 * The shop's install with a token that still works, renewed when it lapses within `marginMs` or is `dead` (Shopify
 * said 401 to it). One renewal at a time for a shop, in all processes: whoever waited finds the other's result. Throws
 * ShopError `shopify-not-installed` or `shopify-reinstall` (both `disconnected`), or why Shopify cannot be asked.
 */
export async function liveInstall(place: Place, tools: Tools, want: Wanted = {}): Promise<Install> {
  const { app, shop } = place;
  const read = () => readInstall(tools.credentials, shop, app.clientId);
  const known = await read();
  if (known !== null && isGood(known.install, want, tools)) return known.install;
  if (known === null && want.oldToken === undefined) throw notInstalled(shop);
  refuseLost(known, place, tools);
  return tools.credentials.alone(shop, async () => {
    const current = await read();
    if (current !== null && isGood(current.install, want, tools)) return current.install;
    refuseLost(current, place, tools);
    const grant = grantFor(current?.install, want.oldToken);
    const fresh = grant && (await renew(place, tools, grant, current));
    return fresh ?? lose(current, place, tools);
  });
}

interface Wanted {
  marginMs?: number;
  /** A token Shopify has just refused. */
  dead?: string;
  /** The token of before 2026 from the config, to begin with. */
  oldToken?: string | undefined;
}

function isGood(install: Install, { marginMs = renewalMargin, dead }: Wanted, { clock }: Tools): boolean {
  const { accessToken, expiresAt, lostAt } = install;
  if (accessToken === dead || lostAt !== null || needsMigration(install)) return false;
  return !isLapsing(expiresAt, clock.now(), marginMs);
}

/** Tokens that never end are gone for public apps from 2027 on: a pair takes their place once and for all. */
const needsMigration = (install: Install) => install.expiresAt === null && install.refreshToken === null;

function grantFor(install: Install | undefined, oldToken: string | undefined): Grant | null {
  if (install === undefined)
    return oldToken === undefined ? null : { kind: 'migrate', accessToken: oldToken };
  if (install.refreshToken !== null) return { kind: 'refresh', refreshToken: install.refreshToken };
  return needsMigration(install) ? { kind: 'migrate', accessToken: install.accessToken } : null;
}

/** The renewed install, kept before anybody uses it; null when Shopify refuses for good. */
async function renew(
  place: Place,
  { credentials, clock, log, userAgent }: Tools,
  grant: Grant,
  current: KeptInstall | null,
): Promise<Install | null> {
  const { shop, app } = place;
  const granted = await askToken(place, grant, userAgent).catch((error: unknown) => {
    if (error instanceof ShopError && error.code === 'shopify-unauthorized') return null;
    throw error;
  });
  if (granted === null) return null;
  const scopes = granted.scopes.length > 0 ? granted.scopes : (current?.install.scopes ?? []);
  const fresh = toInstall({ ...granted, scopes }, app.clientId, clock.now(), current?.install.installedAt);
  // A newer install that came meanwhile (the merchant installed again) stays; its token is as good.
  if (await credentials.put(shop, fresh, current?.version ?? null)) {
    log.info({ shop, grant: grant.kind }, 'Renewed the access to a Shopify shop');
    return fresh;
  }
  return (await readInstall(credentials, shop, app.clientId))?.install ?? null;
}

/** What Shopify refused is tried again after so long, in case it was Shopify's own trouble. */
const lostRest = 6 * 3_600_000;

function refuseLost(kept: KeptInstall | null, { shop }: Place, { clock }: Tools): void {
  const lostAt = kept?.install.lostAt ?? null;
  if (lostAt !== null && clock.now().getTime() - Date.parse(lostAt) < lostRest) throw reinstall(shop);
}

async function lose(current: KeptInstall | null, { shop }: Place, tools: Tools): Promise<never> {
  if (current !== null) {
    const lost = { ...current.install, lostAt: tools.clock.now().toISOString() };
    const marked = await tools.credentials.put(shop, lost, current.version);
    // The person is told by whatever waits for the shop; here once, by whoever marks it first.
    if (marked && current.install.lostAt === null)
      tools.log.warn(
        { shop },
        'Shopify refused for good to renew the access to a shop; it must be installed again',
      );
  }
  throw reinstall(shop);
}

function notInstalled(shop: string): ShopError {
  return new ShopError(
    'shopify-not-installed',
    `La app no está instalada en ${shop}: abra /shopify/auth?shop=${shop} en esta instalación.`,
    `Shopify ${shop}: no token of this app is kept; the merchant must install through /shopify/auth.`,
    { retryable: false, disconnected: true },
  );
}

function reinstall(shop: string): ShopError {
  return new ShopError(
    'shopify-reinstall',
    `Shopify dejó de aceptar el acceso a ${shop}: abra /shopify/auth?shop=${shop} en esta instalación para volver a conectarla.`,
    `Shopify ${shop}: the refresh token was refused or has lapsed; the merchant must install again.`,
    { retryable: false, disconnected: true },
  );
}
