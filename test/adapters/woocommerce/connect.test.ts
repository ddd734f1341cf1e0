import { describe, expect, test } from 'vitest';
import { readCredentials } from '../../../adapters/woocommerce/credentials.ts';
import { connectUse } from '../../../adapters/woocommerce/install.ts';
import { type Bridge, connect, linkOf, openBridge, visit } from './bridge.ts';

const kept = ({ credentials, connection }: Awaited<ReturnType<typeof openBridge>>) =>
  readCredentials(credentials, connection.url);

/** What the shop would bring, with another nonce, other keys … */
const brought = (user_id: string, changes: object = {}) => ({
  key_id: 3,
  user_id,
  consumer_key: `ck_${'0'.repeat(40)}`,
  consumer_secret: `cs_${'0'.repeat(40)}`,
  key_permissions: 'read_write',
  ...changes,
});
const bring = (url: string, body: object) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { connection: 'close' } });

test('a merchant who opens the link and approves has a connected shop with its webhooks', async () => {
  const bridge = await openBridge();
  const { form, start, end } = await connect(bridge);
  expect(form.status).toBe(200);
  expect(start.status).toBe(303);
  expect(end).toMatchObject({ status: 200, title: 'La tienda «tienda» quedó conectada' });
  const { keys, secrets, attempt } = await kept(bridge);
  expect(keys?.consumerKey).toMatch(/^ck_/);
  expect(secrets[0]).toMatch(/^[\w-]{43}$/);
  expect(attempt?.state).toBe('done');
  expect(
    bridge.stand.webhooks().map(({ topic, status, delivery_url }) => [topic, status, delivery_url]),
  ).toEqual(
    ['order.created', 'order.updated', 'order.deleted', 'order.restored'].map((topic) => [
      topic,
      'active',
      `${bridge.publicUrl}/webhooks/tienda`,
    ]),
  );
  expect(await bridge.shop()?.fetchOrder('29')).toMatchObject({ id: '29' });
  expect(bridge.woken).toEqual([bridge.stand.url]);
});

test('the page needs no script, names everything, and lets its form lead to the shop', async () => {
  const bridge = await openBridge();
  const { html, headers } = await visit(await linkOf(bridge));
  expect(html).not.toMatch(/<script|onclick|javascript:/i);
  expect(html).toMatch(/<html lang="es-EC">/);
  expect(html).toContain(`<strong>tienda</strong>: ${bridge.connection.url}`);
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https: http://localhost:*");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('nothing else that comes to the endpoint for keys does anything', async () => {
  const bridge = await openBridge();
  await connect(bridge, 'Deny');
  const before = await kept(bridge);
  const endpoint = `${bridge.publicUrl}/woocommerce/keys`;
  const bodies = [
    '',
    'null',
    '[]',
    '{',
    '"x"',
    '{"user_id":{}}',
    'user_id=x',
    '\u0000',
    '{"__proto__":{"user_id":"x"}}',
  ];
  for (const query of ['', '?store=tienda', '?store=', '?store=constructor', '?store=tienda&store=otra'])
    for (const body of bodies)
      expect(
        (await fetch(`${endpoint}${query}`, { method: 'POST', body, headers: { connection: 'close' } }))
          .status,
      ).toBe(403);
  const long = await fetch(endpoint, {
    method: 'POST',
    body: 'x'.repeat(70_000),
    headers: { connection: 'close' },
  });
  expect(long.status).toBe(413);
  expect(await kept(bridge)).toEqual(before);
});

test('a stranger can neither open the page nor start a connection, and a link expires', async () => {
  const bridge = await openBridge();
  const link = await linkOf(bridge);
  const page = `${bridge.publicUrl}/woocommerce/connect`;
  expect((await visit(page)).status).toBe(403);
  expect((await visit(page, { store: 'tienda' })).status).toBe(403);
  expect((await visit(page, { store: 'tienda', ticket: '9999999999.x' })).status).toBe(403);
  expect((await kept(bridge)).attempt).toBeNull();
  bridge.pass(24 * 60 * 60_000);
  expect(await visit(link)).toMatchObject({ status: 403, title: 'Este enlace no abre' });
});

