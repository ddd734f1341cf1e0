import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { mcpEndpoint } from '../../src/assistant/endpoint.ts';
import { hashPassword } from '../../src/panel/people.ts';
import { openInstallation } from '../http/installation.ts';
import { routesOf } from '../security/fuzz/routes.ts';
import { allOperations, httpReference } from './http.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

test('docs/http.md says what the endpoints answer (npm run reference)', async () => {
  await expect(httpReference()).toMatchFileSnapshot('../../docs/http.md');
});

test('no operation is listed twice', () => {
  const named = allOperations.map(({ method, path }) => `${method} ${path}`);
  expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([]);
});

describe('the app', () => {
  async function openApp() {
    const operator = { user: 'ana', passwordHash: await hashPassword('una clave larga') };
    return openInstallation({
      people: [{ ...operator, role: 'configure' }],
      queues: (_req, res) => res.end('queues'),
      oauthApp: { clientId: 'publica-id', clientSecrets: ['secreto-de-la-app-publica'] },
      mcp: mcpEndpoint({
        tokens: { asistente: 'a'.repeat(64) },
        publicUrl: 'https://conector.example',
        version,
        tools: [],
        call: () => async () => ({ message: 'Nada.' }) as never,
        readBody: async () => Buffer.from('{}'),
        log: { warn() {} },
      }),
    });
  }

  test('has every route that is described, and no other', async () => {
    const { app } = await openApp();
    const mounted = mountedIn(app as unknown as RequestListener);
    const reported = allOperations.map(({ method, path, within }) => `${method} ${within ?? path}`);
    expect(mounted.filter((route) => !reported.includes(route))).toEqual([]);
    // One router lists no routes of its own; the next test asks it.
    const silent = 'get /operations/queues';
    expect(reported.filter((route) => route !== silent && !mounted.includes(route))).toEqual([]);
  });

  test('answers a stranger with a status that is described', async () => {
    const installation = await openApp();
    const strange: string[] = [];
    for (const { method, path, answers } of allOperations) {
      const address = path.replaceAll(/:\w+/g, 'nadie');
      const body = method === 'post' ? { body: '{}' } : {};
      const answer = await fetch(`${installation.url}${address}`, {
        method: method.toUpperCase(),
        redirect: 'manual',
        ...body,
      });
      await answer.body?.cancel();
      if (!(answer.status in answers)) strange.push(`${method} ${path}: ${answer.status}`);
    }
    expect(strange).toEqual([]);
  });
});

/** `app.all`: the handler itself says which methods it takes; the first is the one that is described. */
const openTo = (methods: readonly string[]) => (methods.length > 10 ? ['post'] : methods);

/** What is mounted, without what only stands before others: limits, the panel's frame. */
function mountedIn(app: RequestListener): string[] {
  const routes = routesOf(app);
  const named = routes.filter(({ methods }) => methods.length > 0);
  const whole = routes.filter(
    ({ path, methods }) =>
      methods.length === 0 && !named.some((one) => one.path.startsWith(path.replace(/:rest$/, ''))),
  );
  return [
    ...named.flatMap(({ path, methods }) =>
      openTo(methods)
        .filter((method) => method !== 'HEAD' && method !== 'head')
        .map((method) => `${method.toLowerCase()} ${path}`),
    ),
    ...whole.map(({ path }) => `get ${path}`),
  ];
}
