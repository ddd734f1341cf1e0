import { describe, expect, it } from 'vitest';
import type { Order, Refund } from '../../../src/domain/order.ts';
import { excise } from '../../mappers/order-properties.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import {
  actions,
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

describe('a gift card that was sold and left out of the factura by policy', () => {
  const exclude: Policy = { giftCardsSold: { as: 'exclude' } };
  const card = line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });
  const sold = order({ lines: [line(), card] });

  it('and kept, while the goods went back before the factura, leaves nothing to invoice', () => {
    const back = { ...sold, refunds: [refund('11.50', [shirt])] };
    const said = actions(back, [], { store: storeWith(exclude) });
    expect(said).toMatchObject([
      { action: 'nothing', code: 'fully-refunded' },
      { action: 'nothing', code: 'fully-refunded' },
    ]);
  });
});
