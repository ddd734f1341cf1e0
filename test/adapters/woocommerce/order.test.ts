import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { sum } from '../../../src/domain/money.ts';
import type { Order } from '../../../src/domain/order.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedConnection, recordedRest, recordedWebhook, recordedWebhooks } from './recordings.ts';
import { paidOrder } from './shop.ts';

const fromWebhook = (number: string): Order =>
  readOrder(JSON.parse(recordedWebhook(number).text), recordedConnection);
const fromRest = (number: string): Order => readOrder(recordedRest(number).json, recordedConnection);

const meta = (...entries: [string, unknown][]) => entries.map(([key, value]) => ({ key, value }));
const read = (changes: Record<string, unknown>) => readOrder(paidOrder(changes), recordedConnection);

describe.skipIf(!hasShared)('recorded orders', () => {
  test('every order body reads, and its lines and charges add up to what was charged', () => {
    const bodies = recordedWebhooks().filter(({ text }) => text.includes('"line_items"'));
    expect(bodies.length).toBe(98);
    for (const { file, text } of bodies) {
      const order = readOrder(JSON.parse(text), recordedConnection);
      const parts = [...order.lines, ...order.charges];
      const net = sum(parts.map((part) => part.net));
      const tax = sum(parts.map((part) => part.tax));
      expect(`${file} ${net.plus(tax).toFixed(2)}`).toBe(`${file} ${order.total}`);
      expect(`${file} ${tax.toFixed(2)}`).toBe(`${file} ${order.totalTax}`);
      expect(parts.every((part) => sum(part.taxes.map(({ amount }) => amount)).eq(part.tax))).toBe(true);
    }
  });

  test('c02: identification of the block checkout, variation and its attributes', () => {
    const order = fromWebhook('0196');
    expect(order.buyer).toEqual({
      name: 'Lucía Cevallos',
      company: null,
      email: 'lucia@example.ec',
      phone: '0999999999',
      phones: ['0999999999'],
      address: 'Malecón 100, Guayaquil',
      country: 'EC',
      ids: [
        { value: '1710034065', source: 'meta _wc_billing/ecuador/identificacion', type: 'cedula' },
        { value: '1710034065', source: 'meta _wc_shipping/ecuador/identificacion', type: 'cedula' },
      ],
    });
    expect(order.lines[2]).toMatchObject({
      name: 'Zapato escolar - 38, Negro',
      sku: 'ZAP-38-N',
      attributes: [
        { name: 'Color', value: 'Negro' },
        { name: 'Talla', value: '38' },
      ],
    });
  });

  test('s06: names decoded once, identifications in the configured order with their sources', () => {
    const order = fromWebhook('0039');
    expect(order.lines[0]).toMatchObject({
      name: 'Chocolate 70% & nibs',
      attributes: [{ name: 'Grabado', value: 'Feliz día' }],
    });
    expect(order.buyer.ids).toEqual([
      { value: '1710034065', source: 'meta _billing_cedula', type: 'cedula' },
      { value: '1710034065', source: 'meta billing_cedula', type: 'cedula' },
      { value: '1790012345001', source: 'meta _billing_ruc', type: 'ruc' },
      { value: '1710034065', source: 'meta _wc_billing/ecuador/identificacion', type: null },
      { value: '1790012345001', source: 'meta _wc_other/ecuador/ruc-factura', type: 'ruc' },
    ]);
  });

  test('an order reads alike from the webhook and from the API', () => {
    expect(fromWebhook('0023')).toEqual(fromRest('0029'));
  });
});