test('keys are taken once, for the nonce and the shop they were asked for, in time', async () => {
  const bridge = await openBridge();
  const { start } = await connect(bridge, 'Deny');
  const asked = new URL(start.location).searchParams;
  const nonce = asked.get('user_id') ?? '';
  const endpoint = asked.get('callback_url') ?? '';
  expect((await bring(endpoint, brought('another-nonce'))).status).toBe(403);
  expect((await bring(endpoint.replace('tienda', 'otra'), brought(nonce))).status).toBe(403);
  expect((await bring(endpoint, { user_id: nonce })).status).toBe(403);
  bridge.pass(60 * 60_000);
  expect((await bring(endpoint, brought(nonce))).status).toBe(403);
  expect(await kept(bridge)).toMatchObject({ keys: null, attempt: { state: 'open' } });

  const again = await connect(bridge);
  const used = new URL(again.start.location).searchParams;
  const first = (await kept(bridge)).keys;
  expect((await bring(endpoint, brought(used.get('user_id') ?? ''))).status).toBe(403);
  expect((await kept(bridge)).keys).toEqual(first);
});

test.each([
  ['do not open this shop', {}, 'la clave y el secreto de la API'],
  ['may only read', { key_permissions: 'read' }, 'permiso de lectura y escritura'],
])('keys that %s are refused, not kept, and the merchant reads why', async (_what, changes, why) => {
  const bridge = await openBridge();
  const { start } = await connect(bridge, 'Deny');
  const asked = new URL(start.location).searchParams;
  const nonce = asked.get('user_id') ?? '';
  const answer = await bring(asked.get('callback_url') ?? '', brought(nonce, changes));
  expect(answer.status).toBe(409);
  expect(await kept(bridge)).toMatchObject({ keys: null, secrets: [], attempt: { state: 'refused' } });
  const end = await visit(`${asked.get('return_url')}&success=1&user_id=${nonce}`);
  expect(end.title).toBe('La tienda no quedó conectada');
  expect(end.html).toContain(why);
});

test('a shop that cannot answer while it waits for us is checked when the merchant comes back', async () => {
  const bridge = await openBridge({ connection: { timeoutMs: 1_000 }, shop: { host: { oneWorker: true } } });
  const { start, approved, end } = await connect(bridge, 'Approve', async () => {
    expect(await kept(bridge)).toMatchObject({ keys: null, attempt: { state: 'unchecked' } });
  });
  expect([start.status, approved.status]).toEqual([303, 302]);
  expect(end.title).toBe('La tienda «tienda» quedó conectada');
  expect(await kept(bridge)).toMatchObject({ keys: {}, attempt: { state: 'done', pending: null } });
});

describe('a link', () => {
  const at = (bridge: Bridge, query: Record<string, string>) =>
    visit(`${bridge.publicUrl}/woocommerce/connect?${new URLSearchParams(query)}`);
  const ticketOf = async (bridge: Bridge) => new URL(await linkOf(bridge)).searchParams.get('ticket') ?? '';

  test('opens the store it was made for, and names no other', async () => {
    const bridge = await openBridge();
    const ticket = await ticketOf(bridge);
    const own = await at(bridge, { store: 'tienda', ticket });
    expect(own.status).toBe(200);
    expect(own.html).not.toContain('otra.ec');
    const other = await at(bridge, { store: 'otra', ticket });
    const nobody = await at(bridge, { store: 'nadie', ticket });
    expect([other.status, other.html]).toEqual([403, nobody.html]);
    expect((await visit(`${bridge.publicUrl}/woocommerce/connect`, { store: 'otra', ticket })).status).toBe(
      403,
    );
    expect((await readCredentials(bridge.credentials, 'https://otra.ec')).attempt).toBeNull();
  });

  test('is of no use once the store has another address', async () => {
    const bridge = await openBridge();
    const ticket = bridge.tickets.issue(
      connectUse({ id: 'tienda', shop: 'https://antes.example.ec' }),
      new Date('2099-01-01'),
    );
    expect((await at(bridge, { store: 'tienda', ticket })).status).toBe(403);
  });
});

