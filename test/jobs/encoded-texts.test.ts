import { afterEach, expect, it } from 'vitest';
import { sales, toWooOrder } from '../../src/cli/demo/woocommerce-orders.ts';
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
