import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { apiKey, assumptionRows, startProxy, startSandbox } from '../sandbox/conformance/support.ts';
import { run } from '../support/run.ts';

const conformance = (url: string, ...more: string[]) =>
  run(['conformance', '--base-url', url, '--api-key', apiKey, ...more]);

describe('facturapuente conformance', () => {
  test('ends with 0 on the sandbox and says what agrees, what cannot be seen, and which assumptions hold', async () => {
    const sandbox = await startSandbox();
    const { code, stdout, stderr } = await conformance(sandbox.url, '--listen', '0');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/Entregas del webhook\s+│\s+\d+ │\s+0 │\s+0/);
    expect(stdout).toMatch(/A1\s+se cumple/);
    expect(stdout).toMatch(/A17\s+no se ve/);
    expect(stdout).toContain('Hace falta la clave de otra cuenta: --second-key.');
    expect(stdout).toMatch(/Nada difiere: \d{3} comprobaciones concuerdan/);
    expect(stdout).not.toContain(apiKey);
    expect(code).toBe(0);
  });

  test('ends with 1 when something differs, with the row, what was expected and what was seen', async () => {
    const sandbox = await startSandbox();
    const url = await startProxy(sandbox.url, {
      after(passing) {
        if (passing.path === '/api/ping') passing.body = { pong: 'true' };
      },
    });
    const text = await conformance(url);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain('✗ ping responde sin clave [Endpoints, POST /api/ping]');
    expect(text.stdout).toContain('esperado: HTTP 200 con pong=true');
    expect(text.stdout).toContain('visto:    HTTP 200, {"pong":"true"}');
    expect(text.stdout).toMatch(/2 de \d+ comprobaciones difieren/);
  });

  test('--json prints the same for programs', async () => {
    const sandbox = await startSandbox();
    const { code, stdout } = await conformance(sandbox.url, '--json');
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report).toMatchObject({ baseUrl: sandbox.url, summary: { differs: 0 }, notes: [] });
    expect(report.summary.agrees).toBe(
      report.checks.filter((check: { verdict: string }) => check.verdict === 'agrees').length,
    );
    expect(report.checks[0]).toMatchObject({ id: 'webhook-lectura', section: 'Webhook', verdict: 'agrees' });
    expect(report.assumptions.map(({ id }: { id: string }) => id)).toEqual(await assumptionRows());
    expect(report.checks[0].basis).toBe('spec');
    const described = report.assumptions.filter(({ basis }: { basis: string }) => basis === 'described');
    expect(described.map(({ id }: { id: string }) => id)).toEqual(
      await assumptionRows('described in public'),
    );
  });

  test('takes the issuer from a file and numbers in the series given', async () => {
    const sandbox = await startSandbox();
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'emisor.json');
    const emisor = {
      nombre_comercial: 'Otra Tienda',
      ruc: '1790016919001',
      direccion_matriz: 'Calle 1',
      direccion_establecimiento: 'Calle 1',
      obligado_contabilidad: 'NO',
    };
    await writeFile(file, JSON.stringify(emisor));
    const { code } = await conformance(sandbox.url, '--emisor', file, '--series', '002-007');
    expect(code).toBe(0);
    const places = sandbox
      .documents()
      .map(({ ruc, establecimiento, puntoEmision }) => [ruc, establecimiento, puntoEmision].join(' '));
    expect(new Set(places)).toEqual(new Set(['1790016919001 002 007']));
  });

  describe('ends with 2 and one sentence', () => {
    test('when nobody answers', async () => {
      const { code, stdout, stderr } = await conformance(`http://127.0.0.1:${await freePort()}`);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toBe('El servicio no responde: nadie escucha en esa dirección. Revise --base-url.\n');
    });

    test('when the service does not know the key', async () => {
      const sandbox = await startSandbox({ accounts: [] });
      const { code, stderr } = await conformance(sandbox.url);
      expect([code, stderr]).toEqual([2, 'El servicio no conoce esa clave de API. Revise --api-key.\n']);
    });

    test('when another program answers there', async () => {
      const sandbox = await startSandbox();
      const { code, stderr } = await conformance(`${sandbox.url}/__sandbox`);
      expect([code, stderr]).toEqual([2, 'En esa dirección responde otro programa. Revise --base-url.\n']);
    });

    test('when the service falls silent half way', async () => {
      const sandbox = await startSandbox();
      let asked = 0;
      const url = await startProxy(sandbox.url, {
        before(passing) {
          asked += 1;
          passing.cut = asked > 20;
        },
      });
      const { code, stderr } = await conformance(url);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^El servicio dejó de responder\. \w+ \/api\/[^\n]+ quedó sin respuesta: [^\n]+\.\n$/,
      );
    });

    test.each([
      [['--emisor', 'no-existe.json'], 'No se puede leer no-existe.json: el archivo no existe.'],
      [['--series', '1-900'], 'Debe tener la forma 001-900.'],
      [['--ruc', '0159999994001'], '--with-companies y --ruc van juntos.'],
      [['--with-companies', '--ruc', '1792146739001'], '--ruc debe tener 13 dígitos y no ser el del emisor.'],
      [['--public-url', 'https://example.com/'], '--public-url necesita --listen.'],
      [['--listen', '0', '--webhook-url', 'https://example.com/'], 'Use --listen o --webhook-url, no ambos.'],
    ])('when the options are %j', async (options, sentence) => {
      const { code, stderr } = await conformance('http://127.0.0.1:9', ...options);
      expect(code).toBe(2);
      expect(stderr).toContain(sentence);
    });

    test('when an option is missing', async () => {
      const { code, stderr } = await run(['conformance', '--api-key', apiKey]);
      expect(code).toBe(2);
      expect(stderr).toContain('--base-url');
    });
  });
});
