import { join } from 'node:path';
import { freePort } from '../src/cli/demo/free-port.ts';
import { writeConfig } from '../src/cli/demo/parts.ts';
import { demoIssuer } from '../src/cli/demo-issuer.ts';
import type { AccountOptions } from '../src/sandbox/index.ts';
import { rucOf } from './identifications.ts';
import type { Options } from './options.ts';
import { storesPerAccount } from './schedule.ts';
import type { Servers } from './servers.ts';
import type { Credentials } from './shop.ts';

/** One configured store of the run. */
export interface StorePlan {
  id: string;
  platform: 'woocommerce' | 'shopify';
  account: string;
  puntoEmision: string;
  credentials: Credentials;
}

export interface Installation {
  /** Where shops and the tax service find the doors; one address per `web`. */
  doors: string[];
  stores: StorePlan[];
  accounts: AccountOptions[];
}

/** All Shopify shops installed one app: they share its door. */
export const appId = 'app-caos';
const appSecret = 'secreto-de-la-app-0123456789abcdef';
const serviceSecret = 'secreto-del-servicio-0123456789abcdef0123';

/** Accounts with three stores each: two platforms share one series, a third store has its own. */
export async function planInstallation({ accounts, embedded }: Options): Promise<Installation> {
  const doors = [await freePort(), ...(embedded ? [] : [await freePort()])].map(
    (port) => `http://127.0.0.1:${port}`,
  );
  const names = Array.from({ length: accounts }, (_, at) => `cuenta-${at + 1}`);
  return {
    doors,
    accounts: names.map((account, at) => ({
      apiKey: keyOf(account),
      webhook: { url: `${doors[at % doors.length]}/service/webhook/${account}`, secret: serviceSecret },
    })),
    // Store n belongs to account n / 3; every account has both platforms, the third alternates.
    stores: Array.from({ length: accounts * storesPerAccount }, (_, at) => {
      const account = Math.floor(at / storesPerAccount);
      const nth = at % storesPerAccount;
      const platform = (nth === 2 ? account : nth) % 2 === 0 ? 'woocommerce' : 'shopify';
      return {
        id: `tienda-${at + 1}`,
        platform,
        account: names[account] ?? '',
        puntoEmision: nth === 2 ? '002' : '001',
        credentials: {
          secret: platform === 'shopify' ? appSecret : `secreto-de-la-tienda-${at + 1}`,
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

/** Writes the config every process of the product reads; answers the file. */
export function writeInstallation(
  { rate }: Options,
  folder: string,
  { doors, stores, accounts }: Installation,
  places: { sandboxUrl: string; shopUrls: readonly string[]; servers: Servers | null; testClock: string },
): Promise<string> {
  const { sandboxUrl, shopUrls, servers, testClock } = places;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const accountNames = [...new Set(stores.map(({ account }) => account))];
  return writeConfig(folder, {
    publicUrl: doors[0],
    port: Number(new URL(doors[0] ?? '').port),
    secret: 'un-secreto-de-al-menos-32-caracteres-para-el-caos',
    testClock,
    ledger: servers ? { url: servers.databaseUrl } : { directory: join(folder, 'ledger') },
    ...(servers ? { redis: { url: servers.redisUrl, prefix: servers.redisPrefix } } : {}),
    worker: { leaseSeconds: 2 },
    // Sixty shops are asked; on a clock this fast the usual five minutes would be the run's main work.
    sweep: { everyMinutes: Math.max(5, Math.round(rate / 20)) },
    accounts: Object.fromEntries(
      accountNames.map((account, at) => [
        account,
        { baseUrl: sandboxUrl, apiKey: accounts[at]?.apiKey, webhookSecrets: [serviceSecret] },
      ]),
    ),
    issuers: Object.fromEntries(
      accountNames.map((account, at) => [
        account,
        { account, ambiente, ...issuer, ruc: rucOf(900_000 + at) },
      ]),
    ),
    apps: { [appId]: { platform: 'shopify', clientId: appId, clientSecrets: [appSecret] } },
    stores: Object.fromEntries(stores.map((store, at) => [store.id, toStore(store, shopUrls[at] ?? '')])),
  });
}

function toStore({ platform, account, puntoEmision, credentials }: StorePlan, url: string) {
  const { secret, consumerKey, consumerSecret, accessToken, domain } = credentials;
  return {
    platform,
    issuer: account,
    series: { establecimiento: '001', puntoEmision },
    invoiceFrom: '2026-01-01',
    connection:
      platform === 'shopify'
        ? { app: appId, shop: domain, adminUrl: url, accessToken, timeoutMs: 5_000 }
        : { url, webhookSecrets: [secret], consumerKey, consumerSecret, timeoutMs: 5_000 },
  };
}
