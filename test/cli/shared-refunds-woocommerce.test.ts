import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasShared, readShared, sharedPath } from '../support/shared.ts';
import { byHand, emit, invoiced, later, type Outcome, outcomes, unnamed } from './outcomes.ts';

const recordings = 'data/woocommerce/recordings';
const recorded = (path: string): string =>
  (JSON.parse(readShared(`${recordings}/${path}`)) as { rawBodyText: string }).rawBodyText;
const refundsInside = (path: string): number => (JSON.parse(recorded(path)).refunds ?? []).length;

/** The recorded shop asked for no identification; with the buyer's cédula the same orders can be credited. */
function identified(order: string): string {
  const { meta_data, ...rest } = JSON.parse(order);
  return JSON.stringify({
    ...rest,
    meta_data: [...meta_data, { key: '_billing_cedula', value: '1710034065' }],
  });
}

/** By answer of `orders/{id}/refunds`: the order beside it, then with the buyer's cédula, then as it was recorded. */
const woocommerce: Record<string, [order: string, named: Outcome[], asRecorded: Outcome[]]> = {
  // One T-shirt of three: 12.50 + 1.88.
  '0113-r01-refunds-48': [
    '0112-r01-order-48',
    [invoiced('59.62'), emit('49', '14.38', '4 12.5 1.88')],
    [unnamed('59.62'), later('49', '14.38')],
  ],
  // No base gives 14.37 with its IVA: a cent less, which the next one makes up for.
  '0117-r01-two-refunds-refunds-48': [
    '0116-r01-two-refunds-order-48',
    [invoiced('59.62'), emit('49', '14.38', '4 12.5 1.88'), emit('50', '14.37 as 14.36', '4 12.49 1.87')],
    [unnamed('59.62'), later('49', '14.38'), later('50', '14.37')],
  ],
  // Everything, line by line: the factura's own figures.
  '0123-r02-refunds-51': [
    '0122-r02-order-51',
    [invoiced('51.75'), emit('52', '51.75', '0 18 0', '4 29.35 4.4')],
    [unnamed('51.75'), later('52', '51.75')],
  ],
  // Amount only, all at 15 %: 5.00 = 4.35 + 0.65.
  '0128-r03-refunds-53': [
    '0127-r03-order-53',
    [invoiced('33.75'), emit('54', '5.00', '4 4.35 0.65')],
    [invoiced('33.75'), byHand('54', '5.00')],
  ],
  // The rest: 29.35 − 4.35 and 4.40 − 0.65.
  '0132-r03-all-refunds-53': [
    '0131-r03-all-order-53',
    [invoiced('33.75'), emit('54', '5.00', '4 4.35 0.65'), emit('55', '28.75', '4 25 3.75')],
    [invoiced('33.75'), byHand('54', '5.00'), byHand('55', '28.75')],
  ],
  // Shipping only.
  '0137-r04-refunds-56': [
    '0136-r04-order-56',
    [invoiced('19.38'), emit('57', '5.00', '4 4.35 0.65')],
    [invoiced('19.38'), byHand('57', '5.00')],
  ],
  // Set to refunded by hand: no lines, all the money, two rates; all that is left needs no proration.
  '0154-r07-refunds-64': [
    '0153-r07-order-64',
    [invoiced('51.75'), emit('65', '51.75', '0 18 0', '4 29.35 4.4')],
    [unnamed('51.75'), later('65', '51.75')],
  ],
  // A unit of 1.05 given back without its tax: the factura's tax is inside the money, 0.91 + 0.14.
  '0174-r11-refunds-72': [
    '0173-r11-order-72',
    [invoiced('6.04'), emit('73', '1.05', '4 0.91 0.14')],
    [invoiced('6.04'), byHand('73', '1.05')],
  ],
};

/** Webhook bodies contain only the amount: enough where there is one rate, or nothing is left. */
const updated: Record<string, Outcome[]> = {
  '0095-r01-refund-1of3-order.updated-48': [emit('49', '14.38', '4 12.5 1.88')],
  '0099-r01-refund-second-1of3-order.updated-48': [
    emit('49', '14.38', '4 12.5 1.88'),
    emit('50', '14.37 as 14.36', '4 12.49 1.87'),
  ],
  '0107-r02-refund-all-lines-order.updated-51': [emit('52', '51.75', '0 18 0', '4 29.35 4.4')],
  '0115-r03-refund-amount-5-order.updated-53': [emit('54', '5.00', '4 4.35 0.65')],
  '0119-r03-refund-amount-rest-order.updated-53': [
    emit('54', '5.00', '4 4.35 0.65'),
    emit('55', '28.75', '4 25 3.75'),
  ],
  '0127-r04-refund-shipping-order.updated-56': [emit('57', '5.00', '4 4.35 0.65')],
  '0150-r07-put-status-refunded-order.updated-64': [emit('65', '51.75', '0 18 0', '4 29.35 4.4')],
  '0167-r09-refund-order.updated-68': [emit('69', '14.38', '4 12.5 1.88')],
  '0183-r11-refund-order.updated-72': [emit('73', '1.05', '4 0.91 0.14')],
};

describe.skipIf(!hasShared)('every refund a real WooCommerce shop recorded', () => {
  it('is expected here', () => {
    const names = (kind: string) =>
      readdirSync(sharedPath(`${recordings}/${kind}`)).map((name) => name.replace('.json', ''));
    const answers = names('rest').filter(
      (name) => /-refunds-\d+$/.test(name) && JSON.parse(recorded(`rest/${name}.json`)).length > 0,
    );
    expect(Object.keys(woocommerce)).toEqual(answers.sort());
    const bodies = names('webhooks').filter(
      (name) => name.includes('order.') && refundsInside(`webhooks/${name}.json`) > 0,
    );
    expect(Object.keys(updated)).toEqual(bodies.sort());
  });

  it.each(Object.entries(woocommerce))('%s', async (refunds, [beside, named, asRecorded]) => {
    const order = recorded(`rest/${beside}.json`);
    const answer = recorded(`rest/${refunds}.json`);
    expect(await outcomes('woocommerce', identified(order), answer)).toEqual(named);
    expect(await outcomes('woocommerce', order, answer)).toEqual(asRecorded);
  });

  it.each(Object.entries(updated))('%s', async (body, credits) => {
    const [, ...actions] = await outcomes('woocommerce', identified(recorded(`webhooks/${body}.json`)));
    expect(actions).toEqual(credits);
  });
});
