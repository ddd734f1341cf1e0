import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openSample, type Sample, sampleKeys, sampleSecret } from './page-sample.ts';
import { pages, visit } from './page-support.ts';
import { apiKey, factura, listen, start } from './support.ts';

const hostile = `<script>alert(1)</script>"'&<img src=x onerror=alert(2)>`;
const rows = (text: string) => [...text.matchAll(/<tr id="d-(\d+)"/g)].map(([, key]) => key);

describe('the page shows what is stored, and nothing more', () => {
  test('what a client sent stays text: a hostile name, item, message or search brings no markup in', async () => {
    const { sandbox, emit } = await start();
    sandbox.faults.add({
      outcome: {
        identificacion: '2459999997',
        resultado: 'error',
        codigo: 35,
        informacionAdicional: hostile,
      },
    });
    const { body } = await emit(
      factura((b) => {
        b.comprador.razon_social = hostile;
        b.items[0].descripcion = hostile;
        b.informacion_adicional = [{ nombre: hostile, detalle: hostile }];
      }),
    );
    await eventually(() => sandbox.documents()[0]?.estado !== 1, 'the decision');
    for (const path of [
      ...pages,
      `/pagina/comprobantes/${body.claveacceso}`,
      `/?q=${encodeURIComponent(hostile)}`,
    ]) {
      const { text } = await visit(sandbox.url, path);
      expect(text, path).not.toMatch(/<script>|<img src=x/);
    }
    const { text } = await visit(sandbox.url);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect((await visit(sandbox.url, `/pagina/comprobantes/${body.claveacceso}`)).text).toContain(
      '<span>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&apos;&amp;&lt;img src=x onerror=alert(2)&gt;</span>',
    );
  });

  test('no page shows an API key or the secret of a webhook, nor what a webhook address carries as a query', async () => {
    const sample = await openSample();
    try {
      const keys = sample.sandbox.documents().map((one) => `/pagina/comprobantes/${one.claveacceso}`);
      for (const path of [...pages, ...keys]) {
        const { text, status } = await visit(sample.sandbox.url, path);
        expect(status, path).toBe(200);
        for (const secret of [...Object.values(sampleKeys), sampleSecret])
          expect(text, path).not.toContain(secret);
      }
    } finally {
      await sample.close();
    }
    const hook = await listen();
    const { sandbox } = await start({
      allowLoopbackWebhooks: true,
      accounts: [{ apiKey, webhook: { url: `${hook.url}&token=escondido`, secret: sampleSecret } }],
    });
    expect((await visit(sandbox.url, '/pagina/cuentas')).text).not.toContain('escondido');
  });

  test.each(pages)(
    '%s is complete HTML whose policy lets no inline script or style run, and has none',
    async (path) => {
      const { sandbox } = await start();
      const { text, headers } = await visit(sandbox.url, path);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(text).toMatch(/^<!doctype html>\s*<html lang="es-EC">/);
      expect(text).not.toMatch(/ style=| on\w+=|<style|<script(?! src="\/pagina\/pagina.js" defer>)/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  test('a document has its PDF and its XML in place, and one that does not exist a page that says so', async () => {
    const { sandbox, emit, settled } = await start();
    const { body } = await emit(factura());
    await settled(body.claveacceso);
    const path = `/pagina/comprobantes/${body.claveacceso}`;
    const { text } = await visit(sandbox.url, path);
    expect(text).toContain(`<iframe class="ride" src="${path}/ride.pdf`);
    expect(text).toContain('&lt;<span class="c-key">infoTributaria</span>&gt;');
    expect(text).toContain('<span class="c-key">&quot;comprador&quot;</span>: {');
    const pdf = await fetch(`${sandbox.url}${path}/ride.pdf`);
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await visit(sandbox.url, `${path}/comprobante.xml`)).text).toContain('<numeroAutorizacion>');
    for (const missing of ['/pagina/comprobantes/123', '/pagina/nada', '/pagina/constructor']) {
      const answer = await visit(sandbox.url, missing);
      expect([missing, answer.status]).toEqual([missing, 404]);
      expect(answer.text).toContain('No hay nada aquí');
    }
  });

  test('asked under a name that is not this machine’s, no page answers', async () => {
    const { sandbox } = await start();
    for (const path of ['/', '/pagina/cuentas', '/pagina/pagina.js']) {
      const response = await request(`${sandbox.url}${path}`, { headers: { host: 'malo.example' } });
      await response.body.dump();
      expect([path, response.statusCode]).toEqual([path, 421]);
    }
  });
});

describe('the list of documents', () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await openSample();
  });
  afterAll(() => sample.close());

  test.each<[string, string, number[]]>([
    ['nothing asked: the newest first', '/', [8, 7, 6, 5, 4, 3, 2, 1]],
    ['by state', '/?estado=error', [7, 4]],
    ['in process', '/?estado=proceso', [8]],
    ['by type', '/?tipo=04', [5]],
    ['by account', '/?cuenta=2', [7, 3]],
    ['an account that does not exist', '/?cuenta=9', []],
    ['by number', '/?q=000000219', [2]],
    ['by words of a name, in any case', '/?q=mar%C3%ADa+pe%C3%B1afiel', [5, 1]],
    ['by what the authority said', '/?q=firma', [4]],
    ['by everything at once', '/?q=salazar&estado=proceso&tipo=01&cuenta=1', [8]],
  ])('%s', async (_what, path, ids) => {
    const { sandbox } = sample;
    const keys = sandbox.documents().map(({ claveacceso }) => claveacceso);
    const { text } = await visit(sandbox.url, path);
    expect(rows(text).map((key) => keys.indexOf(key ?? '') + 1)).toEqual(ids);
  });

  test('more than a hundred come in pages', async () => {
    const { sandbox, emit } = await start();
    for (let n = 0; n < 101; n++) await emit(factura((b) => delete b.emisor.secuencial));
    const first = await visit(sandbox.url);
    expect(rows(first.text)).toHaveLength(100);
    expect(first.text).toContain('href="/?hoja=2"');
    const second = await visit(sandbox.url, '/?hoja=2');
    expect(rows(second.text)).toEqual([sandbox.documents()[0]?.claveacceso]);
  });
});
