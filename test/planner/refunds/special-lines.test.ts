import { describe, expect, it } from 'vitest';
import type { Order, Refund } from '../../../src/domain/order.ts';
import { excise } from '../../mappers/order-properties.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import {
  actions,
  copied,
  creditBody,
  give,
  lines,
  type Policy,
  part,
  refund,
  rows,
  shirt,
  storeWith,
} from './shapes.ts';

const givenBack = (one: Refund, sold: Order, policy: Policy = excise) => {
  const store = storeWith(policy);
  return give(one, sold, [authorized(sold, {}, store)], { store });
};

describe('ICE', () => {
  // The price has ICE of 75 % inside: 5.00 + 3.75 and 15 % of both.
  const drink = line({ sku: 'BEBIDA-1', name: 'Energizante', quantity: '2', price: '8.75' });
  const sold = order({ lines: [drink, line({ id: '2', sku: 'VASO', price: '3.00' })] });

  it('of one bottle goes back with its base and its IVA', () => {
    const action = givenBack(refund('10.06', [part('line:1', '8.75', '1.31')]), sold);
    expect(lines(creditBody(action))).toEqual([['BEBIDA-1', 1, 5, 0, 5]]);
    expect(rows(creditBody(action))).toEqual([
      ['4', 8.75, 1.31],
      ['3/3101', 5, 3.75],
    ]);
  });

  it('of two codes under one IVA goes back by its own code', () => {
    const beer = line({ id: '3', sku: 'JUEGO-2', name: 'Videojuego', price: '2.27' });
    const both = order({ lines: [drink, beer] });
    const action = givenBack(refund('2.61', [part('line:3', '2.27', '0.34')]), both);
    // 2.00 + 13.5 % of it, and 15 % of both.
    expect(rows(creditBody(action))).toEqual([
      ['4', 2.27, 0.34],
      ['3/3620', 2, 0.27],
    ]);
  });

  it('of two codes, each under several IVA codes, goes back by its own code and its own IVA', () => {
    const mixed = [
      drink,
      line({ id: '3', sku: 'JUEGO-2', price: '2.27' }),
      line({ id: '4', sku: 'BEBIDA-1', price: '8.75', rate: '5' }),
      line({ id: '5', sku: 'JUEGO-2', price: '2.27', rate: '5' }),
    ];
    const action = givenBack(refund('2.61', [part('line:3', '2.27', '0.34')]), order({ lines: mixed }));
    expect(rows(creditBody(action))).toEqual([
      ['4', 2.27, 0.34],
      ['3/3620', 2, 0.27],
    ]);
    expect(givenBack(refund(order({ lines: mixed }).total), order({ lines: mixed }))).toMatchObject({
      action: 'emit',
    });
  });

  it('does not go back with what bears none', () => {
    const action = givenBack(refund('3.45', [part('line:2', '3.00', '0.45')]), sold);
    expect(rows(creditBody(action))).toEqual([['4', 3, 0.45]]);
  });
});

describe('IRBPNR', () => {
  // A dozen for 12.00 and 1.80, 0.24 of which are the bottles.
  const sold = order({ lines: [line({ sku: 'BOTELLA-1', name: 'Cerveza', quantity: '12', price: '1.00' })] });

  it('goes back by the bottle', () => {
    const action = givenBack(refund('3.45', [part('line:1', '3.00', '0.45', '3')]), sold);
    expect(rows(creditBody(action))).toEqual([
      ['4', 2.95, 0.44],
      ['5/5001', 3, 0.06],
    ]);
    expect(creditBody(action).items).toMatchObject([{ cantidad: 3, tipo_irbpnr: 5001 }]);
  });

  it('stays where only the price fell', () => {
    const action = givenBack(refund('3.45', [part('line:1', '3.00', '0.45', '0')]), sold);
    expect(rows(creditBody(action))).toEqual([['4', 3, 0.45]]);
    expect(creditBody(action).items[0]).not.toHaveProperty('tipo_irbpnr');
  });
});

describe('a factura whose tax is stated, since no base reaches the total', () => {
  // 0.50 with the tax inside: 0.43 + 0.06 is 0.49, 0.44 + 0.07 is 0.51.
  const candy = order({
    lines: [line({ quantity: '1', subtotal: '0.43', tax: '0.07' }), line({ id: '2', rate: '0' })],
  });

  it('is credited with the nearest document that is not over it', () => {
    const action = givenBack(refund('0.50', [part('line:1', '0.43', '0.07')]), candy);
    expect(action).toMatchObject({ action: 'emit', charged: '0.50', document: '0.49', difference: '-0.01' });
    expect(rows(creditBody(action))).toEqual([['4', 0.43, 0.06]]);
  });

  it('is credited in halves that add up to it', () => {
    const half = (id: string) => refund('0.25', [part('line:1', '0.22', '0.03', '0')], { id });
    const both = { ...candy, refunds: [half('1'), half('2')] };
    const bodies = actions(both, [authorized(candy)])
      .slice(1)
      .map(creditBody);
    const [first, second] = bodies.map((body) => rows(body)[0] ?? []);
    for (const half of [first, second]) expect(half).toEqual(['4', 0.22, 0.03]);
  });
});

describe('a line that was sold as one, since no price of six decimals times its quantity leads to it', () => {
  const sold = order({
    lines: [line({ quantity: '0.1234567', subtotal: '10.00', net: '10.00', tax: '1.50' })],
  });

  it('is given back as one of what went back', () => {
    const action = givenBack(refund('5.75', [part('line:1', '5.00', '0.75', '0.06172835')]), sold, {});
    expect(lines(creditBody(action))).toEqual([['CAM-001', 1, 5, 0, 5]]);
  });

  it('whole is the line it was', () => {
    const action = givenBack(refund('11.50', [part('line:1', '10.00', '1.50', '0.1234567')]), sold, {});
    expect(creditBody(action).items).toEqual(copied(authorized(sold).sent));
  });
});

describe('a gift card that was sold and left out of the factura by policy', () => {
  const exclude: Policy = { giftCardsSold: { as: 'exclude' } };
  const card = line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });
  const sold = order({ lines: [line(), card] });
  const cardBack = part('line:3', '25.00', '0.00');

  it('given back with goods credits the goods', () => {
    const action = givenBack(refund('36.50', [cardBack, shirt]), sold, exclude);
    expect(action).toMatchObject({ action: 'emit', charged: '11.50', document: '11.50', difference: '0.00' });
  });

  it('given back before the factura changes nothing in it', () => {
    const back = { ...sold, refunds: [refund('25.00', [cardBack])] };
    const [factura] = actions(back, [], { store: storeWith(exclude) });
    expect(factura).toMatchObject({ action: 'emit', document: '11.50', difference: '0.00' });
  });

  it('and kept, while the goods went back before the factura, leaves nothing to invoice', () => {
    const back = { ...sold, refunds: [refund('11.50', [shirt])] };
    const said = actions(back, [], { store: storeWith(exclude) });
    expect(said).toMatchObject([
      { action: 'nothing', code: 'fully-refunded' },
      { action: 'nothing', code: 'fully-refunded' },
    ]);
  });
});
