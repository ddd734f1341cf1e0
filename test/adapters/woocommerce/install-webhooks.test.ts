import { expect, test } from 'vitest';
import { readCredentials, updateCredentials } from '../../../adapters/woocommerce/credentials.ts';
import { call } from '../../sandbox/shops/support.ts';
import { type Bridge, connect, openBridge } from './bridge.ts';
import { keys } from './shop.ts';

const states = async (bridge: Bridge, apply = false) =>
  (await bridge.install(apply))
    .filter(({ code }) => code === 'shop-installation')
    .map(({ what, state, done, resolution }) => ({
      topic: what.replace('Webhook ', ''),
      state,
      done: done ?? false,
      resolution,
    }));
const installed = () => openBridge({ connection: { ...keys } });
const rights = ['ok', 'ok', 'ok', 'ok'];
const forgotten = { keys: null, secrets: [], attempt: null, installed: false, uninstalled: true };

test('install makes four webhooks with a secret of our own, and a second run changes nothing', async () => {
  const bridge = await installed();
  expect((await states(bridge)).map(({ state }) => state)).toEqual(Array(4).fill('missing'));
  expect((await states(bridge, true)).map(({ state, done }) => [state, done])).toEqual(
    Array(4).fill(['ok', true]),
  );
  const made = bridge.stand.webhooks();
  expect(made).toHaveLength(4);
  const writes = () =>
    bridge.stand.requests.filter(({ method, path }) => method !== 'GET' && path !== 'webhooks').length;
  const before = writes();
  expect((await states(bridge, true)).map(({ state, done }) => [state, done])).toEqual(
    Array(4).fill(['ok', false]),
  );
  expect(bridge.stand.webhooks()).toEqual(made);
  expect(writes()).toBe(before);
  const { secrets } = await readCredentials(bridge.credentials, bridge.connection.url);
  expect(JSON.stringify(bridge.stand.webhooks())).not.toContain(secrets[0]);
});

test.each([
  ['disabled', { status: 'disabled' }, /^El webhook está desactivado: WooCommerce lo apagó porque /],
  ['paused', { status: 'paused' }, /en pausa/],
  ['sent elsewhere', { delivery_url: 'https://vieja.ec/webhooks/tienda' }, /otra dirección/],
  ['of a secret nobody knows', { name: 'Webhook creado a mano' }, /con qué secreto/],
])('a webhook that is %s is named, and replaced by a new one', async (_what, change, why) => {
  const bridge = await installed();
  await bridge.install(true);
  const id = bridge.stand.webhooks().find(({ topic }) => topic === 'order.updated')?.id;
  await call(bridge.stand, 'PUT', `webhooks/${id}`, change);
  const [wrong] = (await states(bridge)).filter(({ state }) => state !== 'ok');
  expect(wrong).toMatchObject({
    topic: 'order.updated',
    state: 'differs',
    resolution: expect.stringMatching(why),
  });
  expect((await states(bridge, true)).map(({ state }) => state)).toEqual(rights);
  expect(bridge.stand.webhooks().map((one) => one.id)).not.toContain(id);
  expect(bridge.stand.webhooks()).toHaveLength(4);
});

test('after a run that was killed anywhere, the next one ends in the same state', async () => {
  const bridge = await installed();
  for (let writes = 0; writes < 5; writes += 1) {
    // The call is made, and nobody hears of it: the process is gone.
    bridge.stand.trouble('lost', 'POST');
    await bridge.install(true);
  }
  await bridge.install(true);
  expect(
    bridge.stand
      .webhooks()
      .map(({ topic }) => topic)
      .sort(),
  ).toEqual(['order.created', 'order.deleted', 'order.restored', 'order.updated']);
  expect((await states(bridge)).map(({ state }) => state)).toEqual(rights);
});

test('processes that install at once leave one webhook of each', async () => {
  const bridge = await installed();
  await Promise.all([bridge.install(true), bridge.install(true), bridge.maintain()]);
  expect(new Set(bridge.stand.webhooks().map(({ topic }) => topic)).size).toBe(4);
  expect(bridge.stand.webhooks()).toHaveLength(4);
});

