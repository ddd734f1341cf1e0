import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { engines, openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';

describe.each(engines)('order tools beside start on %s', (engine) => {
  let product: Product;
  beforeAll(async () => {
    product = await openProduct({ engine });
    await product.start();
    product.sandbox.faults.add({ failBeforeStoring: 400 });
    await product.deliver('1201');
    await eventually(() => written(product, '1201').estado, 'the refusal on the order');
    await product.deliver('1202');
    await eventually(() => written(product, '1202').pdf, 'the other factura on its order');
  });
  afterAll(() => product?.close());

  const facturapuente = (...args: string[]) => run([...args, '--config', product.file]);

  it('explain shows an order’s timeline, by its number', async () => {
    const { code, stdout } = await facturapuente('explain', '#1202');
    expect(code).toBe(0);
    const key = product.sandbox.documents().at(-1)?.claveacceso;
    for (const part of ['Pedido #1202', 'Comprador', 'autorizada', `clave ${key}`])
      expect(stdout).toContain(part);
    // Each move with its code, for `facturapuente error`, and what it means.
    expect(stdout).toContain('lista para enviar (paid: El pedido está pagado y se factura.)');
  });

  it('as JSON it holds no data of the buyer', async () => {
    const { stdout } = await facturapuente('explain', '1202', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [{ order: '#1202', documents: [{ state: 'authorized' }] }],
    });
    const { first_name, email, phone } = (product.shop.order('1202')?.billing ?? {}) as Record<
      string,
      string
    >;
    for (const datum of [first_name, email, phone].filter(Boolean)) expect(stdout).not.toContain(datum);
  });

  it('support-bundle writes an order without its people, and plan repeats what was decided', async () => {
    const file = join(product.folder, 'soporte.json');
    const { code, stdout } = await facturapuente('support-bundle', '#1202', '--out', file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('sin nombres')]);
    const text = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const billing = (product.shop.order('1202')?.billing ?? {}) as Record<string, string>;
    for (const field of ['first_name', 'last_name', 'company', 'email', 'phone', 'address_1'])
      if (billing[field]) expect(text).not.toContain(billing[field]);
    const { stdout: planned } = await run(['plan', file, '--json']);
    const { decision, documents } = JSON.parse(text);
    const { actions } = JSON.parse(planned);
    expect(actions[0]).toMatchObject({ action: decision[0].action, code: decision[0].code });
    expect(actions[0].document).toBe(documents[0].document.total);
  });

  it('an unknown order is refused', async () => {
    const { code, stderr } = await facturapuente('explain', '#9999');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no conoce ningún pedido #9999')]);
  });

  it('retry sends a refused factura again under its number, while start runs', async () => {
    const reported = await facturapuente('explain', '1201');
    expect(reported.stdout).toContain(
      'Nada más ocurre por sí solo: la factura (rechazada) espera a que una persona',
    );
    const { code, stdout, stderr } = await facturapuente('retry', '001-001-000000001');
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('001-001-000000001'), '']);
    await eventually(() => written(product, '1201').pdf, 'the factura on its order');
    expect(written(product, '1201').numero).toBe('001-001-000000001');
    const again = await facturapuente('retry', '001-001-000000001');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('ya terminó')]);
    const { stdout: timeline } = await facturapuente('explain', '1201');
    expect(timeline).toMatch(/lista para enviar \(Se pidió intentarlo otra vez\. Por .+@.+\.\)/);
  });

  it('explain shows that an answer was lost and the document found under its foreseen key, at once', async () => {
    // Two were authorised before, so the third one's key is known before it leaves.
    product.sandbox.faults.add({ dropAnswer: { operacion: 'emitir_factura', times: 1 } });
    const before = product.sandbox.requests().length;
    await product.deliver('1203');
    await eventually(() => written(product, '1203').pdf, 'the factura on its order');
    const since = product.sandbox.requests().slice(before);
    expect(since.filter(({ path }) => path.endsWith('/emision'))).toHaveLength(1);
    const { stdout } = await facturapuente('explain', '1203');
    expect(stdout).toContain('con la clave de acceso que se había previsto');
  });

  it('explain says that a person is needed where an invoiced order is no longer paid', async () => {
    product.shop.change('1203', { status: 'failed' });
    await product.deliver('1203');
    await eventually(async () => {
      const { stdout } = await facturapuente('explain', '1203');
      return stdout.includes('dejó de figurar pagado') && stdout.includes('una persona debe hacer') && stdout;
    }, 'what a person must do');
  });
});
