import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { did, failedBy, item, type Looked } from '../../src/domain/checks.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { ShopError } from '../../src/domain/errors.ts';
import { identify, rucOwner } from '../../src/domain/identification.ts';
import type { IdCandidate } from '../../src/domain/order.ts';
import type { InstallItem, InstallRequest, ShopContext } from '../../src/domain/platform.ts';
import { isLoopback } from '../../src/domain/ports.ts';
import type { CheckCode } from '../../src/messages/checks.ts';
import { type Api, openApi } from './api.ts';
import { readCompany, readIds } from './buyer.ts';
import { probe } from './client.ts';
import {
  configuredKeys,
  findKeys,
  noCredentials,
  readCredentials,
  updateCredentials,
} from './credentials.ts';
import { oldestVersion } from './errors.ts';
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

/** Of the page that begins the connection (connect.ts). */
export const connectPath = '/woocommerce/connect';

/** What a ticket for that page opens: one store at one address. */
export const connectUse = ({ id, shop }: { id: string; shop: string }): string =>
  `woocommerce connect ${id} ${shop}`;

const ticketLifeMs = 24 * 60 * 60_000;

function connectLink({ publicUrl, store, tickets }: InstallRequest, clock: Clock): string {
  const ticket = tickets.issue(connectUse(store), new Date(clock.now().getTime() + ticketLifeMs));
  return `${publicUrl}${connectPath}?${new URLSearchParams({ store: store.id, ticket })}`;
}

const uninstalledItem = ({ store }: InstallRequest): InstallItem =>
  item('store-uninstalled', 'warning', { store: store.id });

const webhookUrl = ({ store, publicUrl }: InstallRequest) => `${publicUrl}/webhooks/${store.id}`;

const deleteByHandItem = (request: InstallRequest): InstallItem =>
  item('access', 'warning', { of: 'none', why: 'delete-by-hand', url: webhookUrl(request) });

const byHandItem = (request: InstallRequest): InstallItem =>
  item('access', 'warning', { of: 'none', why: 'by-hand', topics, url: webhookUrl(request) });

/** Signatures of a shop without TLS are valid for 15 minutes (measured on WooCommerce 11.0.1). */
const mostSkewMs = 5 * 60_000;

function errorItem<C extends CheckCode>(error: unknown, checked: C, params: Looked<C>): InstallItem {
  if (!(error instanceof ShopError)) throw error;
  return failedBy(checked, params, error);
}

async function checkWithoutKeys(connection: Connection, context: ShopContext): Promise<InstallItem[]> {
  try {
    const { date } = await probe(connection, context);
    return [item('shop', 'ok', {}), ...clockItem(date, context)];
  } catch (error) {
    return [errorItem(error, 'shop', {})];
  }
}

/** @param decidesUntaxed whether the merchant's rules state the IVA of lines without tax. */
export async function checkShop(
  api: Api,
  connection: Connection,
  context: ShopContext,
  decidesUntaxed: boolean,
): Promise<InstallItem[]> {
  try {
    const { currency, decimals, date } = await api.settings();
    const { version, wp_cron: cron } = await api.version().catch(unknownVersion);
    const items: InstallItem[] = [
      item('shop', 'ok', {}),
      versionItem(version),
      ...clockItem(date, context),
      currencyItem(currency),
      ...decimalsItem(decimals),
      ...taxesItem(await api.calculatesTaxes().catch(unknown), decidesUntaxed),
    ];
    if (cron === false) items.push(item('cron', 'warning', {}));
    items.push(await rightsItem(api));
    const plugin = await api.plugin().catch(unknown);
    if (plugin !== null) items.push(item('plugin', 'ok', { version: plugin.version }));
    items.push(...(await idItems(api, connection, plugin?.fields.asked ?? false)));
    return items;
  } catch (error) {
    return [errorItem(error, 'shop', {})];
  }
}

function unknownVersion(error: unknown): { version: null; wp_cron?: boolean } {
  if (error instanceof ShopError && error.retryable) return { version: null };
  throw error;
}

function unknown(error: unknown): null {
  if (error instanceof ShopError) return null;
  throw error;
}

function versionItem(version: string | null): InstallItem {
  const oldest = oldestVersion;
  if (version === null) return item('version', 'warning', { version, why: 'unknown', oldest });
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = oldest.split('.').map(Number);
  if (major > least || (major === least && minor >= leastMinor)) return item('version', 'ok', { version });
  return item('version', 'problem', { version, why: 'old', oldest });
}

