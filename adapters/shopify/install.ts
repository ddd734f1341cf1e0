import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import type { InstallFile, InstallItem, InstallRequest, ShopContext } from '../../src/domain/platform.ts';
import { word } from '../../src/domain/text.ts';
import { DefinitionsAnswer } from './answer.ts';
import { type Client, openClient, readAppScopes } from './client.ts';
import { authPath, callbackPath } from './connect/start.ts';
import { expiresWithin, readAnyInstall, readInstall, validInstall } from './credentials.ts';
import { eventTopics } from './events.ts';
import { definitionsQuery, subscriptionsQuery } from './queries.ts';
import { allOrdersScope, missingScopes, requestedScopes, requiredScopes, shownDays } from './scopes.ts';
import { type App, type Connection, type Place, placeOf, placeOfShop } from './settings.ts';
import { ensureDefinitions, metafieldKeys } from './write-back.ts';

/** The settings of the store and its app, parsed by the platform's own schemas. */
function settingsOf(request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>) {
  const connection = request.store.connection as Connection;
  const app = request.app as App;
  const productDetails = connection.productDetails || app.productDetails;
  const appId = request.store.app ?? connection.app;
  return { connection, app, appId, publicUrl: request.publicUrl, productDetails };
}
type Settings = ReturnType<typeof settingsOf>;

/**
 * Checks everything a Shopify store needs: our public address, access, permissions, metafield definitions, webhooks
 * declared twice. With `apply` it creates the definitions; the rest is for the merchant to do. Throws ShopError.
 */
export async function install(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const settings = settingsOf(request);
  const { connection, app, publicUrl } = settings;
  const client = openClient(app, connection, context);
  const reachable = addressItem(publicUrl);
  const granted = await readAppScopes(client).catch((error: unknown) => {
    if (error instanceof ShopError && !error.retryable) return error;
    throw error;
  });
  if (granted instanceof ShopError) return [reachable, noAccess(granted, settings, request)];
  return [
    reachable,
    { code: 'access', what: `Acceso a ${connection.shop}`, state: 'ok' as const, resolution: null },
    scopesItem(granted, settings),
    await definitionsItem(client, connection, request.apply),
    webhooksItem(await ownSubscriptions(client, publicUrl), settings),
  ];
}

/** The app's TOML. */
export function installFiles(
  request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>,
): readonly InstallFile[] {
  const settings = settingsOf(request);
  return [{ name: tomlName(settings.appId), content: renderToml(settings) }];
}

function addressItem(publicUrl: string): InstallItem {
  const what = `Dirección pública ${publicUrl}`;
  const { protocol, hostname } = new URL(publicUrl);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' && !here) return { code: 'public-url', what, state: 'ok', resolution: null };
  const resolution = here
    ? 'Shopify no puede avisar a esta máquina: ponga en publicUrl la dirección https:// de un túnel o de su servidor.'
    : 'Shopify solo avisa a direcciones https://: corrija publicUrl.';
  return { code: 'public-url', what, state: 'warning', resolution };
}

function noAccess(
  error: ShopError,
  { app, connection, publicUrl, appId }: Settings,
  { apply }: InstallRequest,
): InstallItem {
  const what = `Acceso a ${connection.shop}`;
  const own = app.access === 'client-credentials';
  if (!error.disconnected) return { code: 'access', what, state: 'problem', resolution: error.merchant };
  const resolution = own
    ? `${error.merchant} ${deploy(appId, apply)} Después instale la app en la tienda desde el Dev Dashboard (Home > Install app).`
    : `Abra ${publicUrl}${authPath}?shop=${connection.shop} con la cuenta de la tienda y acepte los permisos.`;
  return { code: 'access', what, state: 'missing', resolution };
}

function scopesItem(
  granted: readonly string[],
  { app, appId, publicUrl, connection, productDetails }: Settings,
): InstallItem {
  const what = 'Permisos de la app';
  const missing = missingScopes(requiredScopes({ productDetails }), granted);
  const isWhole = granted.includes(allOrdersScope);
  if (missing.length === 0 && isWhole) return { code: 'scopes', what, state: 'ok', resolution: null };
  const accept =
    app.access === 'oauth'
      ? `Abra ${publicUrl}${authPath}?shop=${connection.shop} y acéptelos.`
      : 'Abra la app en la tienda y acepte los permisos nuevos.';
  const request =
    app.access === 'oauth'
      ? 'Pídalo a Shopify en el panel de la app («API access requests»); cuando lo conceda, escriba allOrders: true en la app.'
      : 'Agréguelo a los permisos de la app y déjela publicada.';
  if (missing.length === 0)
    return {
      code: 'scopes',
      what,
      state: 'warning',
      resolution: `Falta ${allOrdersScope}: Shopify oculta los pedidos de más de ${shownDays} días, y lo que se cobre o se devuelva en ellos queda sin factura ni nota de crédito. ${request} ${deploy(appId, true)} ${accept}`,
    };
  return {
    code: 'scopes',
    what,
    state: 'missing',
    resolution: `Faltan ${missing.join(', ')}. ${deploy(appId, true)} ${accept}`,
  };
}

