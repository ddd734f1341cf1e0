import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { untilIdle } from '../support/idle.ts';
import { openProduct, type Product, written } from '../support/product.ts';

describe('a WooCommerce shop whose answers get lost', () => {
  let product: Product;
  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite' });
    await product.start();
  });
  afterAll(() => product?.close());

  const calls = (method: string) => product.shop.requests.filter((request) => request.method === method);
  const reported = (order: string) => product.shop.notes(order).filter((note) => note.customer_note);

  it('is read before it is written to again: one write, one note, one factura', async () => {
    // The shop does what it is asked, and the answer never comes.
    product.shop.trouble('lost', 'PUT');
    product.shop.trouble('lost', 'POST');
    await product.deliver('1201');
    await eventually(() => reported('1201').length > 0 && calls('POST').length > 0, 'the note');
    await untilIdle(product);
    expect(written(product, '1201')).toMatchObject({ estado: 'AUTORIZADO', numero: '001-001-000000001' });
    expect([calls('PUT').length, calls('POST').length, reported('1201').length]).toEqual([1, 1, 1]);
    expect(product.sandbox.documents()).toHaveLength(1);
  });

  it('or is busy for a while gets everything once all the same', async () => {
    const busy = { status: 503, headers: { 'retry-after': '1' }, body: '<p>Briefly unavailable.</p>' };
    for (const method of ['GET', 'GET', 'PUT', 'POST'] as const) product.shop.trouble(busy, method);
    await product.deliver('1202');
    await eventually(() => reported('1202').length > 0, 'the note');
    await untilIdle(product);
    expect([reported('1202').length, product.sandbox.documents().length]).toEqual([1, 2]);
    await product.deliver('1202');
    await untilIdle(product);
    expect([reported('1202').length, product.sandbox.documents().length]).toEqual([1, 2]);
  });
});
