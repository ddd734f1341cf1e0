import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIssuer } from '../../src/cli/given.ts';
import { openProduct, type Product } from '../support/product.ts';
import { run } from '../support/run.ts';

const { ruc } = demoIssuer.issuer;

describe('production', () => {
  let product: Product;
  let file: string;
  let config: { issuers: { ejemplo: Record<string, unknown> } } & Record<string, unknown>;
  const write = (change: Record<string, unknown> = {}) =>
    writeFile(file, JSON.stringify({ ...config, ...change }));
  /** How `start` ends that must not begin. */
  const refused = () => run(['start', '--config', file, '--host', '127.0.0.1']);

  beforeAll(async () => {
    product = await openProduct({
      engine: 'sqlite',
      sandbox: (url) => ({
        accounts: [
          {
            apiKey: 'clave-1',
            credits: 5,
            providerApproved: true,
            webhook: {
              url: `${url}/service/webhook/cuenta`,
              secret: 'secreto-del-servicio-0123456789abcdef0123',
            },
          },
        ],
      }),
    });
    file = product.file;
    config = JSON.parse(await readFile(file, 'utf8'));
    config.issuers.ejemplo.ambiente = 2;
    config.issuers.ejemplo.razon_social ??= 'EMPRESA DE EJEMPLO S.A.';
    await write();
  });
  afterAll(() => product?.close());

  it('does not begin before a person has said that it is meant', async () => {
    const { code, stderr } = await refused();
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      `La tienda «tienda» emitiría en producción (ambiente 2) y nadie lo ha confirmado`,
    );
    expect(stderr).toContain('facturapuente install --production');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('is confirmed without install where nobody logs in: by the RUC in the environment or the config, and no other', async () => {
    await write({ production: ['1792146739001'] });
    expect((await refused()).stderr).toContain('nadie lo ha confirmado');
    await write({ production: [ruc] });
    await product.start();
    await product.stop();
    await write();
    process.env.FACTURAPUENTE_PRODUCTION = ruc;
    await product.start();
    delete process.env.FACTURAPUENTE_PRODUCTION;
    await product.stop();
    expect((await refused()).stderr).toContain('nadie lo ha confirmado');
  });

  it('is what install writes down, once and for this service alone', async () => {
    await run(['install', '--production', '--config', file]);
    await product.start();
    await product.stop();
    const other = {
      cuenta: {
        baseUrl: 'http://127.0.0.1:9',
        apiKey: 'clave-1',
        webhookSecrets: ['secreto-de-otra-cuenta-0123456789abcdef'],
      },
    };
    await write({ accounts: other });
    expect((await refused()).stderr).toContain('nadie lo ha confirmado');
    await write();
  });

  it('is needed for a store that is added to the ledger as well', async () => {
    const stores = config.stores as { tienda: { connection: object } };
    const added = {
      accounts: { otra: { baseUrl: product.sandbox.url, apiKey: 'clave-1' } },
      issuers: { otro: { ...config.issuers.ejemplo, account: 'otra' } },
      stores: {
        segunda: {
          ...stores.tienda,
          issuer: 'otro',
          series: { establecimiento: '009', puntoEmision: '001' },
          connection: { ...stores.tienda.connection, url: 'https://segunda.example.ec' },
        },
      },
    };
    const fragment = join(product.folder, 'segunda.json');
    const add = async (change: object) => {
      await writeFile(fragment, JSON.stringify({ ...added, ...change }));
      return run(['store', 'add', fragment, '--config', file]);
    };
    expect((await add({})).stderr).toContain('La tienda «segunda» emitiría en producción');
    const { code, stderr } = await add({ production: [ruc] });
    expect([code, stderr]).toEqual([0, '']);
    await product.start();
    await product.stop();
  });
});
