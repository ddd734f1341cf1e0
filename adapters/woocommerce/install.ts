import { ShopError } from '../../src/domain/errors.ts';
import type { InstallItem, InstallRequest, ShopContext } from '../../src/domain/platform.ts';
import { say, sentenceOf } from '../../src/messages/message.ts';
import { shops } from '../../src/messages/shops.ts';
import { type Api, openApi } from './api.ts';
import { connectLink } from './connect/start.ts';
import {
  configuredKeys,
  findKeys,
  noCredentials,
  readCredentials,
  updateCredentials,
} from './credentials.ts';
import { checkAddress, checkReachable, checkShop, checkWithoutKeys, errorItem } from './install-checks.ts';
import type { Connection } from './settings.ts';
import {
  newSecret,
  ourWebhooks,
  planWebhooks,
  repairWebhooks,
  topics,
  type WebhookTarget,
  webhookItem,
} from './webhooks.ts';

const shopWebhooks = 'Webhooks de la tienda';

/** Checks everything a WooCommerce store needs and, with `apply`, creates and repairs its webhooks. */
export async function install(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  const { publicUrl, apply } = request;
  if (apply) await setInstalled(connection, context);
  else if ((await readCredentials(context.credentials, connection.url)).uninstalled)
    return [uninstalledItem(request)];
  const items = [checkAddress(publicUrl), await checkReachable(publicUrl, connection.timeoutMs)];
  if (!connection.apiAccess) return [...items, byHandItem(request)];

  const api = await findApi(connection, context);
  if (api === null)
    return [...items, ...(await checkWithoutKeys(connection, context)), keysItem(request, context)];
  const shop = await checkShop(api, connection, context, request.decidesUntaxed ?? false);
  items.push(...shop);
  if (shop[0]?.state === 'problem') {
    if (shop[0].code === 'shop-unauthorized' && configuredKeys(connection) === null)
      items.push(keysItem(request, context));
    return items;
  }
  return [...items, ...(await webhookItems(request, context, api))];
}

/**
 * Repairs the webhooks of an installed store; answers what it repaired, and what stops it until a person acts, such as
 * revoked keys or a moved shop. Throws ShopError where waiting helps.
 */
export async function maintain(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  if (!connection.apiAccess || !(await readCredentials(context.credentials, connection.url)).installed)
    return [];
  const api = await findApi(connection, context);
  if (api === null) return [];
  try {
    const items = await repair(request, context, api);
    return items.filter(({ done }) => done);
  } catch (error) {
    if (error instanceof ShopError && error.retryable) throw error;
    return [errorItem(error)];
  }
}

/**
 * Ends the reading of a store, deletes our webhooks from the shop and forgets its credentials. These stay while the shop
 * does not answer, so that it can be tried again; not when the shop refuses our keys, which is final.
 */
export async function uninstall(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  const { credentials } = context;
  // First, so that `maintain` in another process does not create them again.
  await updateCredentials(credentials, connection.url, (before) =>
    before.uninstalled ? null : { ...before, installed: false, uninstalled: true },
  );
  if (!connection.apiAccess) return [deleteByHandItem(request)];
  const items: InstallItem[] = [];
  try {
    items.push(...(await deleteWebhooks(request, context)));
  } catch (error) {
    const item = errorItem(error, shopWebhooks);
    if (item.code !== 'shop-unauthorized') return [item];
    const resolution = `${item.resolution} Borre a mano los webhooks «facturapuente …» en WooCommerce → Ajustes → Avanzado → Webhooks.`;
    items.push({ ...item, state: 'warning', resolution });
  }
  const { keys } = await readCredentials(credentials, connection.url);
  // What stays keeps a store with keys of its config, or an installation that runs elsewhere, from going on.
  await updateCredentials(credentials, connection.url, () => ({ ...noCredentials, uninstalled: true }));
  if (keys !== null)
    items.push({
      code: 'keys',
      what: 'Claves que entregó la tienda',
      state: 'ok',
      resolution: 'Se olvidaron aquí; revóquelas también en WooCommerce → Ajustes → Avanzado → API REST.',
      done: true,
    });
  return items;
}

/** The connection of a store is its platform's own, parsed. */
const connectionOf = ({ store }: InstallRequest): Connection => store.connection as Connection;

