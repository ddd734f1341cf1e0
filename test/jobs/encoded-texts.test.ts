import { afterEach, expect, it } from 'vitest';
import { sales, toWooOrder } from '../../sandbox/shops/woocommerce-orders.ts';
import type { Order } from '../../src/domain/order.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** The block checkout of WooCommerce stores names, company and address HTML-encoded, the classic one raw. */
const stored = {
  block: {
    company: 'Ferretería &amp; Hijos Cía. Ltda.',
    address_1: 'Av. 10 de Agosto &amp; Colón, D&#8217;Ambrosio &lt;2&gt;',
  },
  classic: {
    company: 'Ferretería & Hijos Cía. Ltda.',
    address_1: 'Av. 10 de Agosto & Colón, D’Ambrosio <2>',
  },
};

function soldBy(checkout: keyof typeof stored) {
  const [sale] = sales;
  if (!sale) throw new Error('The demo sells nothing.');
  const meta = { _billing_ruc: '1790012345001' };
  const order = toWooOrder({ ...sale, meta }, new Date('2026-11-20T14:59:00Z'));
  const address = { ...(order.billing as object), ...stored[checkout] };
  return { ...order, billing: address, shipping: address };
}

let bench: JobBench;
afterEach(() => bench?.close());

async function settle() {
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  await bench.pass(5);
}

async function authorisedXml(): Promise<string> {
  const { accessKey } = await bench.document();
  const url = `${bench.sandbox.url}/api/comprobante/xml/${accessKey}`;
  return (await fetch(url, { headers: { 'x-api-key': 'clave-1' } })).text();
}

it.each(['block', 'classic'] as const)(
  'a factura of the %s checkout has name and address as typed',
  async (checkout) => {
    bench = await openJobBench({ orders: [soldBy(checkout)] });
    await settle();
    expect((await bench.document()).state).toBe('authorized');
    const xml = await authorisedXml();
    expect(xml).toContain('<razonSocialComprador>Ferretería &amp; Hijos Cía. Ltda.</razonSocialComprador>');
    expect(xml).toContain(
      '<direccionComprador>Av. 10 de Agosto &amp; Colón, D’Ambrosio &lt;2&gt;, Quito</direccionComprador>',
    );
  },
);

it('an order that was read before texts were decoded is no other order afterwards, and is not invoiced again', async () => {
  bench = await openJobBench({ orders: [soldBy('block')] });
  await settle();
  const key = { platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' };
  const row = await bench.ledger.orders.get(key);
  if (!row) throw new Error('The order was not read.');
  const before = row.snapshot as Order;
  const { company, address_1 } = stored.block;
  const buyer = { ...before.buyer, company, address: address_1 };
  await bench.ledger.orders.rewrite(row, { ...before, buyer });

  bench.advance(60_000);
  bench.shop.put({ ...soldBy('block'), date_modified_gmt: bench.clock.now().toISOString().slice(0, 19) });
  await settle();
  expect(await bench.ledger.orders.get(key)).toMatchObject({ snapshot: { buyer: before.buyer } });
  expect((await bench.ledger.documents.list({ limit: 9 })).map(({ state }) => state)).toEqual(['authorized']);
  expect(bench.sandbox.documents()).toHaveLength(1);
});

it('markup that a text decodes to is text in the note on the order', async () => {
  const order = soldBy('block') as ReturnType<typeof soldBy> & { line_items: object[] };
  const name = 'Taza &lt;a href=&quot;https://otra.example&quot;&gt;pague aquí&lt;/a&gt; &amp; plato';
  const line_items = order.line_items.map((line) => ({
    ...line,
    name,
    tax_class: 'otra',
    taxes: [],
    total_tax: '0.00',
  }));
  bench = await openJobBench({ orders: [{ ...order, line_items, total: '29.35', total_tax: '0.65' }] });
  await settle();
  const notes = bench.shop.notes('1201').map(({ note }) => note);
  expect(notes).toEqual([
    expect.stringContaining('Taza &lt;a href="https://otra.example"&gt;pague aquí&lt;/a&gt; &amp; plato'),
  ]);
});
