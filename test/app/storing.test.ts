import { describe, expect, onTestFinished, test } from 'vitest';
import { openLiveSettings } from '../../src/app/settings.ts';
import { openShopContext, openStores } from '../../src/app/stores.ts';
import { openStoring } from '../../src/app/storing.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { parseConfig } from '../../src/config/load.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { Store } from '../../src/domain/settings.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { addStore, removeStore } from '../../src/operations/installation.ts';
import { document } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';
import { operationsOver } from '../support/operations.ts';

const clock = { now: () => new Date('2026-11-20T15:00:00Z') };
const store = (shop: string, series = '001') => ({
  platform: 'shopify',
  issuer: 'propio',
  series: { establecimiento: series, puntoEmision: '001' },
  connection: { app: 'app', shop: `${shop}.myshopify.com` },
});
const { ambiente, ...issuer } = demoIssuer.issuer;
const written = {
  publicUrl: 'https://conector.example',
  accounts: { cuenta: { baseUrl: 'http://127.0.0.1:9', apiKey: 'clave' } },
  issuers: { propio: { account: 'cuenta', ambiente, ...issuer } },
  apps: {
    app: {
      platform: 'shopify',
      access: 'oauth',
      clientId: 'id',
      clientSecrets: ['secreto-de-la-app-propia-0123456789abcdef'],
    },
  },
  stores: { quito: store('quito') },
};

async function open() {
  const directory = temporaryDirectory();
  const ledger = await openLedger({ directory, encryptionKey: Buffer.alloc(32, 1) }, clock, silentLog);
  onTestFinished(() => ledger.close());
  const alerts = { raise: async () => {}, over: async () => {} };
  const errors: Record<string, unknown>[] = [];
  const log = { ...silentLog, error: (fields: Record<string, unknown>) => void errors.push(fields) };
  /** What one process sees. */
  const start = async (config: object = written) => {
    const live = await openLiveSettings(parseConfig(config, { file: '/x/facturapuente.yaml', env: {} }));
    const stores = await openStores({
      ...{ ledger, clock, alerts, log, live, registers: true },
      firstStartNow: clock.now,
    });
    return { live, stores, ids: () => [...live.settings.stores.keys()] };
  };
  const first = await start();
  return {
    ...first,
    ledger,
    start,
    errors,
    storing: openStoring({
      ledger,
      clock,
      live: first.live,
      alerts,
      contextOf: openShopContext({ ledger, clock, log }),
    }),
  };
}

const fragment = (id: string, shop: string, series = '002') => ({ stores: { [id]: store(shop, series) } });

