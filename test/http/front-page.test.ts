import { expect, test } from 'vitest';
import { openPanel } from '../panel/installation.ts';
import { openInstallation } from './installation.ts';

/** As Chromium asks for a page. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8' };

test('a browser sees at / what this server is, and a link to the panel where it has users', async () => {
  const [without, within] = [await openInstallation(), await openPanel()];
  const texts = [];
  for (const { get } of [without, within]) {
    const answer = await get('/', browser);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    texts.push(await answer.text());
  }
  for (const text of texts) {
    expect(text).toContain('<h1>facturapuente</h1>');
    for (const secret of ['quito', 'cuenca', '0.1.0']) expect(text).not.toContain(secret);
  }
  expect(texts[0]).not.toContain('/panel');
  expect(texts[1]).toContain('<a class="button" href="/panel">Abrir el panel</a>');
});

test('under a path its links and styles have that path', async () => {
  const installation = await openPanel({ publicUrl: 'https://conector.example/facturas' });
  const text = await (await installation.get('/', browser)).text();
  expect(text).toContain('href="/facturas/panel"');
  expect(text).toContain('href="/facturas/paginas/pagina.css?');
});

test('without users a browser reads at /panel, and below it, how to make one', async () => {
  const installation = await openInstallation();
  for (const path of ['/panel', '/panel/', '/panel/entrar']) {
    const answer = await installation.get(path, browser);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).toContain('npx facturapuente hash-password');
  }
});

test.each(['*/*', 'application/json', 'application/json, text/plain, */*'])(
  'a program that accepts %s gets the 404 of any unknown address',
  async (accept) => {
    const installation = await openInstallation();
    for (const path of ['/', '/panel']) {
      const answer = await installation.get(path, { accept });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: 'not-found', message: 'Esta dirección no existe.' },
      ]);
    }
  },
);

test('a page’s scripts and styles are ours, and the module of identifications among them needs nothing a browser lacks', async () => {
  const installation = await openInstallation();
  const asked = ['identificacion.js'];
  const seen = new Set<string>();
  for (let name = asked.pop(); name !== undefined; name = asked.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const answer = await installation.get(`/paginas/${name}`);
    expect([name, answer.status, answer.headers.get('content-type')]).toEqual([
      name,
      200,
      'text/javascript; charset=utf-8',
    ]);
    for (const [, from = ''] of (await answer.text()).matchAll(/^import .* from '([^']+)';/gm)) {
      expect(from).toMatch(/^\.\/[\w-]+\.(ts|js)$/);
      asked.push(from.slice(2));
    }
  }
  expect(seen.size).toBe(2);
  expect((await installation.get('/paginas/pagina.css')).headers.get('content-type')).toBe(
    'text/css; charset=utf-8',
  );
  for (const name of ['constructor', '..%2f..%2fpackage.json', 'x.js'])
    expect((await installation.get(`/paginas/${name}`)).status).toBe(404);
});
