import { z } from 'zod';
import { did, failedBy, item } from '../../src/domain/checks.ts';
import { ShopError } from '../../src/domain/errors.ts';
import type { InstallFile, InstallItem, InstallRequest, ShopContext } from '../../src/domain/platform.ts';
import { word } from '../../src/domain/text.ts';
import { tomlName } from '../../src/messages/checks-shop.ts';
import { type Client, readAppScopes } from './client.ts';
import { authPath, callbackPath } from './connect.ts';
import { expiresWithin, openShopClient, readAnyInstall, readInstall, validInstall } from './credentials.ts';
import { DefinitionsAnswer, definitionsQuery, subscriptionsQuery } from './queries.ts';
import { eventTopics } from './receive.ts';
import {
  type App,
  allOrdersScope,
  type Connection,
  missingScopes,
  type Place,
  placeOf,
  placeOfShop,
  requestedScopes,
  requiredScopes,
  shownDays,
} from './settings.ts';
import { ensureDefinitions, metafieldKeys } from './write-back.ts';

function settingsOf(request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>) {
  const connection = request.store.connection as Connection;
  const app = request.app as App;
  const productDetails = connection.productDetails || app.productDetails;
  const appId = request.store.app ?? connection.app;
  return { connection, app, appId, publicUrl: request.publicUrl, productDetails };
}
type Settings = ReturnType<typeof settingsOf>;

export async function install(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const settings = settingsOf(request);
  const { connection, app, publicUrl } = settings;
  const client = openShopClient(app, connection, context);
  const reachable = addressItem(publicUrl);
  const granted = await readAppScopes(client).catch((error: unknown) => {
    if (error instanceof ShopError && !error.retryable) return error;
    throw error;
  });
  if (granted instanceof ShopError) return [reachable, noAccess(granted, settings, request)];
  return [
    reachable,
    item('access', 'ok', { of: 'shop', shop: connection.shop }),
    scopesItem(granted, settings),
    await definitionsItem(client, connection, request.apply),
    webhooksItem(await ownSubscriptions(client, publicUrl), settings),
  ];
}

export function installFiles(
  request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>,
): readonly InstallFile[] {
  const settings = settingsOf(request);
  return [{ name: tomlName(settings.appId), content: renderToml(settings) }];
}

function addressItem(url: string): InstallItem {
  const { protocol, hostname } = new URL(url);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    return item('public-url', 'warning', { url, why: 'here' });
  if (protocol !== 'https:') return item('public-url', 'warning', { url, why: 'plain' });
  return item('public-url', 'ok', { url });
}

const authorizeLink = ({ connection, publicUrl }: Pick<Settings, 'connection' | 'publicUrl'>) =>
  `${publicUrl}${authPath}?shop=${connection.shop}`;

function noAccess(error: ShopError, settings: Settings, { apply }: InstallRequest): InstallItem {
  const about = { of: 'shop', shop: settings.connection.shop } as const;
  const isOwn = settings.app.access === 'client-credentials';
  if (!error.disconnected || (isOwn && error.params.why !== 'not-installed'))
    return failedBy('access', about, error);
  return isOwn
    ? item('access', 'missing', { ...about, why: 'deploy', app: settings.appId, isWritten: apply })
    : item('access', 'missing', { ...about, why: 'authorize', link: authorizeLink(settings) });
}

function scopesItem(granted: readonly string[], settings: Settings): InstallItem {
  const { app, appId, productDetails } = settings;
  const missing = missingScopes(requiredScopes({ productDetails }), granted);
  const publishing = { app: appId, link: app.access === 'oauth' ? authorizeLink(settings) : null };
  if (missing.length > 0)
    return item('shop-forbidden', 'missing', { ...publishing, why: 'missing', missing });
  if (granted.includes(allOrdersScope)) return item('shop-forbidden', 'ok', {});
  const orders = { scope: allOrdersScope, days: shownDays };
  return item('shop-forbidden', 'warning', { ...publishing, ...orders, why: 'all-orders' });
}

function webhooksItem(subscribed: readonly string[], { appId }: Settings): InstallItem {
  if (subscribed.length === 0)
    return item('shop-installation', 'ok', { of: 'webhooks', why: 'declared', app: appId });
  return item('shop-installation', 'warning', { of: 'webhooks', why: 'twice', topics: subscribed });
}

const Subscriptions = z.object({
  webhookSubscriptions: z.object({ nodes: z.array(z.object({ topic: word, uri: word })) }),
});

async function ownSubscriptions(client: Client, publicUrl: string): Promise<string[]> {
  const answer = await client.query(subscriptionsQuery, {}, Subscriptions, 'reading webhook subscriptions');
  const { nodes } = answer.webhookSubscriptions;
  return nodes.filter(({ uri }) => uri.startsWith(`${publicUrl}/`)).map(({ topic }) => topic);
}

async function definitionsItem(
  client: Client,
  { customerAccess }: Connection,
  apply: boolean,
): Promise<InstallItem> {
  if (!apply) return checkDefinitions(client);
  const results = await ensureDefinitions(client, { customerAccess });
  const problems = results.flatMap(({ key, problems }) => problems.map((code) => `${key} (${code})`));
  const of = 'fields';
  if (problems.length > 0) return item('shop-installation', 'warning', { of, why: 'refused', problems });
  const isChanged = results.some(({ changes }) => changes.length > 0);
  return isChanged ? did('shop-installation', { of }) : item('shop-installation', 'ok', { of });
}