test('webhooks of others, and of another facturapuente, are left alone', async () => {
  const bridge = await installed();
  const other = { topic: 'order.updated', secret: 'x' };
  await call(bridge.stand, 'POST', 'webhooks', {
    ...other,
    name: 'ERP',
    delivery_url: 'http://127.0.0.1:9/erp',
  });
  await call(bridge.stand, 'POST', 'webhooks', {
    ...other,
    name: 'facturapuente order.updated (00000000)',
    delivery_url: 'http://127.0.0.1:9/webhooks/tienda',
  });
  await bridge.install(true);
  expect(bridge.stand.webhooks()).toHaveLength(6);
  await bridge.uninstall();
  expect(bridge.stand.webhooks().map(({ name }) => name)).toEqual([
    'ERP',
    'facturapuente order.updated (00000000)',
  ]);
});

test('webhooks sign with the secret of the config where there is one', async () => {
  const bridge = await openBridge({ connection: { ...keys, webhookSecrets: ['el-nuevo', 'el-viejo'] } });
  await bridge.install(true);
  expect((await readCredentials(bridge.credentials, bridge.connection.url)).secrets).toEqual([]);
  const created = bridge.stand.requests.filter(
    ({ method, body }) => method === 'POST' && JSON.stringify(body).includes('order.'),
  );
  expect(created.map(({ body }) => (body as { secret: string }).secret)).toEqual(Array(4).fill('el-nuevo'));
});

test('a store without API access is told which webhooks to make by hand, and asked for nothing', async () => {
  const bridge = await openBridge({ connection: { apiAccess: false, webhookSecrets: ['uno-propio'] } });
  const item = (await bridge.install(true)).find(({ code }) => code === 'access');
  expect(item).toMatchObject({ state: 'warning' });
  expect(item?.resolution).toContain(`order.restored hacia ${bridge.publicUrl}/webhooks/tienda`);
  expect(await bridge.maintain()).toEqual([]);
  expect(await bridge.uninstall()).toMatchObject([
    { state: 'warning', resolution: expect.stringContaining(`${bridge.publicUrl}/webhooks/tienda`) },
  ]);
  expect(bridge.stand.requests).toEqual([]);
});

test('a store that was installed is looked after: what the shop disabled comes back, once told', async () => {
  const bridge = await openBridge();
  expect(await bridge.maintain()).toEqual([]);
  await connect(bridge);
  expect(await bridge.maintain()).toEqual([]);
  const webhooks = bridge.stand.webhooks();
  await call(bridge.stand, 'PUT', `webhooks/${webhooks[0]?.id}`, { status: 'disabled' });
  expect(await bridge.maintain()).toMatchObject([{ what: 'Webhook order.created', done: true }]);
  expect(bridge.stand.webhooks().map(({ status }) => status)).toEqual(Array(4).fill('active'));
  expect(await bridge.maintain()).toEqual([]);
});

test('a shop that keeps us out until a person acts is told of, one that is away for a while is not', async () => {
  const bridge = await openBridge();
  await connect(bridge);
  bridge.stand.trouble({ status: 503, body: '<h1>Mantenimiento</h1>' });
  await expect(bridge.maintain()).rejects.toMatchObject({ code: 'shop-not-json', retryable: true });
  await updateCredentials(bridge.credentials, bridge.connection.url, (kept) => ({
    ...kept,
    keys: { consumerKey: 'ck_revocada', consumerSecret: 'cs_revocada' },
  }));
  expect(await bridge.maintain()).toMatchObject([{ code: 'shop-unauthorized', state: 'problem' }]);
});

test('what WooCommerce disabled after seven failures is made anew, and delivers again', async () => {
  const bridge = await openBridge();
  await connect(bridge);
  bridge.answering(500);
  for (let failures = 0; failures < 7; failures += 1) {
    bridge.stand.happened('order.updated', 29);
    await bridge.stand.visit();
  }
  const updated = () => bridge.stand.webhooks().find(({ topic }) => topic === 'order.updated');
  expect(updated()?.status).toBe('disabled');
  bridge.answering(200);
  expect(await bridge.maintain()).toMatchObject([
    { what: 'Webhook order.updated', resolution: expect.stringMatching(/siete veces seguidas/) },
  ]);
  bridge.stand.happened('order.updated', 29);
  expect(await bridge.stand.visit()).toEqual([
    { webhookId: updated()?.id, topic: 'order.updated', arg: 29, status: 200 },
  ]);
});

