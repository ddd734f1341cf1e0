import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Answer, apiKey, type Client, listen, noon, openFolder, start } from './support.ts';

const path = '/api/id/verificaciones';
const minute = 60_000;
const beta = { apiKey, beta: true };

const open = (account: object = {}, options: object = {}) =>
  start({ accounts: [{ ...beta, ...account }], ...options });
const create = ({ send }: Client, body: unknown, key?: string) => send('POST', path, body, key);
const finish = ({ send }: Client, id: string, estado: string) =>
  send('POST', `/__sandbox/verificaciones/${id}`, { estado });
/** What the general wallet holds, by what can still be bought with it. */
const bought = async (client: Client, tipo: string, most: number) => {
  let count = 0;
  while (count < most && (await create(client, { tipo })).status === 200) count += 1;
  return count;
};

/** As a browser does: the form's action is resolved against the page it stands on. */
const press = async (url: string, button: string) => {
  const text = await (await fetch(url)).text();
  const action = [...text.matchAll(/action="([^"]+)"/g)]
    .map(([, to]) => to)
    .find((to) => to?.endsWith(button));
  return fetch(new URL(action ?? 'no-such-form', url), { method: 'POST' });
};

function expectMistake({ status, body }: Answer, field: string): void {
  expect({ status, ...body }).toMatchObject({
    status: 400,
    success: false,
    message: expect.any(String),
    errors: expect.arrayContaining([expect.stringMatching(new RegExp(`^${field}: .+\\.$`))]),
  });
}

describe('crear_verificacion: POST /api/id/verificaciones', () => {
  test('400: what is at fault is named, and nothing is created or charged', async () => {
    const client = await open({ generalWallet: 1.15 });
    for (const [field, body] of [
      ['tipo', { tipo: 'huella' }],
      ['cedula_esperada', { tipo: 'completa', cedula_esperada: '2459999998' }],
      ['webhook_url', { tipo: 'completa', webhook_url: 'https://localhost/w' }],
      ['webhook_url', { tipo: 'completa', webhook_url: 'http://192.168.1.10/w' }],
      ['tiempo_expiracion_minutos', { tipo: 'completa', tiempo_expiracion_minutos: 0 }],
      ['tiempo_expiracion_minutos', { tipo: 'completa', tiempo_expiracion_minutos: 10_081 }],
      ['cuerpo', { tipo: 'completa', correo: 'x@example.com' }],
    ] as const)
      expectMistake(await create(client, body), field);
    expect((await client.get(path)).body.verificaciones).toEqual([]);
    expect((await create(client, { tipo: 'completa' })).status).toBe(200);
  });
});

test('Identity verification on an account without beta access: HTTP 403 with code beta_privada, after a wrong key', async () => {
  const client = await start();
  for (const answer of [
    await create(client, { tipo: 'completa' }),
    await create(client, '{'),
    await client.get(path),
    await client.get(`${path}/1`),
  ])
    expect(answer).toMatchObject({
      status: 403,
      body: { success: false, code: 'beta_privada', message: expect.stringContaining('beta privada') },
    });
  expect((await create(client, { tipo: 'completa' }, 'otra')).status).toBe(401);
});

describe('Identity verification price (general wallet, plus VAT)', () => {
  // 15 % on top: 0.575, to the nearest cent; 0.8625; 1.15.
  test.each([
    ['prueba_de_vida', 0.5, 0.58],
    ['cedula_ocr', 0.75, 0.86],
    ['completa', 1, 1.15],
  ])('%s costs %d USD, and %d with VAT are charged at its creation', async (tipo, costo, withVat) => {
    const enough = await open({ generalWallet: withVat * 2 });
    expect((await create(enough, { tipo })).body).toMatchObject({ estado: 'pendiente', costo });
    expect(await bought(enough, tipo, 5)).toBe(1);

    const short = await open({ generalWallet: withVat - 0.01 });
    expect(await create(short, { tipo })).toMatchObject({
      status: 402,
      body: { success: false, message: expect.stringContaining('cartera general') },
    });
    expect((await short.get(path)).body.verificaciones).toEqual([]);
  });

  test('a recharge of the general wallet pays the next ones; the queries wallet does not', async () => {
    const client = await open({ generalWallet: 0, queriesWallet: 50 });
    expect(await bought(client, 'completa', 1)).toBe(0);
    await client.send('POST', '/__sandbox/recargas', { cartera: 'general', usd: 20 });
    expect(await bought(client, 'completa', 50)).toBe(17);
  });
});

describe('listar_verificaciones and consultar_verificacion', () => {
  test('show what was asked for and how it stands, newest first, marked as inferred', async () => {
    const client = await open();
    const first = (await create(client, { tipo: 'cedula_ocr', cedula_esperada: '2459999997' })).body;
    client.sandbox.clock.step(minute);
    const second = (await create(client, { tipo: 'prueba_de_vida' })).body;
    const shown = {
      id: first.id,
      url_verificacion: first.url_verificacion,
      estado: 'pendiente',
      costo: 0.75,
      expira_en: first.expira_en,
      tipo: 'cedula_ocr',
      cedula_esperada: '2459999997',
      creado_en: '2026-11-20T15:00:00.000Z',
      finalizado_en: null,
    };
    const one = await client.get(`${path}/${first.id}`);
    expect(one.body).toEqual({ success: true, ...shown, aviso_proveedor_sri: expect.any(String) });
    const list = await client.get(path);
    expect(list.body.verificaciones).toEqual([expect.objectContaining({ id: second.id }), shown]);
    for (const { headers } of [one, list]) expect(headers.get('x-sandbox-inferred')).toBe('true');
  });

  test("a key sees neither another's verifications nor ones that do not exist: 404", async () => {
    const client = await start({ accounts: [beta, { apiKey: 'otra', beta: true }] });
    const { id } = (await create(client, { tipo: 'completa' })).body;
    for (const answer of [await client.get(`${path}/${id}`, 'otra'), await client.get(`${path}/nada`)]) {
      expect(answer).toMatchObject({ status: 404, body: { success: false, message: expect.any(String) } });
    }
    expect((await client.get(path, 'otra')).body.verificaciones).toEqual([]);
  });
});

