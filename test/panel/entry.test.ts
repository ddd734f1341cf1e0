import { expect, test } from 'vitest';
import { openInstallation } from '../http/installation.ts';
import { cookieOf, openPanel, password } from './installation.ts';

test('without users there is no panel', async () => {
  const installation = await openInstallation();
  expect((await installation.get('/panel')).status).toBe(404);
  expect((await installation.get('/panel/entrar')).status).toBe(404);
});

test('nobody sees a page before signing in, and afterwards comes to the one asked for', async () => {
  const installation = await openPanel();
  const asked = await installation.get('/panel/registro?antes=3');
  expect([asked.status, asked.headers.get('location')]).toEqual([
    303,
    `/panel/entrar?volver=${encodeURIComponent('/registro?antes=3')}`,
  ]);
  const form = await (await installation.get(asked.headers.get('location') ?? '')).text();
  expect(form).toContain('value="/registro?antes=3"');
  const entered = await installation.form('/panel/entrar', {
    usuario: 'carla',
    clave: password,
    volver: '/registro?antes=3',
  });
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/panel/registro?antes=3']);
});

test.each([
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '/a//evil.example',
  '@evil.example',
  '/../../wp-login.php?action=logout',
  '/documentos/../../d/x',
  '/%2e%2E/operations/queues',
  '/.%2e',
])('a sign-in never leads to %s', async (volver) => {
  const installation = await openPanel();
  const entered = await installation.form('/panel/entrar', { usuario: 'rosa', clave: password, volver });
  expect(entered.headers.get('location')).toBe('/panel');
});

test('the cookie is bound to the host, to https and to requests; the ledger knows only its hash', async () => {
  const installation = await openPanel();
  const [cookie = ''] = (await installation.enter('rosa')).headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-facturapuente=[\w-]{43};/);
  for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookie).toContain(part);
  expect(cookie).not.toContain('Domain');
  const token = /=([\w-]{43})/.exec(cookie)?.[1] ?? '';
  expect(await installation.ledger.sessions.get(token)).toBeUndefined();
});

test('every sign-in has its own token, and one planted before is not taken over', async () => {
  const installation = await openPanel();
  const planted = `__Host-facturapuente=${'a'.repeat(43)}`;
  const entered = await installation.enter('rosa', password, { cookie: planted });
  expect(cookieOf(entered)).not.toBe(planted);
  expect((await installation.get('/panel', { cookie: planted })).status).toBe(303);
  const first = cookieOf(entered);
  const second = cookieOf(await installation.enter('rosa', password, { cookie: first }));
  expect((await installation.get('/panel', { cookie: first })).status).toBe(303);
  expect((await installation.get('/panel', { cookie: second })).status).toBe(200);
});

test('a wrong password and a name nobody has get the same answer', async () => {
  const installation = await openPanel();
  const texts = [];
  for (const [user, word] of [
    ['rosa', 'otra cosa'],
    ['nadie', password],
  ] as const) {
    const answer = await installation.enter(user, word);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    texts.push((await answer.text()).replaceAll(user, ''));
  }
  expect(texts[0]).toBe(texts[1]);
});

test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])(
  'a sign-in sent by another site is refused: %o',
  async (headers) => {
    const installation = await openPanel();
    const answer = await installation.enter('rosa', password, headers);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  },
);

test('a browser that does not say which site sends is known by its origin; a program that names neither may sign in', async () => {
  const installation = await openPanel();
  const send = (headers: Record<string, string>) =>
    fetch(`${installation.url}/panel/entrar`, {
      method: 'POST',
      redirect: 'manual',
      // Node's fetch adds Sec-Fetch-Mode only.
      body: new URLSearchParams({ usuario: 'rosa', clave: password }),
      headers,
    });
  expect((await send({})).status).toBe(303);
  expect((await send({ origin: 'null' })).status).toBe(403);
  expect((await send({ origin: 'https://conector.example.evil.example' })).status).toBe(403);
  expect((await send({ origin: 'https://conector.example' })).status).toBe(303);
});

test('sign-out ends the session for good, and needs a page of ours', async () => {
  const installation = await openPanel();
  const rosa = await installation.signIn('rosa');
  expect((await rosa.post('/panel/salir', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await rosa.get('/panel')).status).toBe(200);
  const out = await rosa.post('/panel/salir');
  expect(out.headers.getSetCookie()[0]).toContain('Expires=Thu, 01 Jan 1970');
  expect((await rosa.get('/panel')).status).toBe(303);
});

test('pages are never stored, framed or told of to other sites', async () => {
  const installation = await openPanel();
  const rosa = await installation.signIn('rosa');
  const { headers } = await rosa.get('/panel');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('referrer-policy')).toBe('same-origin');
});

test('the page says that it is Spanish', async () => {
  const installation = await openPanel();
  expect(await (await installation.get('/panel/entrar')).text()).toContain('<html lang="es-EC">');
});

test('an address of the panel that does not exist says so in the frame, and only to people signed in', async () => {
  const installation = await openPanel();
  expect((await installation.get('/panel/nada')).status).toBe(303);
  const rosa = await installation.signIn('rosa');
  const answer = await rosa.get('/panel/nada');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});