test('uninstalled, the shop has none of our webhooks, we have none of its keys, and nobody puts them back', async () => {
  const bridge = await openBridge();
  await connect(bridge);
  const items = await bridge.uninstall();
  expect(items.map(({ what }) => what)).toContain('Claves que entregó la tienda');
  expect(bridge.stand.webhooks()).toEqual([]);
  expect(await readCredentials(bridge.credentials, bridge.connection.url)).toEqual(forgotten);
  expect(await bridge.maintain()).toEqual([]);
  expect(await bridge.uninstall()).toEqual([]);
});

test.each([
  ['of the config', { ...keys }, 'Permiso de las claves'],
  [
    'of the config, whose webhooks have a secret of the config too',
    { ...keys, webhookSecrets: ['s'] },
    'Permiso de las claves',
  ],
  ['that the shop handed over', {}, 'Claves de la API'],
])(
  'with keys %s, an uninstalled store is not read until it is installed again',
  async (_keys, connection, next) => {
    const bridge = await openBridge({ connection });
    if (!('consumerKey' in connection)) await connect(bridge);
    expect(await bridge.shop()?.fetchOrder('29')).toMatchObject({ id: '29' });
    await bridge.uninstall();
    const { length } = bridge.stand.requests;
    const refused = { code: 'store-uninstalled', disconnected: true, retryable: false };
    await expect(bridge.shop()?.fetchOrder('29')).rejects.toMatchObject(refused);
    const since = new Date('2026-11-01');
    await expect(bridge.shop()?.changedOrders({ since, cursor: null })).rejects.toMatchObject(refused);
    expect(await bridge.install(false)).toMatchObject([{ code: 'store-uninstalled', state: 'warning' }]);
    expect(bridge.stand.requests).toHaveLength(length);

    expect((await bridge.install(true)).map(({ what }) => what)).toContain(next);
    if (!('consumerKey' in connection)) await connect(bridge);
    expect(await bridge.shop()?.fetchOrder('29')).toMatchObject({ id: '29' });
    expect((await states(bridge)).map(({ state }) => state)).toEqual(rights);
  },
);

test('an uninstalled store still says which shop it is, so that it is not installed again in a copy', async () => {
  const bridge = await installed();
  await bridge.uninstall();
  expect(await bridge.shop()?.identity()).toMatchObject({ id: expect.any(String) });
});

test('an uninstalled store that was connected by the link has no keys to say it with', async () => {
  const linked = await openBridge();
  await connect(linked);
  await linked.uninstall();
  await expect(linked.shop()?.identity()).rejects.toMatchObject({ code: 'store-uninstalled' });
});

test('a store that never was installed is read with the keys of its config', async () => {
  const bridge = await installed();
  expect(await bridge.shop()?.fetchOrder('29')).toMatchObject({ id: '29' });
});

test('a shop that is away while its store is uninstalled is not read either', async () => {
  const bridge = await installed();
  await bridge.install(true);
  bridge.stand.trouble({ status: 503, body: '<h1>Mantenimiento</h1>' });
  expect(await bridge.uninstall()).toMatchObject([{ state: 'problem' }]);
  await expect(bridge.shop()?.fetchOrder('29')).rejects.toMatchObject({ code: 'store-uninstalled' });
  expect(await bridge.maintain()).toEqual([]);
});

test('a shop that is away while it is uninstalled is told, and may be uninstalled later', async () => {
  const bridge = await openBridge();
  await connect(bridge);
  bridge.stand.trouble({ status: 503, body: '<h1>Mantenimiento</h1>' });
  expect(await bridge.uninstall()).toMatchObject([{ state: 'problem' }]);
  expect((await readCredentials(bridge.credentials, bridge.connection.url)).keys).not.toBeNull();
  await bridge.uninstall();
  expect(bridge.stand.webhooks()).toEqual([]);
});

test('a shop that revoked our keys is forgotten, and told what to delete by hand', async () => {
  const bridge = await openBridge();
  await connect(bridge);
  await updateCredentials(bridge.credentials, bridge.connection.url, (kept) => ({
    ...kept,
    keys: { consumerKey: 'ck_revocada', consumerSecret: 'cs_revocada' },
  }));
  const [webhooks] = await bridge.uninstall();
  expect(webhooks).toMatchObject({
    state: 'warning',
    resolution: expect.stringMatching(/Borre a mano los webhooks/),
  });
  expect(await readCredentials(bridge.credentials, bridge.connection.url)).toEqual(forgotten);
});
