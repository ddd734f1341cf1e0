import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whoAmI } from '../../src/cli/given.ts';
import { auditLogIn } from '../support/audit-log.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';

describe('facturapuente sync', () => {
  let product: Product;
  let sync: (...more: string[]) => ReturnType<typeof run>;
  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite' });
    const file = product.file;
    sync = (...more) => run(['sync', '--config', file, ...more]);
  });
  afterAll(() => product?.close());

  it('needs a ledger: the first start says from when sales are invoiced', async () => {
    const { code, stderr } = await sync();
    expect([code, stderr]).toEqual([1, expect.stringContaining('facturapuente start')]);
    await product.start();
    await product.stop();
  });

  it('says which stores there are when it is asked for another', async () => {
    const { code, stderr } = await sync('--store', 'otra');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('No hay ninguna tienda «otra»; hay: tienda.'),
    ]);
    expect((await sync('--since', 'ayer')).stderr).toContain('2026-11-01T08:00:00-05:00');
  });

  it('prints what it found, and leaves it to the next start', async () => {
    const { code, stdout } = await sync();
    expect([code, stdout]).toEqual([
      0,
      'tienda: hay 5 pedidos nuevos o cambiados; facturapuente start los revisa.\n',
    ]);
    expect(product.sandbox.documents()).toHaveLength(0);
    const facts = { since: null, stores: { tienda: 5 } };
    expect(auditLogIn(product.ledger).slice(-1)).toEqual([
      { who: whoAmI(), what: 'sync', subject: null, outcome: 'done', facts },
    ]);
    await product.start();
    await eventually(() => written(product, '1201').pdf, 'the factura on the order');
  });

  it('asks beside a running start, too', async () => {
    const { code, stdout } = await sync('--since', '2026-11-01');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^tienda: /)]);
    await product.stop();
  });

  it('says what the shop answered when it cannot be asked', async () => {
    // Neither which shop it is nor what changed.
    for (const _call of ['identity', 'changes']) product.shop.trouble({ status: 503, body: 'Mantenimiento' });
    const { code, stdout } = await sync('--since', '2026-11-01');
    expect([code, stdout]).toEqual([
      1,
      'tienda: La tienda respondió con una página en vez de datos. Se intentará de nuevo. Desactive el modo de mantenimiento o «próximamente» cuando termine.\n',
    ]);
    expect(auditLogIn(product.ledger).at(-1)).toMatchObject({ what: 'sync', outcome: 'failed' });
  });
});
