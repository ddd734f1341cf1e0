import { ShopError } from '../../../src/domain/errors.ts';
import type { InstallItem, InstallRequest } from '../../../src/domain/install.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { missingScopes, readAppScopes } from '../app-scopes.ts';
import { openClient } from '../client.ts';
import { type Place, placeOf, placeOfShop, shopDomain } from '../places.ts';
import { requiredScopes } from '../scopes.ts';
import type { App, Connection } from '../settings.ts';
import { liveInstall } from '../tokens/installed.ts';
import { isLapsing, readAny, readInstall } from '../tokens/record.ts';

/** Of its 90 days; so long may this installation stand still before a merchant has to install again. */
const restMs = 60 * 24 * 3_600_000;

/**
 * Keeps a shop alive that sells nothing for months: its refresh token is used a month after it was given. Answers the
 * permissions that are missing. A shop that does not let us in is told by whatever waits for it.
 */
export async function tend({ store, app }: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = store.connection as Connection;
  const settings = app as App;
  try {
    if (settings.access === 'oauth') await keepAlive(placeOf(settings, connection), context);
    const productDetails = connection.productDetails || settings.productDetails;
    const granted = await readAppScopes(openClient(settings, connection, context));
    const missing = missingScopes(requiredScopes({ productDetails }), granted);
    if (missing.length === 0) return [];
    return [{ what: 'Permisos de la app', state: 'missing', cure: `Faltan ${missing.join(', ')}.` }];
  } catch (error) {
    if (error instanceof ShopError && error.disconnected) return [];
    throw error;
  }
}

/** See Platform.keepWaiting. A shop that fails keeps no other from its turn. */
export async function keepWaiting(
  apps: ReadonlyMap<string, App>,
  configured: ReadonlySet<string>,
  context: ShopContext,
): Promise<void> {
  const { credentials, log } = context;
  for (const shop of await credentials.shops()) {
    if (!shopDomain.test(shop) || configured.has(shop)) continue;
    const clientId = readAny(await credentials.get(shop))?.install.clientId;
    const app = [...apps.values()].find((one) => one.access === 'oauth' && one.clientId === clientId);
    if (!app) continue;
    await keepAlive(placeOfShop(app, shop), context).catch((error: unknown) => {
      if (!(error instanceof ShopError)) throw error;
      log.warn({ shop, err: error }, 'The access of a shop that waits for its store could not be renewed');
    });
  }
}

async function keepAlive(place: Place, context: ShopContext): Promise<void> {
  const kept = await readInstall(context.credentials, place.shop, place.app.clientId);
  if (!kept || !isLapsing(kept.install.refreshExpiresAt, context.clock.now(), restMs)) return;
  await liveInstall(place, context, { dead: kept.install.accessToken });
}
