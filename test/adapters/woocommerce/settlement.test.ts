import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedRest, recordedWebhook } from './recordings.ts';
import { paidOrder } from './shop.ts';

const connected = (changes: object = {}) =>
  connectionSchema.parse({ url: 'https://mitienda.ec', webhookSecrets: ['secreto'], ...changes });
const settlement = (order: unknown, changes: object = {}) => readOrder(order, connected(changes)).settlement;

describe.skipIf(!hasShared)('where the money of a recorded order stands', () => {
  const body = (number: string) => JSON.parse(recordedWebhook(number).text);
  const rest = (number: string) => recordedRest(number).json;

  test.each([
    ['s01: paid at once', () => body('0013'), 'paid'],
    ['s02: pending', () => body('0017'), 'unpaid'],
    ['s02: completed', () => body('0022'), 'paid'],
    ['s05b: free', () => body('0035'), 'paid'],
    ['s07: virtual goods, which are never in process', () => body('0043'), 'paid'],
    ['s15: a transfer that is awaited', () => body('0074'), 'unpaid'],
    ['s15: a transfer confirmed by hand', () => body('0076'), 'paid'],
    ['s16b: cancelled, and still with its date of payment', () => body('0085'), 'cancelled'],
    ['s17: failed', () => body('0086'), 'unpaid'],
    ['c02: cash on delivery in the block checkout', () => body('0196'), 'unpaid'],
    ['c10: cash on delivery in the classic checkout', () => body('0276'), 'unpaid'],
    ['c10: cash on delivery that was completed', () => body('0279'), 'paid'],
    ['x-state-at-delivery: completed under the topic created', () => body('0203'), 'paid'],
    ['r01: partly given back', () => rest('0112'), 'partially-refunded'],
    ['r07: status set to refunded by hand', () => rest('0153'), 'refunded'],
    ['r09: its refund deleted', () => rest('0163'), 'paid'],
    ['d01: in the trash', () => rest('0178'), 'cancelled'],
  ])('%s', (_what, order, expected) => {
    expect(settlement(order())).toBe(expected);
  });
});

/** Without a payment date and a method. */
const byHand = { payment_method: '', date_paid_gmt: null };
const undated = { setting: 'invoiceUnpaidMethods', value: '', waits: false };
const unlisted = (value: string) => ({ setting: 'paidStatuses', value, waits: false });

describe('what keeps an order with a paid look from being paid', () => {
  const why = (order: unknown, changes: object = {}) => readOrder(order, connected(changes)).notAccepted;

  test.each([
    [
      'a status of the shop’s own',
      { status: 'shipped' },
      { setting: 'paidStatuses', value: 'shipped', waits: false },
    ],
    ['one that was paid and is on hold', { status: 'on-hold' }, unlisted('on-hold')],
    ['one that was paid and failed', { status: 'failed' }, unlisted('failed')],
    ['one that was paid and waits for payment', { status: 'pending' }, unlisted('pending')],
    ['a transfer that is awaited', { status: 'on-hold', date_paid_gmt: null }, undefined],
    ['one made by hand as completed', { ...byHand, status: 'completed' }, undated],
    ['one made by hand as processing', { ...byHand, status: 'processing' }, undated],
    [
      'cash on delivery that is under way',
      { status: 'processing', payment_method: 'cod', date_paid_gmt: null },
      { setting: 'invoiceUnpaidMethods', value: 'cod', waits: true },
    ],
    [
      'cash on delivery that is completed without a date',
      { status: 'completed', payment_method: 'cod', date_paid_gmt: null },
      { setting: 'invoiceUnpaidMethods', value: 'cod', waits: false },
    ],
    ['one nobody paid', { status: 'pending', date_paid_gmt: null }, undefined],
    ['a paid one', {}, undefined],
    ['a cancelled one', { status: 'cancelled' }, undefined],
  ])('%s', (_what, changes, expected) => {
    expect(why(paidOrder(changes))).toEqual(expected);
  });

  test.each([
    ['partially-paid', true],
    ['pago-parcial', true],
    ['parcial', true],
    ['con-anticipo', true],
    ['deposit-paid', true],
    ['partial-shipped', false],
    ['partially-delivered', false],
    ['parcialmente-enviado', false],
    ['entrega-parcial', false],
    ['despacho-parcial', false],
    ['partially-fulfilled', false],
    ['bank-deposit', false],
    ['abono-bancario', false],
  ])('«%s» says that a part was paid: %s', (status, isPart) => {
    expect(why(paidOrder({ status }))?.partly ?? false).toBe(isPart);
  });

  test('a method whose id ends in a blank is the one that the settings name', () => {
    const order = paidOrder({ status: 'completed', payment_method: 'Efectivo ', date_paid_gmt: null });
    expect(why(order)?.value).toBe('Efectivo');
    expect(settlement(order, { invoiceUnpaidMethods: ['Efectivo '] })).toBe('paid');
  });

  test('a store that waits for completed orders names it and waits', () => {
    expect(why(paidOrder(), { paidStatuses: ['completed'] })).toEqual({
      setting: 'paidStatuses',
      value: 'processing',
      waits: true,
    });
  });
});

describe('the policy of payment methods and statuses', () => {
  const cod = { payment_method: 'cod', date_paid_gmt: null };

  test('cash on delivery is invoiced when it is completed, or at once where the store says so', () => {
    const shipped = paidOrder({ ...cod, status: 'processing' });
    expect(settlement(shipped)).toBe('unpaid');
    expect(settlement(shipped, { invoiceUnpaidMethods: ['cod'] })).toBe('paid');
    expect(settlement(paidOrder({ payment_method: 'cod', status: 'completed' }))).toBe('paid');
  });

  test('no method makes an order paid that waits, failed or was taken back', () => {
    for (const status of [
      'pending',
      'on-hold',
      'failed',
      'cancelled',
      'trash',
      'checkout-draft',
      'auto-draft',
    ])
      expect(settlement(paidOrder({ ...cod, status }), { invoiceUnpaidMethods: ['cod', 'bacs'] })).not.toBe(
        'paid',
      );
  });

  test.each(['bacs', 'cheque', 'payphone', 'ppcp-gateway', ''])(
    '«%s» is paid once somebody or a gateway says so',
    (method) => {
      expect(settlement(paidOrder({ payment_method: method, status: 'on-hold', date_paid_gmt: null }))).toBe(
        'unpaid',
      );
      for (const status of ['processing', 'completed'])
        expect(settlement(paidOrder({ payment_method: method, status }))).toBe('paid');
    },
  );

  test('a status of the shop’s own counts where the store names it, with or without wc-', () => {
    const packed = paidOrder({ status: 'empacado' });
    expect(settlement(packed)).toBe('unpaid');
    for (const name of ['empacado', 'wc-empacado'])
      expect(settlement(packed, { paidStatuses: ['processing', 'completed', name] })).toBe('paid');
  });

  test('a store may wait for completed orders', () => {
    expect(settlement(paidOrder(), { paidStatuses: ['completed'] })).toBe('unpaid');
  });
});
