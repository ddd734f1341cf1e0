import { describe, expect, test } from 'vitest';
import { openWorld } from '../../sandbox/emulator/open-world.ts';
import { allOperations } from '../../sandbox/emulator/operations/all.ts';
import { type Client, start } from './support.ts';

const set = ({ send }: Client, body: unknown) => send('POST', '/__sandbox/estado', body);
/** Without the header X-API-KEY at all. */
const ask = async ({ sandbox }: Client, path: string) => {
  const response = await fetch(`${sandbox.url}${path}`);
  const inferred = response.headers.get('x-sandbox-inferred');
  return { status: response.status, inferred, body: (await response.json()) as Record<string, unknown> };
};

describe('Every route under /api/ except ping, status and public/* requires X-API-KEY', () => {
  const { world, close } = openWorld({});
  close();
  const routes = allOperations(world).map(({ id, method, path }) => ({
    id,
    method: method.toUpperCase(),
    path,
  }));
  const isPublic = (path: string) => /^\/api\/(ping|status|public\/.+)$/.test(path);

  test.each(routes)('$id: $method $path', async ({ method, path }) => {
    const { sandbox } = await start();
    for (const headers of [{}, { 'X-API-KEY': '' }, { 'X-API-KEY': 'otra' }] as Record<string, string>[]) {
      const { status } = await fetch(`${sandbox.url}${path.replace(/:\w+/g, '1')}`, { method, headers });
      expect(status).toBe(isPublic(path) ? 200 : 401);
    }
  });

  test('what does not exist is 401 without a key, under public/* 404', async () => {
    const client = await start();
    expect((await ask(client, '/api/nada')).status).toBe(401);
    expect((await ask(client, '/api/publico')).status).toBe(401);
    expect(await ask(client, '/api/public/nada')).toMatchObject({ status: 404, body: { success: false } });
  });
});

describe('status route under /api/public/..., public, no API key', () => {
  test.each(['/api/public/status', '/api/status'])('%s tells how service and authority are', async (path) => {
    const client = await start();
    expect(await ask(client, path)).toStrictEqual({
      status: 200,
      inferred: 'true',
      body: {
        success: true,
        estado: 'operativo',
        sri: { recepcion: 'operativo', autorizacion: 'operativo' },
        actualizado_en: '2026-11-20T10:00:00-05:00',
      },
    });
    await set(client, { estado: 'degradado', sri: { autorizacion: 'caido' } });
    expect((await ask(client, path)).body).toMatchObject({
      estado: 'degradado',
      sri: { recepcion: 'operativo', autorizacion: 'caido' },
    });
    client.sandbox.reset();
    expect((await ask(client, path)).body.estado).toBe('operativo');
  });

  test.each([
    {},
    { estado: 'regular' },
    { estado: 'caido', sri: { recepcion: 'mal' } },
    { estado: 'caido', x: 1 },
  ])('it cannot be set to %j', async (body) => {
    const client = await start();
    expect(await set(client, body)).toMatchObject({ status: 400, body: { success: false } });
    expect((await ask(client, '/api/status')).body.estado).toBe('operativo');
  });

  test('a wrong key is not looked at, as ping does not', async () => {
    const { get, send } = await start();
    expect((await get('/api/public/status', 'otra')).status).toBe(200);
    expect((await send('POST', '/api/ping', undefined, 'otra')).body).toEqual({ pong: true });
  });
});

test('price table route under /api/public/..., public, no API key: every price of the specification', async () => {
  expect(await ask(await start(), '/api/public/precios')).toStrictEqual({
    status: 200,
    inferred: 'true',
    body: {
      success: true,
      facturacion: [
        { recarga: 50, precio_documento: 0.0287 },
        { recarga: 100, precio_documento: 0.023 },
        { recarga: 500, precio_documento: 0.0161 },
        { recarga: 1500, precio_documento: 0.0115 },
      ],
      verificaciones: { prueba_de_vida: 0.5, cedula_ocr: 0.75, completa: 1 },
      consultas: { gratis_por_mes: 20, precio: 0.01 },
    },
  });
});
