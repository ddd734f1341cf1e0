import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { failedBy, item, type Looked } from '../../src/domain/checks.ts';
import { ShopError } from '../../src/domain/errors.ts';
import { identify, rucOwner } from '../../src/domain/identification.ts';
import type { IdCandidate } from '../../src/domain/order.ts';
import type { InstallItem, ShopContext } from '../../src/domain/platform.ts';
import type { CheckCode } from '../../src/messages/checks.ts';
import type { Api } from './api.ts';
import { readCompany, readIds } from './buyer.ts';
import { oldestVersion } from './errors.ts';
import { probe } from './probe.ts';
import type { Connection } from './settings.ts';

/** Signatures of a shop without TLS are valid for 15 minutes (measured on WooCommerce 11.0.1). */
const mostSkewMs = 5 * 60_000;

export function errorItem<C extends CheckCode>(error: unknown, checked: C, params: Looked<C>): InstallItem {
  if (!(error instanceof ShopError)) throw error;
  return failedBy(checked, params, error);
}

export async function checkWithoutKeys(connection: Connection, context: ShopContext): Promise<InstallItem[]> {
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

export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

export async function publicUrlItem(url: string, timeoutMs: number): Promise<InstallItem> {
  const address = addressItem(url);
  if (address.state === 'problem' || (await answersAt(url, timeoutMs))) return address;
  return item('public-url', 'problem', { url, why: 'silent' });
}

/** WordPress sends to public hosts and few ports only (measured on WooCommerce 11.0.1). */
function addressItem(url: string): InstallItem {
  const { protocol, port, hostname: host } = new URL(url);
  if (isLoopback(url)) return item('public-url', 'warning', { url, why: 'here' });
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
