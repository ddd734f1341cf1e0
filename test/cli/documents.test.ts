import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import type { Document } from '../../src/domain/document.ts';
import { documentTable } from '../../src/operations/run/document-list.ts';
import { document } from '../ledger/samples.ts';
import { eventually } from '../support/eventually.ts';
import { engines, openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';

test('a nota de crédito a cent off the money that went back says so in the list', () => {
  const cent = {
    kind: 'nota-credito',
    charged: '3.33',
    total: '3.32',
    reason: null,
    verification: null,
  } as const;
  const row = {
    ...document(cent),
    state: 'authorized',
    annulledAt: null,
    storeId: 'tienda',
    orderName: '#1',
  };
  expect(documentTable([row as unknown as Document], []).replace(/[│\s]+/g, ' ')).toContain(
    'Se devolvieron 3.33 y la nota de crédito es por 3.32, un centavo menos',
  );
});

describe.each(engines)('facturapuente documents on %s', (engine) => {
  let product: Product;
  const documents = (...args: string[]) => run(['documents', '--config', product.file, ...args]);
  beforeAll(async () => {
    const wrong = [{ id: 1, key: '_billing_cedula', value: '1710034066' }];
    const orders = wooOrders(new Date()).map((order) =>
      order.id === 1202 ? { ...order, meta_data: wrong } : order,
    );
    product = await openProduct({ engine, orders });
    const spoilt = { campo: 'totalSinImpuestos', valor: '1.00' };
    await product.start();
    await product.deliver('1201');
    await product.deliver('1202');
    const read = () => product.sandbox.requests().filter(({ path }) => path.includes('/xml/')).length;
    await eventually(
      () => written(product, '1201').pdf && written(product, '1202').estado && read() === 1,
      'both orders written back and the first read back',
    );
    product.sandbox.faults.add({ spoilXml: spoilt });
    await product.deliver('1203');
    await eventually(() => written(product, '1203').pdf && read() === 2, 'the third read back');
    const differs = async () => (await documents()).stdout.includes('no coincide');
    await eventually(differs, 'the difference to be recorded');
  });
  afterAll(() => product?.close());

  it('lists what the ledger holds while start runs, held ones with their reason', async () => {
    const { code, stdout } = await documents('--json');
    expect(code).toBe(0);
    const listed = JSON.parse(stdout) as {
      order: string;
      state: string;
      number: string | null;
      reason: string | null;
      pdfUrl: string | null;
      verification: 'agrees' | string[] | null;
    }[];
    expect(
      Object.fromEntries(listed.map((one) => [one.order, [one.state, one.number, one.verification]])),
    ).toEqual({
      '1201': ['authorized', '001-001-000000001', 'agrees'],
      '1202': ['held', null, null],
      '1203': ['authorized', '001-001-000000002', ['totalSinImpuestos']],
    });
    expect(listed.find((one) => one.order === '1201')?.pdfUrl).toBe(written(product, '1201').pdf);
    expect(listed.find((one) => one.order === '1202')?.reason).toContain('identificación');
  });

  it('shows whether the authorised XML is what was sent, and which fields differ', async () => {
    const { stdout } = await documents();
    expect(stdout).toContain('autorizada y verificada');
    expect(stdout).toContain('autorizada, no coincide');
    expect(stdout).toContain('totalSinImpuestos');
  });

  it('shows what was annulled at the portal of the SRI, in the list and in the timeline of its order', async () => {
    const sold = product.sandbox.documents().find(({ numero }) => numero === '001-001-000000001');
    await fetch(`${product.sandbox.url}/__sandbox/anulaciones`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ claveacceso: sold?.claveacceso }),
    });
    product.shop.refund('1201', { amount: '5.00' });
    await product.deliver('1201');
    const list = async () => (await documents()).stdout;
    await eventually(async () => (await list()).includes('por decidir'), 'the refund to be held');
    expect(await list()).toContain('anulada en el SRI');
    const timeline = await run(['explain', '--config', product.file, '1201']);
    expect(timeline.stdout).toContain('Figura ANULADO en el portal del SRI');
  });

  it('shows a person only the states asked for', async () => {
    const { stdout } = await documents('--state', 'held');
    expect(stdout).toContain('#1202');
    expect(stdout).not.toContain('#1201');
  });
});
