import { ShopError } from '../../../src/domain/errors.ts';
import type { InstallFile, InstallItem, InstallRequest } from '../../../src/domain/install.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { DefinitionsAnswer } from '../answer.ts';
import { missingScopes, readAppScopes } from '../app-scopes.ts';
import { authPath, callbackPath } from '../auth/begin.ts';
import { type Client, openClient } from '../client.ts';
import { definitionsQuery } from '../definitions-query.ts';
import { eventTopics } from '../events.ts';
import { ensureDefinitions, metafieldKeys } from '../metafield-definitions.ts';
import { requiredScopes } from '../scopes.ts';
import type { App, Connection } from '../settings.ts';
import { doubledTopics } from './subscriptions.ts';

/** What the settings of the store and its app say of one request; both parsed by the platform's own schemas. */
function partsOf({ store, app, publicUrl }: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>) {
  const connection = store.connection as Connection;
  const settings = app as App;
  const productDetails = connection.productDetails || settings.productDetails;
  return { connection, app: settings, appId: store.app ?? connection.app, publicUrl, productDetails };
}

/**
 * Shows what a Shopify store lacks: our public address, access, permissions, metafield definitions, webhooks declared
 * twice. From here only the definitions can be put right; the rest is Shopify's or the
 * merchant's to do, and said. Throws ShopError while Shopify cannot be asked.
 */
export async function install(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const parts = partsOf(request);
  const { connection, app, publicUrl } = parts;
  const client = openClient(app, connection, context);
  const reachable = addressItem(publicUrl);
  const access = await granted(client).catch((error: unknown) => {
    if (error instanceof ShopError && !error.retryable) return error;
    throw error;
  });
  if (access instanceof ShopError) return [reachable, noAccess(access, parts, request)];
  return [
    reachable,
    { code: 'access', what: `Acceso a ${connection.shop}`, state: 'ok' as const, cure: null },
    scopesItem(missingScopes(requiredScopes(parts), access), parts),
    await definitionsItem(client, connection, request.apply),
    webhooksItem(await doubledTopics(client, publicUrl), parts),
  ];
}

/** The app's TOML. */
export function installFiles(
  request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>,
): readonly InstallFile[] {
  const parts = partsOf(request);
  return [{ name: tomlName(parts.appId), content: renderToml(parts) }];
}

const granted = (client: Client): Promise<string[] | ShopError> => readAppScopes(client);

type Parts = ReturnType<typeof partsOf>;

function addressItem(publicUrl: string): InstallItem {
  const what = `Dirección pública ${publicUrl}`;
  const { protocol, hostname } = new URL(publicUrl);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' && !here) return { code: 'public-url', what, state: 'ok', cure: null };
  const cure = here
    ? 'Shopify no puede avisar a esta máquina: ponga en publicUrl la dirección https:// de un túnel o de su servidor.'
    : 'Shopify solo avisa a direcciones https://: corrija publicUrl.';
  return { code: 'public-url', what, state: 'warning', cure };
}

function noAccess(
  error: ShopError,
  { app, connection, publicUrl, appId }: Parts,
  { apply }: InstallRequest,
): InstallItem {
  const what = `Acceso a ${connection.shop}`;
  const own = app.access === 'client-credentials';
  if (!error.disconnected) return { code: 'access', what, state: 'problem', cure: error.merchant };
  const cure = own
    ? `${error.merchant} ${deploy(appId, apply)} Después instale la app en la tienda desde el Dev Dashboard (Home > Install app).`
    : `Abra ${publicUrl}${authPath}?shop=${connection.shop} con la cuenta de la tienda y acepte los permisos.`;
  return { code: 'access', what, state: 'missing', cure };
}

function scopesItem(missing: readonly string[], { app, appId, publicUrl, connection }: Parts): InstallItem {
  const what = 'Permisos de la app';
  if (missing.length === 0) return { code: 'scopes', what, state: 'ok', cure: null };
  const accept =
    app.access === 'oauth'
      ? `Abra ${publicUrl}${authPath}?shop=${connection.shop} y acéptelos.`
      : 'Abra la app en la tienda y acepte los permisos nuevos.';
  return {
    code: 'scopes',
    what,
    state: 'missing',
    cure: `Faltan ${missing.join(', ')}. ${deploy(appId, true)} ${accept}`,
  };
}