async function checkDefinitions(client: Client): Promise<InstallItem> {
  const { metafieldDefinitions } = await client.query(
    definitionsQuery,
    {},
    DefinitionsAnswer,
    'reading metafield definitions',
  );
  const known = new Set(metafieldDefinitions.nodes.map(({ key }) => key));
  const missing = metafieldKeys.filter((key) => !known.has(key));
  const of = 'fields';
  if (missing.length === 0) return item('shop-installation', 'ok', { of });
  return item('shop-installation', 'missing', { of, why: of, missing });
}

/** Topics that only the app's configuration can subscribe to (Shopify’s page on mandatory webhooks). */
const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'];

/** Without a filter: one with a mistyped field silently delivers nothing. */
const orderTopics = ['orders/paid', 'orders/cancelled', 'orders/edited', 'orders/delete', 'refunds/create'];

/** `publicUrl` has no trailing slash. */
export function renderToml({ appId, app, publicUrl, productDetails }: Omit<Settings, 'connection'>): string {
  const { access, apiVersion, clientId } = app;
  const endpoint = `${publicUrl}/webhooks/${appId}`;
  const topics = [...orderTopics, ...eventTopics.filter((topic) => !complianceTopics.includes(topic))];
  // Merchants of a public app come to Shopify's install page through us, with the scopes in the URL.
  const legacy = access === 'oauth' ? '\nuse_legacy_install_flow = true' : '';
  return `# Made by «facturapuente install» for ${publicUrl}; the same command makes it again.
client_id = ${text(clientId)}
name = "facturapuente"
application_url = ${text(`${publicUrl}${authPath}`)}
embedded = false

[access_scopes]
# ${allOrdersScope} adds orders older than ${shownDays} days. A public app has it once Shopify has granted it (allOrders: true in the app).
scopes = ${text(requestedScopes({ ...app, productDetails }).join(','))}${legacy}

[auth]
redirect_urls = [${text(`${publicUrl}${callbackPath}`)}]

[webhooks]
api_version = ${text(apiVersion)}

  [[webhooks.subscriptions]]
  topics = [${topics.map(text).join(', ')}]
  uri = ${text(endpoint)}

  [[webhooks.subscriptions]]
  compliance_topics = [${complianceTopics.map(text).join(', ')}]
  uri = ${text(endpoint)}
`;
}

const text = (value: string): string => JSON.stringify(value);

/** Only the merchant can remove the app from the shop. */
export async function uninstall(
  { store, app }: InstallRequest,
  context: ShopContext,
): Promise<InstallItem[]> {
  const { shop } = store.connection as Connection;
  const { credentials } = context;
  const gone = await credentials.alone(shop, async () => {
    const stored = await readInstall(credentials, shop, (app as App).clientId);
    return stored !== null && (await credentials.remove(shop));
  });
  return [
    gone ? did('access', { of: 'stored', shop }) : item('access', 'ok', { of: 'stored', shop }),
    item('access', 'warning', { of: 'app', why: 'still-there' }),
  ];
}

/** Of the 90 days of a refresh token: it is renewed after a month, so the process may be down for two. */
const renewBeforeMs = 60 * 24 * 3_600_000;

/** A shop may sell nothing for months; a shop without access is reported by its jobs. */
export async function maintain(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const settings = settingsOf(request);
  const { app, connection } = settings;
  try {
    if (app.access === 'oauth') await renewUnused(placeOf(app, connection), context);
    const granted = await readAppScopes(openShopClient(app, connection, context));
    const missing = missingScopes(requiredScopes(settings), granted);
    if (missing.length === 0) return [];
    return [item('shop-forbidden', 'missing', { why: 'lacking', missing })];
  } catch (error) {
    if (error instanceof ShopError && error.disconnected) return [];
    throw error;
  }
}

export async function refreshPending(
  apps: ReadonlyMap<string, App>,
  configured: ReadonlySet<string>,
  context: ShopContext,
): Promise<void> {
  const { credentials, log } = context;
  for (const shop of await credentials.shops()) {
    if (configured.has(shop)) continue;
    const clientId = readAnyInstall(await credentials.get(shop))?.install.clientId;
    const app = [...apps.values()].find((one) => one.access === 'oauth' && one.clientId === clientId);
    if (!app) continue;
    await renewUnused(placeOfShop(app, shop), context).catch((error: unknown) => {
      if (!(error instanceof ShopError)) throw error;
      log.warn({ shop, err: error }, 'The access of a shop without a store could not be renewed');
    });
  }
}

async function renewUnused(place: Place, context: ShopContext): Promise<void> {
  const stored = await readInstall(context.credentials, place.shop, place.app.clientId);
  if (!stored || !expiresWithin(renewBeforeMs, stored.install.refreshExpiresAt, context.clock.now())) return;
  await validInstall(place, context, { refusedToken: stored.install.accessToken });
}