describe('how a verification ends', () => {
  test('aprobada, once: a control route says so', async () => {
    const estado = 'aprobada';
    const client = await open();
    const { id } = (await create(client, { tipo: 'completa' })).body;
    client.sandbox.clock.step(minute);
    const ended = { id, estado, finalizado_en: '2026-11-20T15:01:00.000Z' };
    expect(await finish(client, id, estado)).toMatchObject({ status: 200, body: ended });
    expect((await client.get(`${path}/${id}`)).body).toMatchObject(ended);
    expect((await finish(client, id, 'rechazada')).status).toBe(409);
    client.sandbox.clock.step(120 * minute);
    expect((await client.get(`${path}/${id}`)).body).toMatchObject(ended);
  });

  test('expirada when its minutes are over on the sandbox’s clock, not a minute earlier', async () => {
    const client = await open();
    const { id, expira_en } = (await create(client, { tipo: 'completa', tiempo_expiracion_minutos: 5 })).body;
    client.sandbox.clock.step(4 * minute);
    expect((await client.get(`${path}/${id}`)).body.estado).toBe('pendiente');
    client.sandbox.clock.step(minute);
    expect((await client.get(`${path}/${id}`)).body).toMatchObject({
      estado: 'expirada',
      finalizado_en: expira_en,
    });
    expect((await finish(client, id, 'aprobada')).status).toBe(409);
  });

  test('also after a restart, with what was paid still paid', async () => {
    const dataDirectory = openFolder();
    const hook = await listen();
    const options = { dataDirectory, allowLoopbackWebhooks: true };
    const first = await open({ generalWallet: 1.15 }, options);
    const { id } = (await create(first, { tipo: 'completa', webhook_url: hook.url })).body;
    await first.sandbox.close();

    const second = await open({ generalWallet: 1.15 }, options);
    expect((await second.get(`${path}/${id}`)).body.estado).toBe('pendiente');
    expect((await create(second, { tipo: 'prueba_de_vida' })).status).toBe(402);
    second.sandbox.clock.step(60 * minute);
    const { body } = await eventually(() => hook.received[0], 'the event');
    expect(body).toMatchObject({ evento: 'verificacion.finalizada', id, estado: 'expirada' });
  });
});

describe('verificacion.finalizada', () => {
  const secret = 'un-secreto-de-prueba';
  const loopback = { allowLoopbackWebhooks: true };

  test('tells the webhook_url, not the account’s webhook', async () => {
    const [own, accounts] = [await listen(), await listen()];
    const client = await open({ webhook: { url: accounts.url, secret } }, loopback);
    const { id } = (await create(client, { tipo: 'completa', webhook_url: own.url })).body;
    await finish(client, id, 'aprobada');
    const { body, headers, raw } = await eventually(() => own.received[0], 'the event');
    const { success: _, aviso_proveedor_sri: __, ...shown } = (await client.get(`${path}/${id}`)).body;
    const evento = 'verificacion.finalizada';
    expect(body).toEqual({ evento, ...shown, estado: 'aprobada', enviado_en: '2026-11-20T10:00:00-05:00' });
    const t = noon().getTime() / 1000;
    const v1 = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
    expect(headers).toMatchObject({ 'x-service-event': evento, 'x-service-signature-v2': `t=${t},v1=${v1}` });
    expect(accounts.received).toEqual([]);
  });

  test('is unsigned while the account has no webhook, whose secret it would be signed with', async () => {
    const hook = await listen();
    const client = await open({}, loopback);
    const { id } = (await create(client, { tipo: 'completa', webhook_url: hook.url })).body;
    await finish(client, id, 'aprobada');
    const { headers } = await eventually(() => hook.received[0], 'the event');
    expect(headers).toMatchObject({ 'x-service-event': 'verificacion.finalizada' });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-service-signature'))).toEqual([]);
  });
});

describe('url_verificacion is a page without a key', () => {
  const created = async (more: object = {}) => {
    const client = await open({}, { allowLoopbackWebhooks: true });
    const { body } = await create(client, { tipo: 'completa', ...more });
    return { client, id: body.id as string, url: body.url_verificacion as string };
  };

  test.each([
    ['aprobar', 'aprobada'],
    ['rechazar', 'rechazada'],
  ])('on which the end user can %s', async (button, estado) => {
    const hook = await listen();
    const { client, id, url } = await created({ webhook_url: hook.url });
    const after = await press(url, button);
    expect([after.status, after.url]).toEqual([200, url]);
    expect(await after.text()).toContain(`La verificación fue ${estado}.`);
    expect((await client.get(`${path}/${id}`)).body.estado).toBe(estado);
    const { body } = await eventually(() => hook.received[0], 'verificacion.finalizada');
    expect(body).toMatchObject({ evento: 'verificacion.finalizada', estado });
    expect((await fetch(`${url}/aprobar`, { method: 'POST' })).status).toBe(409);
  });

  test('which takes neither scripts nor frames; an unknown verification is 404', async () => {
    const { id, url } = await created();
    const unknown = await fetch(url.replace(id, '<script>'));
    expect([unknown.status, (await unknown.text()).includes('<script>')]).toEqual([404, false]);
    const policy = (await fetch(url)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});
