import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import type { FacturaBody } from '../../../mappers/index.ts';
import { plan } from '../../../src/planner/plan.ts';
import { noon, store } from '../../support/orders.ts';
import { recordedConnection } from './recordings.ts';

const fee = (total: string, fields: Record<string, unknown> = {}) => ({
  id: 4,
  name: 'Via wallet',
  tax_class: '',
  tax_status: 'none',
  total,
  total_tax: '0.00',
  taxes: [],
  meta_data: [{ id: 9, key: '_legacy_fee_key', value: '_via_wallet_partial_payment' }],
  ...fields,
});
const meta = (key: string, value: unknown) => ({ meta_data: [...buyer, { id: 8, key, value }] });
const buyer = [{ id: 1, key: '_billing_cedula', value: '1759999996' }];

/** Two cups of 10.00 and shipping of 4.00 with 15 % each: 27.60, less what a plugin took off the total. */
function sold(total: string, changes: Record<string, unknown> = {}) {
  const taxes = (tax: string) => ({ total_tax: tax, taxes: [{ id: 1, total: tax }] });
  const payload = {
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'USD',
    date_created_gmt: '2026-11-20T10:00:00',
    date_modified_gmt: '2026-11-20T10:00:00',
    date_paid_gmt: '2026-11-20T10:00:00',
    total,
    total_tax: '3.60',
    billing: { first_name: 'Ana', last_name: 'Vega', address_1: 'Loja 1', country: 'EC' },
    payment_method: 'payphone',
    payment_method_title: 'PayPhone',
    meta_data: buyer,
    line_items: [
      {
        id: 1,
        name: 'Taza',
        quantity: 2,
        tax_class: '',
        subtotal: '20.00',
        total: '20.00',
        ...taxes('3.00'),
      },
    ],
    tax_lines: [{ rate_id: 1, label: 'IVA', rate_percent: 15 }],
    shipping_lines: [{ id: 2, method_title: 'Servientrega', total: '4.00', ...taxes('0.60') }],
    fee_lines: [],
    refunds: [],
    ...changes,
  };
  const order = readOrder(payload, recordedConnection);
  const [action] = plan({ order, documents: [], store, invoiceFrom: new Date(0), now: noon });
  return { order, action, paid: order.payments.map(({ gateway, amount }) => `${gateway} ${amount}`) };
}

describe('money the shop already held pays for the sale, and does not make it cheaper', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'gift cards of WooCommerce Gift Cards',
      { gift_cards: [{ id: 3, code: 'XX', amount: '10.00' }] },
      'gift_card',
    ],
    ['gift cards of PW Gift Cards', { pw_gift_card_lines: [{ card_number: 'XX', amount: 10 }] }, 'gift_card'],
    ['the wallet of TeraWallet, a fee below nothing', { fee_lines: [fee('-10.00')] }, 'wallet'],
    ['the wallet of an older TeraWallet', meta('_via_wallet_payment', '10.00'), 'wallet'],
    ['store credit of Smart Coupons', meta('smart_coupons_contribution', { AB: 10 }), 'store_credit'],
    [
      'gift cards of YITH',
      meta('_ywgc_applied_gift_cards', { 'AB12-CD34': 6, 'EF56-GH78': '4.00' }),
      'gift_card',
    ],
    [
      'gift cards of YITH as a fee below nothing, where the order was changed later',
      {
        ...meta('_ywgc_applied_gift_cards', { 'AB12-CD34': 10 }),
        fee_lines: [fee('-10.00', { name: 'Gift Card (AB12-CD34)', meta_data: [] })],
      },
      'gift_card',
    ],
    [
      'the same in another language, and of several cards',
      {
        ...meta('_ywgc_applied_gift_cards', { 'AB12-CD34': 6, 'EF56-GH78': 4 }),
        fee_lines: [fee('-10.00', { name: 'Tarjeta regalo (AB12-CD34, ef56-gh78)', meta_data: [] })],
      },
      'gift_card',
    ],
  ])('%s', (_, changes, gateway) => {
    const { order, action, paid } = sold('17.60', changes);
    expect(order).toMatchObject({ total: '27.60', totalTax: '3.60' });
    expect(paid).toEqual(['payphone 17.60', `${gateway} 10.00`]);
    expect(order.charges.map(({ kind }) => kind)).toEqual(['shipping']);
    expect(action).toMatchObject({ action: 'emit', charged: '27.60', document: '27.60', difference: '0.00' });
    expect((action?.body as FacturaBody | undefined)?.pagos).toEqual([
      { tipo: 19, total: 17.6 },
      { tipo: 15, total: 10 },
    ]);
  });

  test('several of them at once, each by its kind', () => {
    const { paid, action } = sold('2.60', {
      gift_cards: [{ amount: '10.00' }, { amount: '5.00' }],
      fee_lines: [fee('-10.00')],
    });
    expect(paid).toEqual(['payphone 2.60', 'wallet 10.00', 'gift_card 15.00']);
    expect(action?.charged).toBe('27.60');
  });

  test('a sale they pay whole is a sale: it is no free order', () => {
    const { paid, action } = sold('0.00', { gift_cards: [{ amount: '27.60' }], payment_method: '' });
    expect(paid).toEqual(['gift_card 27.60']);
    expect(action).toMatchObject({ action: 'emit', charged: '27.60' });
    expect((action?.body as FacturaBody | undefined)?.pagos).toEqual([{ tipo: 15, total: 27.6 }]);
  });

  test('the final consumer’s limit is about the sale, whoever paid it', () => {
    const { action } = sold('5.00', { gift_cards: [{ amount: '22.60' }], meta_data: [] });
    expect(action).toMatchObject({ action: 'emit', charged: '27.60' });
  });
});

