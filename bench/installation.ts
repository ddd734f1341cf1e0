import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { taxPolicy } from '../sandbox/shops/woocommerce-orders.ts';
import { type Installation, openInstallation } from '../src/app/installation.ts';
import { demoIssuer } from '../src/cli/given.ts';
import { loadConfig } from '../src/config/load.ts';
import { orderSubject } from '../src/domain/job.ts';
import { syncOrder } from '../src/jobs/sync-order.ts';
import { paidOrder, secret } from './bodies.ts';
import { serviceSecret } from './servers.ts';

/** A shop of the bench, and under which account it issues. */
export interface BenchStore {
  id: string;
  account: string;
  /** Of its series; the stores are numbered by default. */
  point?: number;
}

/** A written config; nothing of it runs yet. */
export interface Installed {
  folder: string;
  /** The config file. */
  file: string;
  url: string;
}

/** The store of the load (load.ts), whose service does not answer. */
export const oneStore = { serviceUrl: 'http://127.0.0.1:9', stores: [{ id: 'tienda', account: 'cuenta' }] };

/**
 * Writes the config of an installation into a folder. Its stores use their newest signed body, so no shop is called.
 */
export function install(
  folder: string,
  options: {
    serviceUrl: string;
    port: number;
    stores: readonly BenchStore[];
    testClock?: string;
    /** Instead of an empty SQLite ledger in the folder. */
    ledger?: { directory: string } | { url: string };
    /** The panel's people. */
    panel?: {
      users: readonly { user: string; passwordHash: string; role: string }[];
      secondFactor: 'off';
    };
  },
): Installed {
  const { serviceUrl, port, stores, testClock, ledger, panel } = options;
  const url = `http://127.0.0.1:${port}`;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const accounts = [...new Set(stores.map(({ account }) => account))];
  const each = <T>(names: readonly string[], value: (name: string) => T) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  const config = {
    publicUrl: url,
    port,
    secret: 'un-secreto-de-al-menos-32-caracteres-para-medir',
    ledger: ledger ?? { directory: join(folder, 'ledger') },
    ...(testClock ? { testClock } : {}),
    ...(panel ? { panel } : {}),
    accounts: each(accounts, (id) => ({
      baseUrl: serviceUrl,
      apiKey: `clave-${id}`,
      webhookSecrets: [serviceSecret],
    })),
    issuers: each(accounts, (account) => ({ account, ambiente, ...issuer })),
    stores: Object.fromEntries(
      stores.map(({ id, account, point }, n) => [
        id,
        {
          platform: 'woocommerce',
          issuer: account,
          series: { establecimiento: '001', puntoEmision: String(point ?? n + 1).padStart(3, '0') },
          invoiceFrom: '2026-01-01',
          policy: { tax: taxPolicy },
          connection: { url: shopOf(id), webhookSecrets: [secret], apiAccess: false },
        },
      ]),
    ),
  };
  const file = join(folder, 'facturapuente.config.json');
  writeFileSync(file, JSON.stringify(config));
  return { folder, file, url };
}

const shopOf = (store: string) => `http://127.0.0.1:1/${store}`;

/** Opens the installation of a config file as `start` does. */
export async function openFile(file: string): Promise<Installation> {
  const config = await loadConfig({ path: file, cwd: process.cwd(), env: {} });
  return openInstallation(config, { role: 'all', as: 'start' });
}

/**
 * Receives and plans a number of orders per store, which leaves as many documents waiting. The stores sell in turn, so that
 * documents sent together were stored together.
 */
export async function stock(
  { ledger, clock, jobDeps }: Installation,
  stores: readonly string[],
  each: number,
  firstId: number,
): Promise<void> {
  const sync = syncOrder(jobDeps);
  const one = async (n: number) => {
    const store = stores[n % stores.length] ?? '';
    const id = firstId + n;
    const key = { platform: 'woocommerce', shop: shopOf(store), orderId: String(id) };
    const body = Buffer.from(paidOrder(id).body);
    const receivedAt = clock.now();
    await ledger.accept({
      connection: store,
      dedupeKey: `b${id}`,
      topic: 'order.updated',
      ...key,
      body,
      receivedAt,
      job: null,
    });
    await sync({
      id: `bench-${id}`,
      kind: 'sync-order',
      subject: orderSubject(key),
      storeId: store,
      rateLimit: null,
      payload: undefined,
      trace: null,
      attempts: 0,
      token: '',
    });
  };
  const count = each * stores.length;
  for (let at = 0; at < count; at += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - at) }, (_, n) => one(at + n)));
  }
}