describe('stores of the ledger', () => {
  test('are taken up by every process, and a store that did not change stays the same object', async () => {
    const { storing, stores, ids, start, live } = await open();
    const other = await start();
    const quito = live.settings.stores.get('quito');
    await storing.add('loja', fragment('loja', 'loja'));
    expect((await stores.refresh()).map(({ id }) => id)).toEqual(['loja']);
    expect(await stores.refresh()).toEqual([]);
    expect((await other.stores.refresh()).map(({ id }) => id)).toEqual(['loja']);
    const loja = live.settings.stores.get('loja');
    await storing.add('cuenca', fragment('cuenca', 'cuenca', '003'));
    await stores.refresh();
    expect(ids()).toEqual(['quito', 'cuenca', 'loja']);
    expect(live.settings.stores.get('quito')).toBe(quito);
    expect(live.settings.stores.get('loja')).toBe(loja);
    await storing.remove('loja');
    await stores.refresh();
    expect(ids()).toEqual(['quito', 'cuenca']);
  });

  test('may share the account and issuer of the config, but no shop, no name and no series begun elsewhere', async () => {
    const { storing } = await open();
    await expect(storing.add('otra', fragment('otra', 'quito'))).rejects.toThrow(/stores\.otra/);
    await expect(storing.add('quito', fragment('quito', 'nueva'))).rejects.toThrow(/stores\.quito/);
    const begun = {
      stores: { loja: { ...store('loja', '001'), series: { ...store('loja').series, first: 9 } } },
    };
    await expect(storing.add('loja', begun)).rejects.toThrow(/series\.first/);
    expect((await storing.list()).stores.map(({ id, from }) => [id, from])).toEqual([['quito', 'config']]);
  });

  test('one that the config contradicts by now keeps no other out, and that is logged', async () => {
    const { storing, start, errors } = await open();
    await storing.add('loja', fragment('loja', 'loja'));
    await storing.add('cuenca', fragment('cuenca', 'cuenca', '003'));
    const { ids } = await start({ ...written, stores: { ...written.stores, central: store('loja', '004') } });
    expect(ids()).toEqual(['quito', 'central', 'cuenca']);
    expect(errors).toMatchObject([{ store: 'loja' }]);
  });

  test('are not taken away while a document of theirs is on its way', async () => {
    const { storing, ledger } = await open();
    await storing.add('loja', fragment('loja', 'loja'));
    const made = await ledger.documents.create(document({ storeId: 'loja' }));
    await ledger.documents.move(made?.id ?? '', { from: ['held'], to: 'ready', now: clock.now() });
    await expect(storing.remove('loja')).rejects.toMatchObject({
      code: 'store-busy',
      params: { documents: 1 },
    });
    await ledger.documents.move(made?.id ?? '', { from: ['ready'], to: 'cancelled', now: clock.now() });
    await storing.remove('loja');
    await expect(storing.remove('loja')).rejects.toMatchObject({ code: 'store-unknown' });
  });

  test('a shop that moved keeps its first start, whatever was registered at its new address', async () => {
    const { stores, live, ledger, start } = await open();
    const quito = live.settings.stores.get('quito') as Store;
    const first = stores.firstStart(quito);
    const now = new Date(clock.now().getTime() + 3_600_000);
    for (const shop of ['aaa.myshopify.com', 'zzz.myshopify.com'])
      await ledger.stores.register({ platform: 'shopify', shop, id: 'quito', now });
    const again = await start();
    expect(again.stores.firstStart(quito)).toEqual(first);
  });

  test('every change is written down with who made it, and nothing of what the store holds', async () => {
    const { storing, ledger, live } = await open();
    const jobDeps = { ledger, clock, alerts: { raise: async () => {}, over: async () => {} } };
    const operations = operationsOver(jobDeps as never, live.settings, { storing });
    const asked = { id: 'loja', raw: fragment('loja', 'loja') };
    await operations.run(addStore, asked, { by: 'ana@maquina' });
    await operations.run(addStore, asked, { by: 'eva@maquina' });
    await operations.run(removeStore, { store: 'loja' }, { by: 'eva@maquina' });
    const auditLog = await ledger.auditLog.list({ limit: 9 });
    expect(auditLog.map(({ who, what, subject, outcome }) => [who, what, subject, outcome])).toEqual([
      ['eva@maquina', 'store-remove', 'loja', 'done'],
      ['eva@maquina', 'store-add', 'loja', 'nothing'],
      ['ana@maquina', 'store-add', 'loja', 'done'],
    ]);
  });

  test('a held shop is listed, and goes on as a person says: once, and only by an answer that fits', async () => {
    const { storing, ledger, live, stores } = await open();
    const key = { platform: 'shopify', shop: 'quito.myshopify.com' };
    await expect(storing.confirm('quito', 'same')).rejects.toMatchObject({
      code: 'nothing-to-do',
      params: expect.objectContaining({ why: 'not-held' }),
    });
    await ledger.shops.answered(key, 'a', clock.now());
    const hold = {
      code: 'shop-identity-changed',
      reason: 'Responde otra.',
      found: 'b',
      owner: null,
    } as const;
    await ledger.shops.hold(key, hold, clock.now());
    expect((await storing.list()).stores.map(({ held }) => held)).toEqual(['Responde otra.']);
    await ledger.shops.hold(key, { ...hold, code: 'shop-moved', owner: 'loja.ec' }, clock.now());
    expect((await storing.list()).stores.map(({ held }) => held)).toEqual([
      'Responde otra. Su identidad es la de loja.ec.',
    ]);
    await ledger.shops.hold(key, hold, clock.now());
    await expect(storing.confirm('quito', 'moved')).rejects.toMatchObject({
      code: 'input-invalid',
      params: expect.objectContaining({ why: 'answer' }),
    });
    await storing.confirm('quito', 'same');
    expect(await ledger.shops.get(key)).toMatchObject({ identity: 'b' });
    expect(await ledger.shops.allHeld()).toEqual([]);
    await ledger.shops.hold(key, { ...hold, found: 'c' }, clock.now());
    expect(await storing.confirm('quito', 'new')).toEqual({ code: hold.code });
    await stores.refresh();
    const store = live.settings.stores.get('quito');
    expect(store?.shop).toBe('quito.myshopify.com#2');
    expect(await ledger.shops.get({ ...key, shop: 'quito.myshopify.com#2' })).toMatchObject({
      askedAt: null,
    });
  });

  test('another shop does not begin while documents of the one before are on their way', async () => {
    const { storing, ledger } = await open();
    const key = { platform: 'shopify', shop: 'quito.myshopify.com' };
    const hold = { code: 'shop-identity-changed', reason: 'Otra.', found: 'b', owner: null } as const;
    await ledger.shops.hold(key, hold, clock.now());
    const made = await ledger.documents.create(document({ storeId: 'quito' }));
    await ledger.documents.move(made?.id ?? '', { from: ['held'], to: 'ready', now: clock.now() });
    await expect(storing.confirm('quito', 'new')).rejects.toMatchObject({ code: 'store-busy' });
  });

  test('a store whose address is known as another store’s shop is not added', async () => {
    const { storing, ledger } = await open();
    const key = { platform: 'shopify', shop: 'quito.myshopify.com' };
    await ledger.shops.move({ ...key, address: 'quito-viejo.myshopify.com' }, clock.now());
    await expect(storing.add('otra', fragment('otra', 'quito-viejo'))).rejects.toMatchObject({
      code: 'shop-twice',
    });
  });
});
