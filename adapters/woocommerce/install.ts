import { did, item } from '../../src/domain/checks.ts';
import { ShopError } from '../../src/domain/errors.ts';
import type { InstallItem, InstallRequest, ShopContext } from '../../src/domain/platform.ts';
import { type Api, openApi } from './api.ts';
import { connectLink } from './connect/start.ts';
import {
  configuredKeys,
  findKeys,
  noCredentials,
  readCredentials,
  updateCredentials,
} from './credentials.ts';
import { checkShop, checkWithoutKeys, errorItem, publicUrlItem } from './install-checks.ts';
import type { Connection } from './settings.ts';
import {
  newSecret,
  ourWebhooks,
  planWebhooks,
  repairWebhooks,
  topics,
  type WebhookTarget,
  webhookDone,
  webhookItem,
} from './webhooks.ts';

export async function install(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  const { publicUrl, apply } = request;
  if (apply) await setInstalled(connection, context);
  else if ((await readCredentials(context.credentials, connection.url)).uninstalled)
    return [uninstalledItem(request)];
  const items = [await publicUrlItem(publicUrl, connection.timeoutMs)];
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
    return [errorItem(error, 'shop', {})];
  }
}

/** Credentials stay while the shop does not answer, for another try; a refusal of our keys is final. */
export async function uninstall(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  const { credentials } = context;
  // First, so that `maintain` in another process does not create the webhooks again.
  await updateCredentials(credentials, connection.url, (before) =>
    before.uninstalled ? null : { ...before, installed: false, uninstalled: true },
  );
  if (!connection.apiAccess) return [deleteByHandItem(request)];
  const items: InstallItem[] = [];
  try {
    items.push(...(await deleteWebhooks(request, context)));
  } catch (error) {
    const found = errorItem(error, 'shop-installation', { of: 'webhooks' });
    if (found.code !== 'shop-unauthorized') return [found];
    items.push(item('shop-installation', 'warning', { of: 'webhooks', why: 'delete-by-hand' }), {
      ...found,
      state: 'warning',
    });
  }
  const { keys } = await readCredentials(credentials, connection.url);
  // The mark stops a store with keys in its config, and an installation that runs elsewhere.
  await updateCredentials(credentials, connection.url, () => ({ ...noCredentials, uninstalled: true }));
  if (keys !== null) items.push(did('access', { of: 'handed', why: 'forgotten' }));
  return items;
}

const connectionOf = ({ store }: InstallRequest): Connection => store.connection as Connection;

const setInstalled = ({ url }: Connection, { credentials }: ShopContext) =>
  updateCredentials(credentials, url, (before) =>
    before.installed && !before.uninstalled ? null : { ...before, installed: true, uninstalled: false },
  );

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
    return [errorItem(error, 'shop-installation', { of: 'webhooks' })];
  }
}

async function repair(request: InstallRequest, context: ShopContext, api: Api): Promise<InstallItem[]> {
  const { url, webhookSecrets } = connectionOf(request);
  if (webhookSecrets.length === 0)
    await updateCredentials(context.credentials, url, (before) =>
      before.secrets.length > 0 ? null : { ...before, secrets: [newSecret()] },
    );
  const target = await targetOf(request, context);
  const plan = planWebhooks(await api.webhooks(), target);
  await repairWebhooks(api, plan, target);
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
    items.push(webhookDone(topic));
  }
  return items;
}

async function targetOf(request: InstallRequest, context: ShopContext): Promise<WebhookTarget> {
  const { url, webhookSecrets } = connectionOf(request);
  const { secrets } = await readCredentials(context.credentials, url);
  return {
    url: `${request.publicUrl}/webhooks/${encodeURIComponent(request.store.id)}`,
    secrets: [...webhookSecrets, ...secrets],
  };
}

function keysItem(request: InstallRequest, { clock }: ShopContext): InstallItem {
  const of = 'keys';
  const http = request.publicUrl.startsWith('http:');
  return request.apply
    ? item('access', 'missing', { of, why: 'link', link: connectLink(request, clock), http })
    : item('access', 'missing', { of, why: 'unconnected', http });
}

const uninstalledItem = ({ store }: InstallRequest): InstallItem =>
  item('store-uninstalled', 'warning', { store: store.id });

const webhookUrl = ({ store, publicUrl }: InstallRequest) => `${publicUrl}/webhooks/${store.id}`;

const deleteByHandItem = (request: InstallRequest): InstallItem =>
  item('access', 'warning', { of: 'none', why: 'delete-by-hand', url: webhookUrl(request) });

const byHandItem = (request: InstallRequest): InstallItem =>
  item('access', 'warning', { of: 'none', why: 'by-hand', topics, url: webhookUrl(request) });