const setInstalled = ({ url }: Connection, { credentials }: ShopContext) =>
  updateCredentials(credentials, url, (before) =>
    before.installed && !before.uninstalled ? null : { ...before, installed: true, uninstalled: false },
  );

/** Null before the shop handed over its keys. */
async function findApi(connection: Connection, context: ShopContext): Promise<Api | null> {
  const keys = await findKeys(connection, context);
  return keys && openApi(connection, async () => keys, context);
}

async function webhookItems(request: InstallRequest, context: ShopContext, api: Api): Promise<InstallItem[]> {
  try {
    if (request.apply) return await repair(request, context, api);
    const plans = planWebhooks(await api.webhooks(), await targetOf(request, context));
    return plans.map((plan) => webhookItem(plan, false));
  } catch (error) {
    return [errorItem(error, shopWebhooks)];
  }
}

async function repair(request: InstallRequest, context: ShopContext, api: Api): Promise<InstallItem[]> {
  const { url, webhookSecrets } = connectionOf(request);
  // A new secret is stored before any webhook has it.
  if (webhookSecrets.length === 0)
    await updateCredentials(context.credentials, url, (before) =>
      before.secrets.length > 0 ? null : { ...before, secrets: [newSecret()] },
    );
  const target = await targetOf(request, context);
  const plan = planWebhooks(await api.webhooks(), target);
  await repairWebhooks(api, plan, target);
  // Another process may have done the same: the last one to look leaves one of each.
  if (plan.some(({ create }) => create))
    await repairWebhooks(api, planWebhooks(await api.webhooks(), target), target);
  return plan.map((one) => webhookItem(one, true));
}

async function deleteWebhooks(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const api = await findApi(connectionOf(request), context);
  if (api === null) return [];
  const items: InstallItem[] = [];
  for (const { id, topic } of ourWebhooks(await api.webhooks(), await targetOf(request, context))) {
    await api.deleteWebhook(id);
    const code = `webhook ${topic}`;
    items.push({ code, what: `Webhook ${topic}`, state: 'ok', resolution: null, done: true });
  }
  return items;
}

/** Webhooks sign with the newest secret of the config, else with one of ours. */
async function targetOf(request: InstallRequest, context: ShopContext): Promise<WebhookTarget> {
  const { url, webhookSecrets } = connectionOf(request);
  const { secrets } = await readCredentials(context.credentials, url);
  return {
    url: `${request.publicUrl}/webhooks/${encodeURIComponent(request.store.id)}`,
    secrets: [...webhookSecrets, ...secrets],
  };
}

function keysItem(request: InstallRequest, { clock }: ShopContext): InstallItem {
  const overHttp = request.publicUrl.startsWith('http:')
    ? ' Con una dirección http, WooCommerce no las entrega: sírvala por https, o escriba «consumerKey» y «consumerSecret» en la configuración.'
    : '';
  const resolution = request.apply
    ? `Apruebe la conexión como administrador de la tienda en este enlace, que vale 24 horas: ${connectLink(request, clock)}`
    : say(shops.entries['shop-not-connected'][1], { platform: 'WooCommerce' });
  return { code: 'keys', what: 'Claves de la API', state: 'missing', resolution: `${resolution}${overHttp}` };
}

function uninstalledItem({ store }: InstallRequest): InstallItem {
  return {
    code: 'store-uninstalled',
    what: 'Tienda desinstalada',
    state: 'warning',
    resolution: sentenceOf(shops.entries['store-uninstalled'], { store: store.id }),
  };
}

function deleteByHandItem({ store, publicUrl }: InstallRequest): InstallItem {
  return {
    code: 'api-access',
    what: 'Sin acceso a la API (apiAccess: false)',
    state: 'warning',
    resolution: `Desde ahora se ignoran sus webhooks; borre los que van a ${publicUrl}/webhooks/${store.id} en WooCommerce → Ajustes → Avanzado → Webhooks.`,
  };
}

function byHandItem({ store, publicUrl }: InstallRequest): InstallItem {
  return {
    code: 'api-access',
    what: 'Sin acceso a la API (apiAccess: false)',
    state: 'warning',
    resolution: `Cree a mano, en WooCommerce → Ajustes → Avanzado → Webhooks, los webhooks ${topics.join(', ')} hacia ${publicUrl}/webhooks/${store.id} con el secreto de «webhookSecrets».`,
  };
}