function webhooksItem(doubled: readonly string[], { appId }: Parts): InstallItem {
  const what = 'Avisos (webhooks)';
  if (doubled.length === 0)
    return {
      code: 'webhooks',
      what,
      state: 'ok',
      cure: `Los declara ${tomlName(appId)}; ${deploy(appId, true)}`,
    };
  return {
    code: 'webhooks',
    what,
    state: 'warning',
    cure: `La tienda tiene además suscripciones propias hacia aquí (${doubled.join(', ')}): cada aviso llega dos veces, sin daño. Quítelas.`,
  };
}

function deploy(appId: string, written: boolean): string {
  const first = written ? '' : `Ejecute «facturapuente install» sin --check: escribe ${tomlName(appId)}. `;
  return `${first}Publíquelo con «shopify app deploy --config ${appId}».`;
}

const about = { code: 'definitions', what: 'Campos de la factura en el pedido' };

/** Our metafields on orders: looked at, or made and completed. */
async function definitionsItem(
  client: Client,
  { customerAccess }: Connection,
  apply: boolean,
): Promise<InstallItem> {
  if (!apply) return look(client);
  const done = await ensureDefinitions(client, { customerAccess });
  const problems = done.flatMap(({ key, problems }) => problems.map((code) => `${key} (${code})`));
  if (problems.length > 0)
    return {
      ...about,
      state: 'warning',
      cure: `Shopify no aceptó todo: ${problems.join(', ')}. La factura se escribe igual, pero puede no verse en el pedido.`,
    };
  const changed = done.filter(({ did }) => did.some((one) => one !== 'kept'));
  return { ...about, state: 'ok', cure: null, ...(changed.length > 0 ? { done: true } : {}) };
}

async function look(client: Client): Promise<InstallItem> {
  const { metafieldDefinitions } = await client.query(
    definitionsQuery,
    {},
    DefinitionsAnswer,
    'reading metafield definitions',
  );
  const known = new Set(metafieldDefinitions.nodes.map(({ key }) => key));
  const missing = metafieldKeys.filter((key) => !known.has(key));
  if (missing.length === 0) return { ...about, state: 'ok', cure: null };
  return {
    ...about,
    state: 'missing',
    cure: `Faltan ${missing.join(', ')}; «facturapuente install» los crea.`,
  };
}

/** Topics only the app's configuration may ask for (Shopify’s page on mandatory webhooks). */
const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'];

/** What of an order wakes us. No filter: one with a mistyped field delivers nothing and says nothing. */
const orderTopics = ['orders/paid', 'orders/cancelled', 'orders/edited', 'refunds/create'];

interface TomlFor {
  /** The app's id in the config: the last part of its webhook address. */
  appId: string;
  app: App;
  /** Without trailing slash. */
  publicUrl: string;
  /** Some store reads what was sold with tags and collections. */
  productDetails: boolean;
}

/**
 * The app's configuration as Shopify's command line deploys it. Scopes are those our documents need, webhooks those we
 * handle, the API version the one we speak.
 */
export function renderToml({ appId, app, publicUrl, productDetails }: TomlFor): string {
  const { access, apiVersion, clientId } = app;
  const door = `${publicUrl}/webhooks/${appId}`;
  const topics = [...orderTopics, ...eventTopics.filter((topic) => !complianceTopics.includes(topic))];
  // Merchants of a public app are sent to the install page by us, which tells the scopes; the others by Shopify.
  const legacy = access === 'oauth' ? '\nuse_legacy_install_flow = true' : '';
  return `# Made by «facturapuente install» for ${publicUrl}; the same command makes it again.
client_id = ${text(clientId)}
name = "facturapuente"
application_url = ${text(`${publicUrl}${authPath}`)}
embedded = false

[access_scopes]
scopes = ${text(requiredScopes({ productDetails }).join(','))}${legacy}

[auth]
redirect_urls = [${text(`${publicUrl}${callbackPath}`)}]

[webhooks]
api_version = ${text(apiVersion)}

  [[webhooks.subscriptions]]
  topics = [${topics.map(text).join(', ')}]
  uri = ${text(door)}

  [[webhooks.subscriptions]]
  compliance_topics = [${complianceTopics.map(text).join(', ')}]
  uri = ${text(door)}
`;
}

/** The name under which Shopify's command line finds it: \`shopify app deploy --config <app id>\`. */
function tomlName(appId: string): string {
  return `shopify.app.${appId}.toml`;
}

/** A basic string of TOML has the escapes of JSON. */
const text = (value: string): string => JSON.stringify(value);
