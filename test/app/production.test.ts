import { expect, onTestFinished, test } from 'vitest';
import { askedAtStart, refuseUnconfirmed } from '../../src/app/observation.ts';
import { openLiveSettings, openSettings } from '../../src/app/settings.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { parseConfig } from '../../src/config/load.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { document, encryptionKey, noon } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';

const { ruc } = demoIssuer.issuer;

const store = (shop: string, issuer: string) => ({
  platform: 'shopify',
  issuer,
  series: { establecimiento: '001', puntoEmision: '001' },
  connection: { app: 'app', shop: `${shop}.myshopify.com` },
});
const written = {
  publicUrl: 'https://conector.example',
  accounts: { cuenta: { baseUrl: 'http://127.0.0.1:9', apiKey: 'clave' } },
  issuers: { propio: { account: 'cuenta', ...demoIssuer.issuer, ambiente: 2 } },
  apps: {
    app: {
      platform: 'shopify',
      access: 'oauth',
      clientId: 'id',
      clientSecrets: ['secreto-de-la-app-propia-0123456789abcdef'],
    },
  },
  stores: { quito: store('quito', 'propio') },
};
const read = (config: object) => parseConfig(config, { file: '/x/facturapuente.yaml', env: {} });
async function open() {
  const clock = { now: () => noon };
  const ledger = await openLedger({ directory: temporaryDirectory(), encryptionKey }, clock, silentLog);
  onTestFinished(() => ledger.close());
  return ledger;
}

/** Whether a start in ambiente 2 begins on a ledger where `of` was authorised before. */
async function begins(of: { ruc: string; ambiente: 1 | 2; account: string } | null): Promise<boolean> {
  const { stores } = await openSettings(read(written));
  const ledger = await open();
  if (of !== null) {
    const made = await ledger.documents.create(document(of));
    for (const [from, to] of [
      ['ready', 'sending'],
      ['sending', 'processing'],
      ['processing', 'authorized'],
    ] as const)
      await ledger.documents.move(made?.id ?? '', { from: [from], to, now: noon });
  }
  return refuseUnconfirmed(stores, { production: [] }, ledger).then(
    () => true,
    (error: { code?: string }) => error.code !== 'production-unconfirmed',
  );
}

test('a shop that is invoiced in production already goes on after an upgrade, unasked', async () => {
  expect(await begins({ ruc, ambiente: 2, account: 'cuenta' })).toBe(true);
});

test('facturas of the test environment, of another issuer or another account confirm nothing', async () => {
  expect(await begins(null)).toBe(false);
  expect(await begins({ ruc, ambiente: 1, account: 'cuenta' })).toBe(false);
  expect(await begins({ ruc: '1792146739001', ambiente: 2, account: 'cuenta' })).toBe(false);
  expect(await begins({ ruc, ambiente: 2, account: 'otra' })).toBe(false);
});

test('a store of the ledger, asked for when it was added, keeps no other from starting', async () => {
  const { quito } = written.stores;
  const config = read({
    ...written,
    issuers: { propio: { ...written.issuers.propio, ambiente: 1 } },
    stores: { quito },
  });
  const live = await openLiveSettings(config);
  const raw = {
    issuers: { otro: { ...written.issuers.propio, ruc: '1792146739001' } },
    stores: { loja: store('loja', 'otro') },
  };
  expect(live.adopt({ stores: [{ id: 'loja', version: 1, raw }], addresses: [] }).size).toBe(0);
  const ledger = await open();
  const { stores } = live.settings;
  await expect(refuseUnconfirmed(stores, live, ledger)).rejects.toThrow('loja');
  await expect(refuseUnconfirmed(askedAtStart(stores, config), live, ledger)).resolves.toBeUndefined();
});
