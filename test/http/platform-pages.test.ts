import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { memoryCredentials } from '../../adapters/contract/index.ts';
import { openOutbound } from '../../src/app/outbound.ts';
import type { Platform, PlatformPage } from '../../src/domain/platform.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { answerFailure, notFound, openBodyMemory } from '../../src/http/endpoints.ts';
import { openTickets } from '../../src/http/links.ts';
import { addPlatformPages } from '../../src/http/platform-pages.ts';
import { openServer } from '../../src/http/server.ts';

const context = {
  clock: { now: () => new Date() },
  log: silentLog,
  userAgent: 'test',
  outbound: openOutbound(),
  credentials: memoryCredentials(),
};

async function open(...pages: PlatformPage[]): Promise<string> {
  const platform = { name: 'tienda', pages, shopOf: () => 'quito.ec' } as unknown as Platform;
  const store = { id: 'quito', shop: 'antes.quito.ec', app: null, connection: { key: 1 }, platform };
  const settings = {
    publicUrl: 'https://conector.ec/base',
    apps: new Map(),
    stores: new Map([['quito', store]]),
  } as unknown as Settings;
  const app = express();
  addPlatformPages(app, settings, () => context, {
    tickets: openTickets(Buffer.alloc(32, 3), context.clock),
    connected: async () => null,
    bodies: openBodyMemory(),
  });
  app.use(notFound);
  app.use(answerFailure(silentLog));
  const server = await openServer(app, { port: 0, host: '127.0.0.1', setting: '--port' });
  onTestFinished(() => server.close());
  return server.url;
}

test('a page of a platform sees the public address, headers and stores, and sets cookies', async () => {
  const url = await open({
    method: 'GET',
    path: '/tienda/conectar',
    answer: async (request, { stores, publicUrl }) => {
      const seen = { url: request.url, cookie: request.headers.get('cookie'), stores: stores(), publicUrl };
      const headers = new Headers({ 'content-type': 'application/json' });
      headers.append('set-cookie', 'a=1; HttpOnly');
      headers.append('set-cookie', 'b=2; HttpOnly');
      return new Response(JSON.stringify(seen), { status: 201, headers });
    },
  });
  const answer = await fetch(`${url}/tienda/conectar?shop=quito`, { headers: { cookie: 'x=1' } });
  expect(answer.status).toBe(201);
  expect(answer.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2; HttpOnly']);
  expect(await answer.json()).toEqual({
    url: 'https://conector.ec/base/tienda/conectar?shop=quito',
    cookie: 'x=1',
    stores: [{ id: 'quito', shop: 'quito.ec', app: null, connection: { key: 1 } }],
    publicUrl: 'https://conector.ec/base',
  });
  expect((await fetch(`${url}/tienda/otra`)).status).toBe(404);
});

test('a posted body comes byte by byte, up to 64 KB', async () => {
  const url = await open({
    method: 'POST',
    path: '/tienda/claves',
    answer: async (request) => new Response(await request.bytes()),
  });
  const post = (body: string) => fetch(`${url}/tienda/claves`, { method: 'POST', body });
  expect(await (await post('{"a": "ñ"}')).text()).toBe('{"a": "ñ"}');
  expect((await post('x'.repeat(64 * 1024 + 1))).status).toBe(413);
});

test('a page that throws says nothing of why', async () => {
  const url = await open({
    method: 'GET',
    path: '/tienda/rota',
    answer: () => Promise.reject(new Error('the secret is 1234')),
  });
  const answer = await fetch(`${url}/tienda/rota`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('1234');
});
