import { expect, test } from 'vitest';
import { openHouse } from './house.ts';

test('a page’s scripts and styles are ours, and the modules of core among them need nothing a browser lacks', async () => {
  const house = await openHouse();
  const asked = ['identificacion.js'];
  const seen = new Set<string>();
  for (let name = asked.pop(); name !== undefined; name = asked.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const answer = await house.get(`/paginas/${name}`);
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
  expect(seen.size).toBe(4);
  expect((await house.get('/paginas/pagina.css')).headers.get('content-type')).toBe(
    'text/css; charset=utf-8',
  );
  for (const name of ['constructor', '..%2f..%2fpackage.json', 'x.js'])
    expect((await house.get(`/paginas/${name}`)).status).toBe(404);
});
