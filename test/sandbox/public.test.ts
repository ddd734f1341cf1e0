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

  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['an empty one', { 'X-API-KEY': '' }],
    ['an unknown one', { 'X-API-KEY': 'otra' }],
  ])('with %s', async (_, headers) => {
    const { sandbox } = await start();
    for (const { id, method, path } of routes) {
      const { status } = await fetch(`${sandbox.url}${path.replace(/:\w+/g, '1')}`, { method, headers });
      expect([id, status]).toEqual([id, isPublic(path) ? 200 : 401]);
    }
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
});