describe('what no recording shows', () => {
  test('a negative fee stays a negative charge with its taxes', () => {
    const fee = {
      id: 9,
      name: 'Descuento &amp; m&aacute;s',
      total: '-3.00',
      total_tax: '-0.22',
      tax_class: '',
    };
    const taxes = [
      { id: 1, total: '-0.22' },
      { id: 2, total: '' },
    ];
    expect(read({ fee_lines: [{ ...fee, tax_status: 'none', taxes }] }).charges).toEqual([
      {
        id: '9',
        kind: 'fee',
        name: 'Descuento & más',
        subtotal: '-3.00',
        net: '-3.00',
        tax: '-0.22',
        taxes: [{ title: 'IVA 15%', rate: '15', amount: '-0.22', rateId: '1' }],
        taxClass: '',
        taxable: false,
      },
    ]);
  });

  test('tax without a rate row is an unknown tax, never untaxed', () => {
    const [line] = (paidOrder().line_items as Record<string, unknown>[]).map((row) => ({
      ...row,
      taxes: [],
    }));
    expect(read({ line_items: [line] }).lines[0]?.taxes).toEqual([
      { title: '', rate: null, amount: '1.50', rateId: null },
    ]);
  });

  test('a company counts as identification only where its digits look like one', () => {
    const company = (text: string) => read({ billing: { company: text }, meta_data: [] }).buyer;
    expect(company('1790012345-001')).toMatchObject({
      company: null,
      ids: [{ value: '1790012345-001', source: 'billing.company', type: null, elsewhere: true }],
    });
    // Who writes what it is has said so, wherever it stands.
    expect(company('RUC 1790012345001').ids).toEqual([
      { value: 'RUC 1790012345001', source: 'billing.company', type: 'ruc' },
    ]);
    expect(company('Cía. 123 &amp; Co')).toMatchObject({ company: 'Cía. 123 & Co', ids: [] });
  });

  test.each<[string, unknown]>([
    ['null', { id: 9, key: null, value: 'x' }],
    ['missing', { id: 9, value: 'x' }],
    ['a list', { id: 9, key: [], value: 'x' }],
    ['an object', { id: 9, key: { name: 'x' }, value: 'x' }],
    ['of a row that is null', null],
  ])('a row of metadata whose key is %s is skipped, and those beside it are read', (_what, row) => {
    const cedula = { key: '_billing_cedula', value: '1710034065' };
    const talla = { key: 'talla', value: 'M' };
    const [line] = paidOrder().line_items as object[];
    const order = read({
      meta_data: [row, cedula, row],
      line_items: [{ ...line, meta_data: [talla, row] }],
      fee_lines: [{ id: 5, name: 'Lazo', total: '0.00', total_tax: '0.00', taxes: [], meta_data: [row] }],
    });
    expect(order.buyer.ids.map(({ value }) => value)).toEqual(['1710034065']);
    expect(order.attributes).toEqual([{ name: '_billing_cedula', value: '1710034065' }]);
    expect(order.lines[0]?.attributes).toEqual([{ name: 'talla', value: 'M' }]);
    expect(order.charges).toHaveLength(1);
  });

  test('every telephone of the order is kept, so that none is taken for an identification', () => {
    const phones = { billing: { phone: '022345678' }, shipping: { phone: ' 0987654321 ' } };
    expect(read(phones).buyer.phones).toEqual(['022345678', '0987654321']);
  });

  test('block checkout values are decoded once, and the field for the type is no identification', () => {
    const buyer = read({
      meta_data: meta(['_wc_other/tienda/numero-cedula', 'X&amp;1'], ['_wc_other/tienda/tipo-cedula', '05']),
    }).buyer;
    expect(buyer.ids).toEqual([
      { value: 'X&1', source: 'meta _wc_other/tienda/numero-cedula', type: 'cedula' },
    ]);
  });

  test('access keys of ours are read each once, also from notas de crédito', () => {
    const order = read({
      meta_data: meta(
        ['_facturapuente_clave_acceso', '1'.repeat(49)],
        ['_facturapuente_clave_acceso', '1'.repeat(49)],
        ['_facturapuente_notas_credito', [{ clave_acceso: '2'.repeat(49) }]],
        ['_sri_clave_acceso', '3'.repeat(49)],
      ),
    });
    expect(order.accessKeys).toEqual(['1'.repeat(49), '2'.repeat(49)]);
    expect(order.notAKey).toBeUndefined();
  });

  test.each([
    ['N/A', [], 'N/A'],
    ['123', [], '123'],
    ['1'.repeat(48), [], '1'.repeat(48)],
    ['1'.repeat(50), [], '1'.repeat(50)],
    [` ${'1'.repeat(24)} ${'1'.repeat(25)} `, ['1'.repeat(49)], undefined],
  ])('what our field says is a key only with its 49 digits: %j', (text, accessKeys, notAKey) => {
    const order = read({ meta_data: meta(['_facturapuente_clave_acceso', text]) });
    expect([order.accessKeys, order.notAKey]).toEqual([accessKeys, notAKey]);
  });

  test.each([
    ['a webhook of a deleted order', { id: 74 }],
    ['a wrapper', { order: paidOrder() }],
    ['a list', [paidOrder()]],
    ['nothing', null],
    ['text', 'order'],
  ])('%s is no order', (_what, payload) => {
    expect(() => readOrder(payload, recordedConnection)).toThrow(PayloadError);
  });

  test('an unreadable order names the place and not the value', () => {
    const thrown = (() => {
      try {
        read({ total: 'eleven fifty' });
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(PayloadError);
    expect(thrown).toMatchObject({
      merchant: expect.stringMatching(/no se puede leer: «total» es un texto y debe ser un monto/),
      code: 'order-unreadable',
    });
    expect(String(thrown)).not.toContain('eleven');
  });

  test('money on a line without quantity is refused; an empty one is left out', () => {
    const [line] = paidOrder().line_items as Record<string, unknown>[];
    const empty = { ...line, quantity: 0, total: '0.00', total_tax: '0.00', taxes: [] };
    expect(read({ line_items: [line, empty] }).lines).toHaveLength(1);
    expect(() => read({ line_items: [{ ...line, quantity: 0 }] })).toThrow(/line_items\.0\.quantity/);
  });

  test('whatever replaces any one value, the order reads or a PayloadError says so', () => {
    const full = paidOrder({
      refunds: [{ id: 3, total: '-1.00' }],
      shipping_lines: [{ id: 2, method_title: 'Envío', total: '0.00', total_tax: '0.00', taxes: [] }],
      meta_data: meta(['_billing_cedula', '1710034065'], ['_facturapuente_notas_credito', [{}]]),
    });
    const paths = pathsOf(full);
    expect(paths.length).toBeGreaterThan(50);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 1 }), (path, value) => {
        const payload = structuredClone(full);
        const parent = path.slice(0, -1).reduce<unknown>(at, payload) as Record<string, unknown>;
        parent[path.at(-1) ?? ''] = value;
        try {
          readOrder(payload, recordedConnection);
        } catch (error) {
          expect(error).toBeInstanceOf(PayloadError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

const at = (value: unknown, key: string): unknown => (value as Record<string, unknown>)[key];

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.keys(value).flatMap((key) => pathsOf(at(value, key), [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

describe('an order that refers to another', () => {
  const item = {
    id: 1,
    name: 'Taza',
    quantity: 1,
    tax_class: '',
    subtotal: '10.00',
    total: '10.00',
    total_tax: '0.00',
  };
  const of = (value: number) => [{ ...item, taxes: [], meta_data: [{ key: '_original_order_id', value }] }];
  const renewal = { meta_data: [{ key: '_subscription_renewal', value: '61' }] };

  test.each<[string, Record<string, unknown>, true | undefined]>([
    ['was paid apart as a renewal', { parent_id: 6, ...renewal }, true],
    ['was paid apart as the rest of its deposit', { parent_id: 6, line_items: of(6) }, true],
    ['may be a part of it that copied such a line', { parent_id: 6, line_items: of(5) }, undefined],
    ['may be a part of it', { parent_id: 6 }, undefined],
  ])('%s', (_what, changes, paidApart) => {
    expect(read(changes)).toMatchObject({ parentId: '6' });
    expect(read(changes).paidApart).toBe(paidApart);
  });

  test('as a part of a renewal has the mark that the renewal itself has', () => {
    expect(read({ parent_id: 0, ...renewal }).paidApart).toBe(true);
    expect(read({ parent_id: 0, line_items: of(0) }).paidApart).toBeUndefined();
  });
});

describe('where it goes', () => {
  const line = (method_id: string) => ({
    ...{ id: 2, method_title: 'x', method_id, total: '0.00', total_tax: '0.00', taxes: [] },
  });
  const ship = (country: unknown, ...methods: string[]) =>
    read({ shipping: { country }, shipping_lines: methods.map(line) }).delivery;

  test.each<[string, unknown, string[], Order['delivery']]>([
    ['to the ship-to address', 'PE', ['flat_rate'], { by: 'shipping', country: 'PE' }],
    ['to nobody’s, where it has none', '', [], { by: 'shipping', country: null }],
    ['as plugins write it', ' ec ', ['flat_rate'], { by: 'shipping', country: 'EC' }],
    ['by its name', 'Ecuador', ['flat_rate'], { by: 'shipping', country: 'EC' }],
    ['by what is no code', 'Kanada', ['flat_rate'], { by: 'shipping', country: 'Kanada' }],
    ['nowhere, picked up', 'DE', ['local_pickup'], { by: 'in-shop', country: 'DE' }],
    ['nowhere, picked up by the block checkout', 'DE', ['pickup_location'], { by: 'in-shop', country: 'DE' }],
    ['somewhere, in part', 'DE', ['local_pickup', 'flat_rate'], { by: 'shipping', country: 'DE' }],
  ])('%s', (_, country, methods, delivery) => {
    expect(ship(country, ...methods)).toEqual(delivery);
  });

  test('an order without a shipping address reads', () => {
    expect(read({}).delivery).toEqual({ by: 'shipping', country: null });
    expect(read({ billing: { country: ' pe' } }).buyer.country).toBe('PE');
  });

  test.each([
    ['EC-IVA 15%-1', 'EC'],
    ['US-CA-SALES TAX-1', 'US'],
    ['IVA 15%-1', undefined],
    ['IVA-1', undefined],
    ['', undefined],
    [null, undefined],
  ])('the rate %s is of %s', (rate_code, country) => {
    const tax_lines = [{ rate_id: 1, rate_code, label: 'IVA', rate_percent: 15 }];
    expect(read({ tax_lines }).lines[0]?.taxes[0]?.country).toBe(country);
  });
});

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
