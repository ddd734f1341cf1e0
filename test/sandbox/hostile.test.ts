import { request } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../support/chance.ts';
import { type Answer, apiKey, type Client, factura, sendForm, start } from './support.ts';

// Whatever comes, the answer is a clear refusal in the words of the route, and the next client is served.

const routes = [
  '/api/factura/emision',
  '/api/credito/emision',
  '/api/retencion/emision',
  '/api/empresa/crear',
  '/api/empresa/subirfirma',
  '/api/empresa/subirlogo',
  '/api/comprobante/reprocesar',
  '/api/webhook',
  '/api/sri/ruc',
  '/api/id/verificaciones',
];

/** A refusal says so in its own words, and is no accident. */
function expectRefusal({ status, body }: Answer, path: string): void {
  expect(status, path).toBeLessThan(500);
  const said = path.endsWith('/emision')
    ? body.creado
    : path.includes('/empresa/')
      ? body.respuesta
      : body.success;
  expect(said, JSON.stringify(body)).toBe(false);
  const words = body.message ?? body.errors;
  expect(JSON.stringify(words).length).toBeGreaterThan(10);
}

async function stillServes({ emit }: Client): Promise<void> {
  const { body } = await emit(factura((b) => delete b.emisor.secuencial));
  expect(body.creado).toBe(true);
}

describe('a body nobody meant', () => {
  test.each(routes)('%s refuses any JSON value', async (path) => {
    const client = await start({ authorizeDelayMs: 60_000 });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        expectRefusal(await client.send('POST', path, JSON.stringify(value)), path);
      }),
      { numRuns: draws(10, 200) },
    );
    await stillServes(client);
  });

  test.each(routes)('%s refuses text that is no JSON, and JSON of another type', async (path) => {
    const client = await start();
    for (const text of ['', '{', '{"a":1,}', '\u0000', 'null', '[]', '"x"', '1e400', 'creado=1']) {
      expectRefusal(await client.send('POST', path, text), path);
    }
    const response = await fetch(`${client.sandbox.url}${path}`, {
      method: 'POST',
      headers: { 'X-API-KEY': apiKey, 'content-type': 'text/plain' },
      body: JSON.stringify(factura()),
    });
    expectRefusal({ status: response.status, headers: response.headers, body: await response.json() }, path);
    await stillServes(client);
  });

  test('a factura with any one part replaced by anything is refused or registered, never an accident', async () => {
    const client = await start({ authorizeDelayMs: 1 });
    const paths = parts(factura());
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...odd)),
        async (path, value) => {
          const body = factura((b) => delete b.emisor.secuencial);
          replace(body, path, value);
          const { status, body: said } = await client.emit(JSON.stringify(body));
          expect(status).toBe(200);
          if (said.creado === true) return;
          expect(said.errors.join(' ').length).toBeGreaterThan(10);
        },
      ),
      { numRuns: draws(60, 2_000) },
    );
    await stillServes(client);
  });

  test('names of the prototype chain are unknown fields, not a way in', async () => {
    const client = await start();
    const text = JSON.stringify(factura()).replace('{', '{"__proto__":{"creado":true},"constructor":1,');
    const { body } = await client.emit(text);
    expect(body.creado).toBe(false);
    expect(({} as Record<string, unknown>).creado).toBeUndefined();
    await stillServes(client);
  });

  test.each(['/api/factura/emision', '/api/debito/emision'])(
    'nesting of 50,000 levels in %s is refused',
    async (path) => {
      const client = await start();
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
      expectRefusal(
        await client.send('POST', path, JSON.stringify(factura()).replace('{', `{"x":${deep},`)),
        path,
      );
      expect((await client.get('/__sandbox/requests')).status).toBe(200);
      await stillServes(client);
    },
  );

  test('a body that is no UTF-8 is refused, and nothing of it is stored', async () => {
    const client = await start();
    const body = Buffer.from(JSON.stringify(factura()));
    body[body.indexOf('Camiseta')] = 0xff;
    const answer = await fetch(`${client.sandbox.url}/api/factura/emision`, {
      method: 'POST',
      headers: { 'X-API-KEY': apiKey, 'content-type': 'application/json' },
      body,
    });
    const errors = ['El cuerpo no es UTF-8 válido.'];
    expect([answer.status, await answer.json()]).toMatchObject([400, { creado: false, errors }]);
    expect(answer.headers.get('x-sandbox-inferred')).toBe('true');
    expect(client.sandbox.documents()).toEqual([]);
  });

  test('a text of 1 MB is refused by the rule of its field, a body beyond 16 MB unread', async () => {
    const client = await start();
    const { body } = await client.emit(
      JSON.stringify(factura((b) => (b.comprador.razon_social = 'x'.repeat(1024 * 1024)))),
    );
    expect(body.errors).toEqual([expect.stringContaining('comprador.razon_social')]);
    expect(await client.emit(' '.repeat(17 * 1024 * 1024))).toMatchObject({
      status: 413,
      body: { creado: false, errors: [expect.stringMatching(/MB/)] },
    });
    const firma_file = Buffer.alloc(17 * 1024 * 1024);
    const form = { ruc: '1792146739001', password: 'x', firma_file };
    expect(await sendForm(client, '/api/empresa/subirfirma', form)).toMatchObject({
      status: 400,
      body: { respuesta: false, errors: { cuerpo: [expect.any(String)] } },
    });
    await stillServes(client);
  });

  test('a request cut off in the middle of its body is recorded and leaves nothing behind', async () => {
    const client = await start();
    await new Promise<void>((resolve) => {
      const cut = request(`${client.sandbox.url}/api/factura/emision`, {
        method: 'POST',
        headers: { 'X-API-KEY': apiKey, 'content-type': 'application/json', 'content-length': '1000' },
      });
      cut.on('error', () => resolve());
      cut.write('{"emisor":', () => cut.destroy());
      cut.on('close', () => resolve());
    });
    expect(client.sandbox.documents()).toEqual([]);
    await stillServes(client);
  });
});

/** Numbers at an edge, and texts nobody means. */
const odd = [-1, 1e308, 1e-7, 2 ** 53, '', ' ', '\n', '\u0000', '😀'.repeat(200), 'x'.repeat(5000)];

type Path = (string | number)[];

/** Every place in a body. */
function parts(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, child]) => parts(child, [...at, key]))].filter(
    (path) => path.length > 0,
  );
}

function replace(body: unknown, path: Path, value: unknown): void {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], body);
  (parent as Record<string, unknown>)[String(path.at(-1))] = value;
}
