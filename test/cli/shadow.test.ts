import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import type { ShadowReport } from '../../src/reports/rehearsal/shadow-report.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';

const series = { establecimiento: '001', puntoEmision: '900' };

describe('facturapuente shadow', () => {
  let product: Product;
  let file: string;
  const ask = (...more: string[]) => run(['shadow', '--config', file, '--store', 'tienda', ...more]);
  const report = async () => JSON.parse((await ask('--json')).stdout) as ShadowReport;
  /** The store's shadow in the written config; the issuer of the test is one of production. */
  async function configure(shadow: Record<string, unknown>) {
    const config = JSON.parse(await readFile(file, 'utf8'));
    const { shadow: _before, ...store } = config.stores.tienda;
    const issuer = { ...config.issuers.ejemplo, ambiente: 2 };
    const tienda = { ...store, shadow: { ...shadow, invoiceFrom: '2026-01-01' } };
    await writeFile(
      file,
      JSON.stringify({
        ...config,
        production: shadow.only ? [] : [issuer.ruc],
        issuers: { ejemplo: issuer },
        stores: { tienda },
      }),
    );
  }
  beforeAll(async () => {
    const accounts = (webhook: object) => [
      { apiKey: 'clave-1', providerApproved: true, credits: 100, webhook },
    ];
    product = await openProduct({
      engine: 'sqlite',
      // A restart reads what the shop has.
      orders: wooOrders(new Date()).slice(0, 4),
      sandbox: (url) => ({
        accounts: accounts({
          url: `${url}/service/webhook/cuenta`,
          secret: 'secreto-del-servicio-0123456789abcdef0123',
        }) as never,
      }),
    });
    file = product.file;
  });
  afterAll(() => product?.close());

  it('begins before production: nothing but the test environment is reached, and production needs no confirmation', async () => {
    await configure({ series, only: true });
    await product.start();
    product.sandbox.faults.add({ outcome: { identificacion: '0190012344001', codigo: 52 } });
    for (const id of ['1201', '1202', '1203']) await product.deliver(id);
    const done = async () =>
      (await report()).authorised.facturas === 2 && (await report()).refused.count === 1;
    await eventually(done, 'the authority to decide on three shadows');
    expect(new Set(product.sandbox.documents().map(({ ambiente }) => ambiente))).toEqual(new Set([1]));
    expect(written(product, '1201')).toEqual({});
    await product.stop();
  });

  it('then continues beside it, and compares the two', async () => {
    await configure({ series });
    await product.start();
    await product.deliver('1204');
    await eventually(() => written(product, '1204').pdf, 'the factura on the order');
    await eventually(async () => (await report()).authorised.facturas === 3, 'its shadow');
    await eventually(async () => (await report()).altered !== null, 'an XML to be read back');
    const found = await report();
    expect(found).toMatchObject({
      orders: 4,
      refused: { count: 1 },
      underWay: 0,
      passRate: 0.75,
      cents: { differing: [], compared: 1, apart: [] },
      altered: [],
    });
    const { stdout, code } = await ask();
    expect(code).toBe(0);
    expect(stdout).toContain('Pasa el 75 % de lo que el SRI decidió.');
    expect(stdout).toMatch(/Rechazados:\n {2}1 × .* \(#1202\)/);
    expect(stdout).toContain('Los XML que autorizó el SRI dicen lo que se envió.');
    expect(stdout).toContain('el que también está en producción tiene allá el mismo total');
    await product.stop();
  });

  it('says what is missing for a shadow', async () => {
    expect((await run(['shadow', '--config', file, '--store', 'otra'])).stderr).toContain(
      'No hay ninguna tienda',
    );
    await configure({ series: { establecimiento: '001', puntoEmision: '001' } });
    expect((await ask()).stderr).toContain('Use otro punto de emisión, por ejemplo 900.');
  });
});
