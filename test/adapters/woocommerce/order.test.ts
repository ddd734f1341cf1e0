import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { sum } from '../../../src/domain/money.ts';
import type { Order } from '../../../src/domain/order.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedConnection, recordedRest, recordedWebhook, recordedWebhooks } from './recordings.ts';

const fromWebhook = (number: string): Order =>
  readOrder(JSON.parse(recordedWebhook(number).text), recordedConnection);
const fromRest = (number: string, connection = recordedConnection): Order =>
  readOrder(recordedRest(number).json, connection);

/** A small order of our own, for what no recording shows. */
function madeUp(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'USD',
    date_created_gmt: '2026-11-20T10:00:00',
    date_modified_gmt: '2026-11-20T10:00:00',
    date_paid_gmt: '2026-11-20T10:00:00',
    total: '11.50',
    total_tax: '1.50',
    billing: { first_name: 'Ana', last_name: 'Vega', country: 'EC' },
    payment_method: 'bacs',
    payment_method_title: 'Transferencia',
    meta_data: [],
    line_items: [
      {
        id: 1,
        name: 'Taza',
        quantity: 1,
        tax_class: '',
        subtotal: '10.00',
        total: '10.00',
        total_tax: '1.50',
        taxes: [{ id: 1, total: '1.50', subtotal: '1.50' }],
        meta_data: [],
        sku: null,
      },
    ],
    tax_lines: [{ rate_id: 1, label: 'IVA', rate_percent: 15 }],
    shipping_lines: [],
    fee_lines: [],
    refunds: [],
    ...changes,
  };
}
const meta = (...entries: [string, unknown][]) => entries.map(([key, value]) => ({ key, value }));
const read = (changes: Record<string, unknown>) => readOrder(madeUp(changes), recordedConnection);

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

  test('s03: coupon, four kinds of tax, per line and without tax', () => {
    const order = fromWebhook('0023');
    expect(order.lines.map(({ subtotal, net, tax, taxClass }) => [subtotal, net, tax, taxClass])).toEqual([
      ['37.50', '33.75', '5.06', ''],
      ['18.00', '16.20', '0.00', 'iva-0'],
      ['57.75', '51.98', '2.60', 'iva-5'],
      ['20.00', '18.00', '0.00', 'exento'],
      ['5.00', '4.50', '0.00', ''],
    ]);
    expect(order.lines.map(({ taxes }) => taxes.map(({ rate, rateId }) => [rate, rateId]))).toEqual([
      [['15', '1']],
      [['0', '2']],
      [['5', '3']],
      [],
      [],
    ]);
    expect(order.charges).toMatchObject([
      { kind: 'shipping', name: 'Servientrega', net: '4.35', tax: '0.65', taxClass: null, taxable: true },
    ]);
    expect(order).toMatchObject({ total: '137.09', totalTax: '8.31', settlement: 'paid', name: '#31' });
    expect(order.lines[0]).toMatchObject({ quantity: '3', sku: 'CAM-001', service: null, taxable: null });
  });

  test('s10: lines are without tax though prices include it', () => {
    const order = fromWebhook('0054');
    expect(order).toMatchObject({ total: '178.23', totalTax: '16.11' });
    expect(
      sum(order.lines.map(({ net }) => net))
        .plus(sum(order.charges.map(({ net }) => net)))
        .toFixed(2),
    ).toBe('162.12');
  });

  test('s10 with six decimals differs from the total by less than half a cent', () => {
    const order = fromRest('0067');
    const parts = [...order.lines, ...order.charges];
    const whole = sum(parts.flatMap(({ net, tax }) => [net, tax]));
    expect(whole.minus(order.total).abs().lt('0.005')).toBe(true);
    expect(whole.eq(order.total)).toBe(false);
  });

  test('c02: cash on delivery waits, and is paid only where the store invoices such orders', () => {
    expect(fromWebhook('0196')).toMatchObject({ settlement: 'unpaid', paidAt: null, status: 'processing' });
    const connection = { ...recordedConnection, invoiceUnpaidMethods: ['cod'] };
    expect(fromRest('0194', connection)).toMatchObject({ settlement: 'paid', paidAt: null, total: '108.64' });
    expect(fromRest('0207')).toMatchObject({ settlement: 'paid', status: 'completed' });
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

  test('s07: a company with & comes as it was typed', () => {
    const order = fromWebhook('0043');
    expect(order.buyer).toMatchObject({
      name: 'María José Pérez Ñúñez',
      company: 'Comercial Andina S.A. & Hijos',
      ids: [{ value: '1790012345001', source: 'meta _billing_ruc', type: 'ruc' }],
    });
    expect(order.payments).toEqual([
      { gateway: 'ppcp-credit-card-gateway', title: 'Tarjeta de crédito', amount: '57.49' },
    ]);
    expect(order).toMatchObject({ settlement: 'paid', paidAt: '2026-11-20T10:07:32Z' });
  });

  test.each([
    ['0074', 'unpaid', 's15 on-hold'],
    ['0076', 'paid', 's15 confirmed by hand'],
    ['0080', 'cancelled', 's16 cancelled unpaid'],
    ['0085', 'cancelled', 's16b cancelled after payment, with its payment date'],
    ['0086', 'unpaid', 's17 failed'],
    ['0095', 'partially-refunded', 'r01 one of three refunded'],
    ['0107', 'refunded', 'r02 all lines refunded'],
    ['0150', 'refunded', 'r07 status set to refunded by hand'],
    ['0191', 'paid', 'd01 restored'],
    ['0035', 'paid', 's05b total zero'],
  ])('recording %s is %s: %s', (number, settlement) => {
    expect(fromWebhook(number).settlement).toBe(settlement);
  });

  test('d01: an order in the trash is cancelled', () => {
    expect(fromRest('0178')).toMatchObject({ settlement: 'cancelled', status: 'trash' });
  });

  test('refunds are named with positive amounts, and the total stays', () => {
    expect(fromWebhook('0099')).toMatchObject({
      refunds: [
        { id: '50', amount: '14.37' },
        { id: '49', amount: '14.38' },
      ],
      total: '59.62',
    });
    expect(fromWebhook('0150').refunds).toMatchObject([{ id: '65' }]);
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
        taxes: [{ title: 'IVA', rate: '15', amount: '-0.22', rateId: '1' }],
        taxClass: '',
        taxable: false,
      },
    ]);
  });

  test('tax without a rate row is an unknown tax, never untaxed', () => {
    const [line] = (madeUp().line_items as Record<string, unknown>[]).map((row) => ({ ...row, taxes: [] }));
    expect(read({ line_items: [line] }).lines[0]?.taxes).toEqual([
      { title: '', rate: null, amount: '1.50', rateId: null },
    ]);
  });

  test('a company counts as identification only where its digits look like one', () => {
    const company = (text: string) => read({ billing: { company: text } }).buyer;
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
    const [line] = madeUp().line_items as object[];
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

  test('a razón social beside the identification goes before the company of the address', () => {
    const company = (key: string) =>
      read({ billing: { company: 'Bodega' }, meta_data: meta([key, 'Andina S.A.']) }).buyer.company;
    expect(['_billing_razon_social', 'razon_social', '_wc_other/tienda/razon-social'].map(company)).toEqual([
      'Andina S.A.',
      'Andina S.A.',
      'Andina S.A.',
    ]);
    expect(company('_other')).toBe('Bodega');
  });

  test('every telephone of the order is kept, so that none is taken for an identification', () => {
    const phones = { billing: { phone: '022345678' }, shipping: { phone: ' 0987654321 ' } };
    expect(read(phones).buyer.phones).toEqual(['022345678', '0987654321']);
  });

  test('each known key is a source, however the plugin prefixed it', () => {
    const keys = [
      '_billing_cedula',
      'billing_ruc',
      '_identificacion',
      'cedula_ruc',
      'C.I. / RUC',
      '_billing_vat',
    ];
    for (const key of [
      ...keys,
      '_wc_other/x/numero-documento',
      '_wc_shipping/x/cedula',
      '_shipping_identificacion',
    ])
      expect(read({ meta_data: meta([key, '1710034065']) }).buyer.ids).toMatchObject([
        { source: `meta ${key}` },
      ]);
  });

  test('one box for everything: a passport is stated by the field beside it', () => {
    const buyer = read({
      meta_data: meta(['_billing_ruc', ' AB12345 '], ['_billing_tipo_identificacion', '06']),
    }).buyer;
    expect(buyer.ids).toEqual([{ value: 'AB12345', source: 'meta _billing_ruc', type: 'pasaporte' }]);
  });

  test('a box for cédula or RUC states no type by its name', () => {
    const ids = (key: string) =>
      read({ meta_data: meta([key, '1710034065']) }).buyer.ids.map(({ type }) => type);
    expect(['_billing_ci_ruc', '_billing_dni_ruc', 'cedula_ruc', 'C.I. / RUC'].flatMap(ids)).toEqual([
      null,
      null,
      null,
      null,
    ]);
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
    ['a wrapper', { order: madeUp() }],
    ['a list', [madeUp()]],
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
    const [line] = madeUp().line_items as Record<string, unknown>[];
    const empty = { ...line, quantity: 0, total: '0.00', total_tax: '0.00', taxes: [] };
    expect(read({ line_items: [line, empty] }).lines).toHaveLength(1);
    expect(() => read({ line_items: [{ ...line, quantity: 0 }] })).toThrow(/line_items\.0\.quantity/);
  });

  test('custom paid statuses count, written with or without wc-', () => {
    const connection = { ...recordedConnection, paidStatuses: ['enviado'] };
    expect(readOrder(madeUp({ status: 'enviado' }), connection).settlement).toBe('paid');
    expect(readOrder(madeUp(), connection).settlement).toBe('unpaid');
  });

  test('whatever replaces any one value, the order reads or a PayloadError says so', () => {
    const full = madeUp({
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