test('keys nobody could try never take the place of keys that work', async () => {
  const bridge = await openBridge();
  await connect(bridge);
  const before = await kept(bridge);
  const ticket = bridge.tickets.issue(
    connectUse({ id: 'tienda', shop: bridge.connection.url }),
    new Date('2099-01-01'),
  );
  const start = await visit(`${bridge.publicUrl}/woocommerce/connect`, { ticket, store: 'tienda' });
  const asked = new URL(start.location).searchParams;
  const nonce = asked.get('user_id') ?? '';
  const back = `${asked.get('return_url')}&success=1&user_id=${nonce}`;
  bridge.stand.trouble({ status: 503, body: {} });
  expect((await bring(asked.get('callback_url') ?? '', brought(nonce))).status).toBe(200);
  expect(await kept(bridge)).toMatchObject({ keys: before.keys, secrets: before.secrets });
  // The shop answers again, and knows no such keys.
  expect((await visit(back)).title).toBe('La tienda no quedó conectada');
  expect(await kept(bridge)).toMatchObject({ keys: before.keys, secrets: before.secrets });
  expect(await bridge.shop()?.fetchOrder('29')).toMatchObject({ id: '29' });
});

test('the address the merchant comes back to serves once, and for an hour', async () => {
  const bridge = await openBridge();
  const { approved } = await connect(bridge);
  const calls = bridge.stand.requests.length;
  const again = await visit(approved.location);
  expect(again).toMatchObject({ status: 200, title: 'La tienda «tienda» quedó conectada' });
  expect(bridge.stand.requests).toHaveLength(calls);
  bridge.pass(60 * 60_000);
  expect((await visit(approved.location)).status).toBe(403);
});

test('a merchant who denies is told that nothing was connected', async () => {
  const bridge = await openBridge();
  const { end } = await connect(bridge, 'Deny');
  expect(end.title).toBe('La tienda no quedó conectada');
  expect((await kept(bridge)).keys).toBeNull();
});

test('connected again, the shop has new keys and a new secret, and the one before it still counts', async () => {
  const bridge = await openBridge();
  await connect(bridge);
  const before = await kept(bridge);
  const ticket = bridge.tickets.issue(
    connectUse({ id: 'tienda', shop: bridge.connection.url }),
    new Date(bridge.context.clock.now().getTime() + 60_000),
  );
  const page = `${bridge.publicUrl}/woocommerce/connect?store=tienda&ticket=${ticket}`;
  expect((await visit(page)).html).toMatch(/Ya está conectada/);
  const start = await visit(page, { ticket, store: 'tienda' });
  const { location } = await visit(start.location.replace('/authorize', '/access_granted/'));
  await visit(location);
  const after = await kept(bridge);
  expect(after.keys).not.toEqual(before.keys);
  expect(after.secrets).toEqual([expect.not.stringMatching(before.secrets[0] ?? ''), before.secrets[0]]);
  expect(bridge.stand.webhooks()).toHaveLength(4);
});

test('no other installation can be reached by plain http', async () => {
  const bridge = await openBridge({ publicUrl: 'http://facturas.mitienda.ec' });
  const { pages } = (await import('../../../adapters/woocommerce/index.ts')).woocommerce;
  const form = pages?.find(({ method }) => method === 'GET');
  const store = { id: 'tienda', shop: bridge.connection.url, app: null, connection: bridge.connection };
  const ticket = bridge.tickets.issue(connectUse(store), new Date('2099-01-01'));
  const answer = await form?.answer(
    new Request(`http://facturas.mitienda.ec/woocommerce/connect?store=tienda&ticket=${ticket}`),
    {
      ...bridge.context,
      publicUrl: 'http://facturas.mitienda.ec',
      tickets: bridge.tickets,
      apps: new Map(),
      connected: async () => null,
      stores: () => [store],
    },
  );
  expect(answer?.status).toBe(409);
});
