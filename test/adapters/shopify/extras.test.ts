import { expect, test } from 'vitest';
import { readOrder } from '../../../adapters/shopify/order.ts';
import { connection } from './payloads.ts';
import { plainOrder } from './plain-order.ts';

const read = (changes: Record<string, unknown> = {}, line: Record<string, unknown> = {}) =>
  readOrder(plainOrder(changes, line), connection);

test('the note and the attributes of the cart are at hand for templates', () => {
  const order = read({ note: ' Para regalo ', note_attributes: [{ name: 'placa', value: 'PBA-1234' }] });
  expect(order).toMatchObject({ note: 'Para regalo', attributes: [{ name: 'placa', value: 'PBA-1234' }] });
  expect(read({ note: '' }).note).toBeNull();
});

test('terms of payment are none, as for the API, which shows them under a scope of their own', () => {
  expect(read({ payment_terms: { due_in_days: 30 } }).terms).toBeNull();
});

test('the variant stands before the properties, the default one nowhere', () => {
  const properties = [{ name: 'Grabado', value: 'Ana' }];
  expect(read({}, { variant_title: '38 / Negro', properties }).lines[0]?.attributes).toEqual([
    { name: 'Variante', value: '38 / Negro' },
    { name: 'Grabado', value: 'Ana' },
  ]);
  expect(read({}, { variant_title: 'Default Title' }).lines[0]?.attributes).toEqual([]);
});
