import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { eventually } from '../support/eventually.ts';
import { noonClock } from '../support/noon.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';

/** `facturapuente close` as an accountant types it, beside a running start and without one. */
describe('facturapuente close', () => {
  let product: Product;
  let close: (...more: string[]) => ReturnType<typeof run>;
  const { day: today, now, testClock, sandbox } = noonClock();
  const orders = ['1201', '1202', '1203', '1204', '1205'];
  beforeAll(async () => {
    product = await openProduct({
      engine: 'sqlite',
      orders: wooOrders(now()),
      config: { testClock },
      sandbox,
    });
    const file = product.file;
    close = (...more) => run(['close', '--config', file, ...more]);
    await product.start();
    for (const order of orders) await product.deliver(order);
    for (const order of orders)
      await eventually(() => written(product, order).pdf, `the factura on ${order}\n${product.log()}`);
  });
  afterAll(() => product?.close());

  it('closes a day beside a running start, in words and as JSON', async () => {
    const { code, stdout, stderr } = await close('--date', today);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      `Cierre del ${today} · todas las tiendas · EL DÍA NO TERMINA: hasta ahora cuadra`,
    );
    const json = JSON.parse((await close('--date', today, '--store', 'tienda', '--json')).stdout);
    expect(json.close).toMatchObject({ result: 'green', scope: 'tienda', sales: { issued: { count: 5 } } });
    expect(json.kept).toBeNull();
  });

  it('signs with a key whose public half it hands out, and verifies the chain', async () => {
    const { kept } = JSON.parse((await close('--date', today, '--save', '--json')).stdout);
    const pem = (await run(['verify-closes', '--config', product.file, '--public-key'])).stdout;
    const signed = verify(
      null,
      Buffer.from(kept.content),
      createPublicKey(pem),
      Buffer.from(kept.signature, 'base64'),
    );
    expect(signed).toBe(true);
    const { code, stdout } = await run(['verify-closes', '--config', product.file]);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'El único cierre guardado está firmado.']);
    expect(stdout).toContain(kept.hash);
  });

  it('hands a month to the accountant beside a running start', async () => {
    const out = join(product.folder, 'mes.zip');
    const file = product.file;
    const month = today.slice(0, 7);
    const { code, stdout } = await run(['export', '--config', file, '--month', month, '--out', out]);
    expect([code, stdout]).toEqual([0, `5 facturas y 0 notas de crédito en ${out}.\n`]);
    expect(Object.keys(unzipSync(await readFile(out))).filter((name) => name.endsWith('.pdf'))).toHaveLength(
      5,
    );
    const wrong = await run(['export', '--config', file, '--month', '2099-01']);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      '«2099-01» no es un mes que ya haya empezado: escríbalo como 2026-11. Corríjalo y repita.\n',
    ]);
  });

  it('says what it cannot close', async () => {
    expect((await close('--date', 'ayer')).stderr).toContain(
      'Escriba un día que exista, por ejemplo 2026-11-20.',
    );
    const future = await close('--date', '2099-01-01');
    expect([future.code, future.stderr]).toEqual([
      1,
      'El 2099-01-01 todavía no llega en Ecuador: cierre un día que ya empezó. Corríjalo y repita.\n',
    ]);
    expect((await close('--date', today, '--store', 'otra')).stderr).toContain(
      'No hay ninguna tienda «otra»',
    );
  });

  it('closes without a running start too, and ends with 1 when a day does not add up', async () => {
    await product.stop();
    expect((await close('--date', today)).code).toBe(0);
    product.shop.trash('1201');
    const { code, stdout } = await close('--date', today);
    expect(code).toBe(1);
    expect(stdout).toContain('hasta ahora no cuadra');
    expect(stdout).toContain('Pedido #1201: El pedido se envió a la papelera después de su factura');
  });

  it('ends with 2 when the service does not answer', async () => {
    await product.sandbox.close();
    const { code, stdout } = await close('--date', today);
    expect(code).toBe(2);
    expect(stdout).toContain('hasta ahora sin conciliar');
    expect(stdout).toContain('El servicio no respondió por todos los documentos de la cuenta cuenta');
  });
});