function clockItem(date: Date | null, { clock }: Pick<ShopContext, 'clock'>): InstallItem[] {
  if (date === null) return [];
  const skew = date.getTime() - clock.now().getTime();
  const of = 'shop';
  if (Math.abs(skew) <= mostSkewMs) return [item('account-clock', 'ok', { of })];
  return [item('account-clock', 'problem', { of, why: of, minutes: Math.round(skew / 60_000) })];
}

function currencyItem(currency: string): InstallItem {
  const of = 'currency';
  if (currency === 'USD') return item('shop-settings', 'ok', { of });
  return item('shop-settings', 'problem', { of, why: of, currency });
}

/** Measured on WooCommerce 11.0.1: with 0 decimals IVA and total differ by up to 50 cents, with 4 orders are invoiced. */
function decimalsItem(decimals: number | null): InstallItem[] {
  if (decimals === null) return [];
  const of = 'decimals';
  if (decimals === 2) return [item('shop-settings', 'ok', { of })];
  return [item('shop-settings', decimals > 2 ? 'warning' : 'problem', { of, why: of, decimals })];
}

function taxesItem(calculated: boolean | null, decidesUntaxed: boolean): InstallItem[] {
  if (calculated === null) return [];
  const of = 'taxes';
  if (calculated) return [item('shop-settings', 'ok', { of })];
  if (decidesUntaxed) return [item('shop-settings', 'ok', { of, why: 'decided' })];
  return [item('shop-settings', 'problem', { of, why: of })];
}

async function rightsItem(api: Api): Promise<InstallItem> {
  try {
    await api.checkWriteAccess();
    return item('access', 'ok', { of: 'rights' });
  } catch (error) {
    return errorItem(error, 'access', { of: 'rights' });
  }
}

async function idItems(api: Api, { idSources }: Connection, pluginAsks: boolean): Promise<InstallItem[]> {
  const orders = await api.recentOrders();
  const idsOf = (order: (typeof orders)[number]) => readIds(order, idSources);
  if (pluginAsks || orders.some((order) => idsOf(order).length > 0)) {
    const unnamed = orders.filter((order) => idsOf(order).some(isCompany) && readCompany(order) === null);
    const found = item('buyer-fields', 'ok', { of: 'id' });
    return pluginAsks || unnamed.length === 0 ? [found] : [found, companyItem(unnamed.length, orders.length)];
  }
  return [item('buyer-fields', 'warning', { of: 'id', why: 'id', orders: orders.length })];
}

const isCompany = ({ value }: IdCandidate): boolean => {
  const found = identify(value);
  return found?.type === 'ruc' && rucOwner(found.value) === 'company';
};

/** New shops hide WooCommerce's field (`woocommerce_checkout_company_field`), which its REST API does not show. */
const companyItem = (unnamed: number, orders: number): InstallItem =>
  item('buyer-fields', 'warning', { of: 'company', why: 'company', unnamed, orders });

const privateNet = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  privateNet.addSubnet(net, bits);

async function publicUrlItem(url: string, timeoutMs: number): Promise<InstallItem> {
  const address = addressItem(url);
  if (address.state === 'problem' || (await answersAt(url, timeoutMs))) return address;
  return item('public-url', 'problem', { url, why: 'silent' });
}

/** WordPress sends to public hosts and few ports only (measured on WooCommerce 11.0.1). */
function addressItem(url: string): InstallItem {
  const { protocol, port, hostname: host } = new URL(url);
  if (isLoopback(host)) return item('public-url', 'warning', { url, why: 'here' });
  if (protocol !== 'https:') return item('public-url', 'problem', { url, why: 'plain' });
  if (isIP(host) === 4 && privateNet.check(host))
    return item('public-url', 'problem', { url, why: 'private', host });
  if (!['', '8080'].includes(port)) return item('public-url', 'problem', { url, why: 'port', port });
  return item('public-url', 'ok', { url });
}

const alive = z.object({ status: z.literal('alive') });

async function answersAt(url: string, timeoutMs: number): Promise<boolean> {
  const health = await fetch(`${url}/healthz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(Math.min(timeoutMs, 10_000)),
    headers: { connection: 'close' },
  })
    .then((answer) => answer.json())
    .catch(() => null);
  return alive.safeParse(health).success;
}
