import { expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { recordedConnection } from './recordings.ts';
import { paidOrder } from './shop.ts';

const read = (changes: Record<string, unknown>) => readOrder(paidOrder(changes), recordedConnection);

test('the note and the plain texts plugins hung on an order are at hand for templates', () => {
  const order = read({
    customer_note: ' Dejar en portería ',
    meta_data: [
      { id: 1, key: 'guia_remision', value: '001-001-000000009' },
      { id: 2, key: '_wc_other/tienda/vendedor', value: 'Hijos &amp; Co' },
      { id: 3, key: '_lista', value: ['a'] },
    ],
  });
  expect(order.note).toBe('Dejar en portería');
  expect(order.attributes).toEqual([
    { name: 'guia_remision', value: '001-001-000000009' },
    { name: '_wc_other/tienda/vendedor', value: 'Hijos & Co' },
  ]);
});

test('a line is known by its variation, else its product; a deleted product by neither', () => {
  const [line] = paidOrder().line_items as Record<string, unknown>[];
  const lines = [
    { ...line, product_id: 22, variation_id: 23 },
    { ...line, product_id: 11, variation_id: 0 },
    { ...line, product_id: 0, variation_id: 0, sku: null },
  ];
  expect(read({ line_items: lines }).lines.map(({ productId }) => productId)).toEqual(['23', '11', null]);
});

test('what was chosen for a line is read also where the shop does not say how people read it', () => {
  const [line] = paidOrder().line_items as Record<string, unknown>[];
  const chosen = { id: 7, key: 'Talla', value: 'M &amp; L' };
  expect(read({ line_items: [{ ...line, meta_data: [chosen] }] }).lines[0]?.attributes).toEqual([
    { name: 'Talla', value: 'M & L' },
  ]);
});
