import { writeConfig } from '../sandbox/demo/run.ts';
import type { AccountOptions } from '../sandbox/emulator/index.ts';
import { freePort } from '../sandbox/shops/loopback.ts';
import { demoIssuer } from '../src/cli/given.ts';
import { rucOf } from './identifications.ts';
import type { Options } from './options.ts';
import type { Servers } from './servers.ts';
import type { Credentials } from './shop.ts';

/** One configured store of the run. */
export interface StorePlan {
  id: string;
  platform: 'woocommerce' | 'shopify';
  account: string;
  /** The issuer's account. */
  ruc: string;
  puntoEmision: string;
  credentials: Credentials;
}

export interface Installation {
  /** Where shops and the tax service find the endpoints; one address per `web`. */
  endpoints: string[];
  stores: StorePlan[];
  accounts: AccountOptions[];
}

export const storesPerAccount = 3;

/** Store n belongs to account n / 3; every account has both platforms, the third alternates. */
export function platformOf(store: number): StorePlan['platform'] {
  const nth = store % storesPerAccount;
  return (nth === 2 ? Math.floor(store / storesPerAccount) : nth) % 2 === 0 ? 'woocommerce' : 'shopify';
}

/** All Shopify shops installed one app: they share its endpoint. */
export const appId = 'app-caos';
const appSecret = 'secreto-de-la-app-0123456789abcdef';
const serviceSecret = 'secreto-del-servicio-0123456789abcdef0123';

/** Accounts with three stores each: two platforms share one series, a third store has its own. */
export async function planInstallation({ accounts, embedded }: Options): Promise<Installation> {
  const endpoints = [await freePort(), ...(embedded ? [] : [await freePort()])].map(
    (port) => `http://127.0.0.1:${port}`,
  );
  const names = Array.from({ length: accounts }, (_, at) => `cuenta-${at + 1}`);
  return {
    endpoints,
    accounts: names.map((account, at) => ({
      apiKey: keyOf(account),
      webhook: {
        url: `${endpoints[at % endpoints.length]}/service/webhook/${account}`,
        secret: serviceSecret,
      },
    })),
    stores: Array.from({ length: accounts * storesPerAccount }, (_, at) => {
      const account = Math.floor(at / storesPerAccount);
      const nth = at % storesPerAccount;
      const platform = platformOf(at);
      return {
        id: `tienda-${at + 1}`,
        platform,
        account: names[account] ?? '',
        ruc: issuerRuc(account),
        puntoEmision: nth === 2 ? '002' : '001',
        credentials: {
          secret: platform === 'shopify' ? appSecret : `secreto-de-la-tienda-${at + 1}-0123456789abcdef`,
          consumerKey: `ck_${at + 1}`,
          consumerSecret: `cs_${at + 1}`,
          accessToken: `token-de-la-tienda-${at + 1}`,
          domain: `tienda-${at + 1}.myshopify.com`,
        },
      };
    }),
  };
}

const keyOf = (account: string): string => `clave-de-${account}`;
const issuerRuc = (account: number): string => rucOf(900_000 + account);

/** Writes the config every process of the product reads; answers the file. */
export function writeInstallation(
  { rate, disasters }: Options,
  folder: string,
  { endpoints, stores, accounts }: Installation,
  places: {
    serviceUrl: string;
    shopUrls: readonly string[];
    servers: Servers | null;
    ledger: string;
    testClock: string;
  },
): Promise<string> {
  const { serviceUrl, shopUrls, servers, ledger, testClock } = places;
  // Sales from the first start on count: a wrong clock at that time must not make them history.
  const sinceStart = (at: number) => disasters.includes('own-clock') && at % storesPerAccount === 2;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const accountNames = [...new Set(stores.map(({ account }) => account))];
  return writeConfig(folder, {
    publicUrl: endpoints[0],
    port: Number(new URL(endpoints[0] ?? '').port),
    secret: 'un-secreto-de-al-menos-32-caracteres-para-el-caos',
    testClock,
    ledger: servers ? { url: servers.databaseUrl } : { directory: ledger },
    ...(servers ? { redis: { url: servers.redisUrl, prefix: servers.redisPrefix } } : {}),
    // Long enough that a busy machine does not lose leases of running jobs: running jobs twice adds load.
    worker: { leaseSeconds: 5 },
    // Sixty shops are searched every ten real seconds: on a clock this fast the usual five minutes would dominate the run.
    reconciliation: { everyMinutes: Math.max(5, Math.round(rate / 6)) },
    accounts: Object.fromEntries(
      accountNames.map((account, at) => [
        account,
        { baseUrl: serviceUrl, apiKey: accounts[at]?.apiKey, webhookSecrets: [serviceSecret] },
      ]),
    ),
    issuers: Object.fromEntries(
      accountNames.map((account, at) => [account, { account, ambiente, ...issuer, ruc: issuerRuc(at) }]),
    ),
    apps: { [appId]: { platform: 'shopify', clientId: appId, clientSecrets: [appSecret] } },
    stores: Object.fromEntries(
      stores.map((store, at) => [
        store.id,
        { ...toStore(store, shopUrls[at] ?? ''), ...(sinceStart(at) ? {} : { invoiceFrom: '2026-01-01' }) },
      ]),
    ),
  });
}

export function toStore({ platform, account, puntoEmision, credentials }: StorePlan, url: string) {
  const { secret, consumerKey, consumerSecret, accessToken, domain } = credentials;
  return {
    platform,
    issuer: account,
    series: { establecimiento: '001', puntoEmision },
    connection:
      platform === 'shopify'
        ? { app: appId, shop: domain, adminUrl: url, accessToken, timeoutMs: 5_000 }
        : { url, webhookSecrets: [secret], consumerKey, consumerSecret, timeoutMs: 5_000 },
  };
}
