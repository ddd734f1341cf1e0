import { expect, test } from 'vitest';
import { openInstallation } from './installation.ts';

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