describe('what the order does not prove stays as it stands', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['nothing says what took the money', '17.60', {}],
    ['the gift card says another amount', '17.60', { gift_cards: [{ amount: '9.99' }] }],
    ['the amount cannot be read', '17.60', { gift_cards: [{ amount: 'diez' }] }],
    ['the entry is of another shape', '17.60', { gift_cards: 'XX', pw_gift_card_lines: [null] }],
    [
      'two say the same money',
      '17.60',
      { gift_cards: [{ amount: '10.00' }], pw_gift_card_lines: [{ amount: 10 }] },
    ],
  ])('%s: held, with the amount that is missing', (_, total, changes) => {
    const { order, action } = sold(total, changes);
    expect(order.total).toBe(total);
    expect(action).toMatchObject({
      action: 'hold',
      code: 'total-mismatch',
      charged: '17.60',
      document: '27.60',
    });
    expect(action?.reason).toContain('suman 27.60 y se cobró 17.60: 10.00 de menos');
  });

  test('a card of an amount nobody can read is named, and the merchant is warned of it', () => {
    const { order, action, paid } = sold('27.60', { gift_cards: [{ amount: 'diez' }] });
    expect([order.total, paid]).toEqual(['27.60', ['payphone 27.60', 'gift_card null']]);
    expect(action).toMatchObject({ action: 'emit', document: '27.60' });
    expect(action?.trace.mapping?.warnings).toEqual([
      'La tienda no dice cuánto del pedido se pagó con «Tarjeta de regalo»: la factura declara todo como pagado con «PayPhone». Compruébelo antes de declarar la forma de pago.',
    ]);
  });

  test('credit taken off before tax made the sale cheaper: it is a discount', () => {
    const { order, action, paid } = sold('27.60', meta('smart_coupons_contribution', { AB: '5.00' }));
    expect(paid).toEqual(['payphone 27.60']);
    expect(order.total).toBe('27.60');
    expect(action?.action).toBe('emit');
  });

  test('a fee by the name of a card is a discount where no card was used', () => {
    const { order, paid } = sold('17.60', {
      fee_lines: [fee('-10.00', { name: 'Gift Card (AB12-CD34)', meta_data: [] })],
    });
    expect(paid).toEqual(['payphone 17.60']);
    expect(order.charges.map(({ kind }) => kind)).toEqual(['shipping', 'fee']);
  });

  test.each(['Descuento (AB12)', 'Descuento AB12-CD34', 'Descuento (AB12-CD34, verano)', 'Descuento ()'])(
    'nor is one that lists other codes: «%s»',
    (name) => {
      const { order } = sold('17.60', {
        ...meta('_ywgc_applied_gift_cards', { 'AB12-CD34': 10 }),
        fee_lines: [fee('-10.00', { name, meta_data: [] })],
      });
      expect(order.charges.map(({ kind }) => kind)).toEqual(['shipping', 'fee']);
    },
  );

  test('a wallet’s fee that bears tax is the discount it says it is', () => {
    const taxed = fee('-10.00', { total_tax: '-1.50', taxes: [{ id: 1, total: '-1.50' }] });
    const { order, action } = sold('16.10', { fee_lines: [taxed], total_tax: '2.10' });
    expect(order.charges.map(({ kind, net }) => [kind, net])).toContainEqual(['fee', '-10.00']);
    expect(action).toMatchObject({ action: 'emit', charged: '16.10' });
  });

  test('another fee below nothing is no payment', () => {
    const { order, action } = sold('17.60', { fee_lines: [fee('-10.00', { meta_data: [] })] });
    expect(order.payments).toHaveLength(1);
    expect(action).toMatchObject({ action: 'hold', code: 'negative-amount' });
  });
});
