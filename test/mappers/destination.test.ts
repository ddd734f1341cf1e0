import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFactura } from '../../mappers/index.ts';
import { destinationOf, isForeign } from '../../mappers/tax-rules.ts';
import type { Delivery } from '../../src/domain/order.ts';
import { order } from '../support/orders.ts';
import { generatedOrders } from './generated-orders.ts';
import { bodyOf } from './mapping.ts';
import { contextOf, decreed, rateRules } from './policy.ts';

const of = (delivery: Delivery | undefined, billTo: string | null) =>
  destinationOf({ ...(delivery && { delivery }), buyer: { ...order().buyer, country: billTo } });
const shipping = (country: string | null): Delivery => ({ by: 'shipping', country });
const nothing = (country: string | null): Delivery => ({ by: 'none', country });
const inShop: Delivery = { by: 'in-shop', country: null };

describe('a sale takes place', () => {
  it.each<[string, Delivery | undefined, string | null, string, boolean, string]>([
    ['where it is sent', shipping('CA'), 'EC', 'CA', true, 'envío a Canadá'],
    ['at home when sent there, whoever paid', shipping('EC'), 'US', 'EC', false, 'envío a Ecuador'],
    [
      'where the buyer is, without a ship-to',
      shipping(null),
      'ES',
      'ES',
      true,
      'comprador de España, sin dirección de envío',
    ],
    [
      'where the buyer is, if nothing is sent',
      nothing('EC'),
      'US',
      'US',
      true,
      'comprador de Estados Unidos, sin dirección de envío',
    ],
    [
      'at the ship-to, if nothing is sent and nothing else known',
      nothing('PE'),
      null,
      'PE',
      true,
      'comprador de Perú, sin dirección de envío',
    ],
    ['at home when handed over in the shop', inShop, 'DE', 'EC', false, 'se entrega en el local'],
    ['at home when no country is known', shipping(null), null, 'EC', false, 'el pedido no dice ningún país'],
    [
      'where the buyer is, by an adapter that tells no delivery',
      undefined,
      'CO',
      'CO',
      true,
      'comprador de Colombia, sin dirección de envío',
    ],
    ['at home by one that tells nothing', undefined, '', 'EC', false, 'el pedido no dice ningún país'],
    ['at home as people write it', shipping(' ecuador '), null, 'EC', false, 'envío a Ecuador'],
    ['at home in lower case', shipping('ec'), null, 'EC', false, 'envío a Ecuador'],
    ['abroad by what is no code', shipping('Kanada'), 'EC', 'Kanada', true, 'envío a Kanada'],
  ])('%s', (_, delivery, billTo, country, abroad, why) => {
    expect(of(delivery, billTo)).toEqual({ country, abroad, why });
  });

  it('and abroad nothing that was paid for has a code without a rule, whatever the shop charged', () => {
    const context = contextOf({ tax: { untaxed: 0, rules: rateRules } }, decreed);
    const sales = fc.tuple(fc.boolean().chain(generatedOrders), fc.constantFrom('CO', 'ZA', 'JP', 'US'));
    fc.assert(
      fc.property(sales, ([sale, country]) => {
        const mapped = toFactura({ ...sale, delivery: shipping(country) }, context);
        if (!mapped.ok) expect(mapped.code).toBe('sale-abroad');
        else expect(mapped.total).toBe('0.00');
      }),
      { numRuns: 500 },
    );
  });

  it('which the trace tells', () => {
    expect(bodyOf(order({ delivery: shipping('EC') })).trace.destination).toEqual({
      country: 'EC',
      abroad: false,
      why: 'envío a Ecuador',
    });
  });
});

describe('a tax', () => {
  const tax = (title: string, country?: string) => ({
    title,
    rate: '15',
    amount: '1.50',
    rateId: null,
    ...(country && { country }),
  });

  it.each([
    'GST',
    'HST',
    'PST',
    'CANADIAN GST',
    'Sales Tax',
    'State Tax',
    'County tax',
    'MwSt. 19%',
    'USt',
    'TVA 20%',
    'Consumption tax',
    '消費税',
    'IGV',
    'ITBMS',
    'PDV',
    'IVA España',
    'Colombia IVA',
    'VAT (South Africa)',
    'UK VAT',
    'Impuesto de Perú',
  ])('«%s» is another country’s', (title) => {
    expect(isForeign(tax(title))).toBe(true);
  });

  it.each([
    '',
    'IVA',
    'IVA 15%',
    'I.V.A.',
    'VAT',
    'Tax',
    'Impuesto',
    'IVA Ecuador',
    'Ecuador VAT',
    'Impuestos locales',
    'ICE',
    'Impuesto a los consumos especiales',
    'Tarifa 0 %',
    'IVA Galápagos',
    'Gustavo',
  ])('«%s» may be Ecuador’s', (title) => {
    expect(isForeign(tax(title))).toBe(false);
  });

  it('is whose rate the shop says it is, whatever its name', () => {
    expect([isForeign(tax('IVA', 'CO')), isForeign(tax('Sales tax', 'EC'))]).toEqual([true, false]);
  });
});