function webhooksItem(subscribed: readonly string[], { appId }: Settings): InstallItem {
  const what = 'Avisos (webhooks)';
  if (subscribed.length === 0)
    return {
      code: 'webhooks',
      what,
      state: 'ok',
      resolution: `Los declara ${tomlName(appId)}; ${deploy(appId, true)}`,
    };
  return {
    code: 'webhooks',
    what,
    state: 'warning',
    resolution: `La tienda tiene además suscripciones propias hacia aquí (${subscribed.join(', ')}): cada aviso llega dos veces, sin daño. Quítelas.`,
  };
}

function deploy(appId: string, written: boolean): string {
  const first = written ? '' : `Ejecute «facturapuente install» sin --check: escribe ${tomlName(appId)}. `;
  return `${first}Publíquelo con «shopify app deploy --config ${appId}».`;
}

const Subscriptions = z.object({
  webhookSubscriptions: z.object({ nodes: z.array(z.object({ topic: word, uri: word })) }),
});

/** Topics somebody subscribed to by hand; the shop sends them twice. */
async function ownSubscriptions(client: Client, publicUrl: string): Promise<string[]> {
  const answer = await client.query(subscriptionsQuery, {}, Subscriptions, 'reading webhook subscriptions');
  const { nodes } = answer.webhookSubscriptions;
  return nodes.filter(({ uri }) => uri.startsWith(`${publicUrl}/`)).map(({ topic }) => topic);
}

const definitions = { code: 'definitions', what: 'Campos de la factura en el pedido' };

async function definitionsItem(
  client: Client,
  { customerAccess }: Connection,
  apply: boolean,
): Promise<InstallItem> {
  if (!apply) return checkDefinitions(client);
  const results = await ensureDefinitions(client, { customerAccess });
  const problems = results.flatMap(({ key, problems }) => problems.map((code) => `${key} (${code})`));
  if (problems.length > 0)
    return {
      ...definitions,
      state: 'warning',
      resolution: `Shopify no aceptó todo: ${problems.join(', ')}. La factura se escribe igual, pero puede no verse en el pedido.`,
    };
  const isChanged = results.some(({ changes }) => changes.length > 0);
  return { ...definitions, state: 'ok', resolution: null, ...(isChanged && { done: true }) };
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
  if (missing.length === 0) return { ...definitions, state: 'ok', resolution: null };
  return {
    ...definitions,
    state: 'missing',
    resolution: `Faltan ${missing.join(', ')}; «facturapuente install» los crea.`,
  };
}

/** Topics that only the app's configuration can subscribe to (Shopify’s page on mandatory webhooks). */
const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'];

/** Without a filter: one with a mistyped field silently delivers nothing. */
const orderTopics = ['orders/paid', 'orders/cancelled', 'orders/edited', 'orders/delete', 'refunds/create'];

/** The app's configuration for Shopify's command line. `publicUrl` has no trailing slash. */
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

/** As `shopify app deploy --config <app id>` finds it. */
const tomlName = (appId: string): string => `shopify.app.${appId}.toml`;

/** A basic string of TOML has the escapes of JSON. */
const text = (value: string): string => JSON.stringify(value);

/** Removes the stored access; only the merchant can remove the app from the shop. */
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
    { what: `Claves de ${shop}`, state: 'ok', resolution: null, ...(gone && { done: true }) },
    {
      what: 'App en la tienda',
      state: 'warning',
      resolution:
        'Quítela en la tienda, en Configuración > Apps: hasta entonces sus pedidos pueden seguir facturándose. Lo escrito en los pedidos se queda.',
    },
  ];
}

/** Of the 90 days of a refresh token: it is renewed after a month, so the process may be down for two. */
const renewBeforeMs = 60 * 24 * 3_600_000;

/**
 * Renews the access of a shop that sells nothing for months, and answers the missing permissions. Nothing for a shop
 * without access, whose jobs raise an alert themselves.
 */
export async function maintain(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const settings = settingsOf(request);
  const { app, connection } = settings;
  try {
    if (app.access === 'oauth') await renewUnused(placeOf(app, connection), context);
    const granted = await readAppScopes(openClient(app, connection, context));
    const missing = missingScopes(requiredScopes(settings), granted);
    if (missing.length === 0) return [];
    return [{ what: 'Permisos de la app', state: 'missing', resolution: `Faltan ${missing.join(', ')}.` }];
  } catch (error) {
    if (error instanceof ShopError && error.disconnected) return [];
    throw error;
  }
}

/** See Platform.refreshPending. A shop that fails does not stop the others. */
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
