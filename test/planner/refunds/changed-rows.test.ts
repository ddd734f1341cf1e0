import { describe, expect, test } from 'vitest';
import type { Line, Order } from '../../../src/domain/order.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import { actions, part, refund } from './shapes.ts';

const shirt = line({ price: '100.00' });
const named = { id: '2', name: 'Libro', sku: 'LIB' };
const book = line({ ...named, price: '50.00' });
const factura = authorized(order({ lines: [shirt, book] }));
const said = (lines: Line[], refunds: Order['refunds'] = []) =>
  actions({ ...order({ lines }), refunds }, [factura]).map(({ code, reason }) => ({ code, reason }));
const codes = (...given: Parameters<typeof said>) => said(...given).map(({ code }) => code);

describe('a row whose IVA was changed in place after the factura', () => {
  const exempt = line({ ...named, price: '50.00', rate: '0' });

  test('needs documents by hand: none that is of its difference is right', () => {
    expect(said([shirt, exempt])[1]).toEqual({
      code: 'edited-after-invoice',
      reason:
        'En el pedido se cambió después de la factura 001-001-000000123 la tarifa de IVA de «Libro»: ella dice 57.50 y el pedido 50.00. Si la tarifa de ahora es la correcta, emita a mano una nota de crédito por esos 57.50 y una factura por los 50.00; si no, devuelva a «Libro» en la tienda el impuesto que tenía.',
    });
  });

  test.each([
    ['that names nothing is held', [], '7.50', 'refund-contradiction'],
    ['of that row is held', [part('line:2', '50.00', '0.00')], '50.00', 'refund-contradiction'],
    ['of another row is credited', [part('line:1', '100.00', '15.00')], '115.00', 'refunded'],
  ])('a refund %s', (_what, parts, money, code) => {
    expect(codes([shirt, exempt], [refund(money, parts)]).at(-1)).toBe(code);
  });
});

test('an order that is two cents less than its factura was reduced', () => {
  const less = line({ ...named, price: '49.98', tax: '7.50' });
  expect(codes([shirt, less])).toEqual(['already-authorised', 'edited-after-invoice']);
});
