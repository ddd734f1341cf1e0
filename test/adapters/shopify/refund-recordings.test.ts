import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { hasShared } from '../../support/shared.ts';
import { allBodies, connection, looksLikeOrder, readPayload } from './payloads.ts';
import { unexplained } from './refund-bodies.ts';

const real = 'real/refunds_create_2026-07_shipping_storecredit_gateway_damage.json';

describe.skipIf(!hasShared)('recorded refunds', () => {
  test('of a shop that books INR and sold in CAD are INR, proven by the CAD', () => {
    const beside = { currency: 'INR', presentment_currency: 'CAD', taxes_included: false };
    const bodies = Object.entries(readPayload(real).payload as object);
    const read = Object.fromEntries(
      bodies.map(([name, body]) => [name, shopify.readRefunds(body, beside)[0]]),
    );
    expect(read).toMatchObject({
      refundWithShipping: {
        amount: '121.86',
        discrepancy: '0.00',
        reason: 'Test refund note',
        parts: [
          { of: 'line:18772793327787', quantity: '1', net: '60.93' },
          { of: 'shipping:5928667185323', net: '60.93', tax: '0.00' },
        ],
      },
      refundToStoreCredit: { amount: '1015.47', reason: null },
      refundThroughGateway: { amount: '805.61' },
      refundWithDamageAdjustment_amountOnly: { amount: '33.84', parts: [], discrepancy: '33.84' },
    });
    for (const [name, refund] of Object.entries(read))
      expect(refund && unexplained(refund), name).toBe('0.00');
  });

  test('inside a cancelled order are all there, and explain themselves', () => {
    const order = shopify.readOrder(readPayload('real/membi_2025_orders_cancelled.json').payload, connection);
    expect(order.settlement).toBe('refunded');
    expect(order.refunds).toMatchObject([
      { id: '982959849772', amount: '99.00', parts: [{ of: `line:${order.lines[0]?.id}`, net: '99.00' }] },
    ]);
    expect(order.refunds.map(unexplained)).toEqual(['0.00']);
  });

  test.each([
    ['r01_partial-1-of-3_taxes-included', true, { amount: '17.99', parts: [{ net: '15.64', tax: '2.35' }] }],
    [
      'r03_shipping-only',
      false,
      { amount: '5.18', parts: [{ of: 'shipping:71000000000910', net: '4.50', tax: '0.68' }] },
    ],
    ['r05_restock-without-money', true, { amount: '0.00', pending: '0.00', parts: [{ quantity: '1' }] }],
    [
      'r07_pending-transaction',
      true,
      { amount: '0.00', pending: '11.25', parts: [{ net: '9.78', tax: '1.47' }] },
    ],
  ])('%s', (file, taxes_included, expected) => {
    const { payload } = readPayload(`synthetic-ec/${file}.json`);
    const [refund] = shopify.readRefunds(payload, { currency: 'USD', taxes_included });
    expect(refund).toMatchObject({ ...expected, at: '2026-11-21T15:00:00.000Z', reason: 'devolución' });
    if (file !== 'r05_restock-without-money') expect(refund && unexplained(refund)).toBe('0.00');
  });

  test('of the vendor are read one and all, whatever they come to', () => {
    const beside = { currency: 'USD', taxes_included: false };
    const bodies = allBodies()
      .map(({ body }) => body as Record<string, unknown>)
      .filter((body) => 'refund_line_items' in body || Array.isArray(body.refunds) || isKept(body.refund))
      .filter((body) => !looksLikeOrder(body));
    expect(bodies.length).toBeGreaterThan(6);
    for (const body of bodies)
      for (const refund of shopify.readRefunds(body, beside)) {
        expect(refund.at).toMatch(/Z$/);
        expect(refund.parts).not.toBeNull();
        for (const part of refund.parts ?? []) expect(part.of).toMatch(/^(line|shipping):\d+$/);
      }
  });
});

/** The vendor also answers suggestions, which are no refunds yet and have no id. */
function isKept(refund: unknown): boolean {
  return typeof refund === 'object' && refund !== null && 'id' in refund;
}
