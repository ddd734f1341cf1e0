import { describe, expect, it } from 'vitest';
import type { Charge } from '../../src/domain/order.ts';
import { line, order } from '../support/orders.ts';
import { bodyOf, heldOf } from './mapping.ts';

/** A fee of −3.00 as the shop writes it: its net, and what it took off each rate. */
function discount(net: string, taxes: [rate: string, amount: string][]): Charge {
  const tax = taxes.reduce((total, [, amount]) => total + Number(amount), 0).toFixed(2);
  const rows = taxes.map(([rate, amount]) => ({ title: `IVA ${rate}%`, rate, amount, rateId: rate }));
  return {
    id: '7',
    kind: 'fee',
    name: 'Descuento',
    subtotal: net,
    net,
    tax,
    taxes: rows,
    taxClass: '',
    taxable: true,
  };
}

const lines = [line({ id: '1', price: '20.00' }), line({ id: '2', price: '20.00', rate: '0' })];

describe('a negative fee', () => {
  it('lowers everything it was apportioned over, each rate by its share', () => {
    // WooCommerce: half of 3.00 at 15 % is 0.225, of the rest nothing (class-wc-order-item-fee.php).
    const sale = order({
      lines,
      charges: [
        discount('-3.00', [
          ['15', '-0.23'],
          ['0', '0.00'],
        ]),
      ],
    });
    const body = bodyOf(sale);
    expect(sale.total).toBe('39.77');
    expect(body.items.map((item) => [item.descuento, item.precio_total_sin_impuesto])).toEqual([
      [1.5, 18.5],
      [1.5, 18.5],
    ]);
    expect(body.totales.map((group) => [group.codigo_porcentaje, group.valor])).toEqual([
      ['0', 0],
      ['4', 2.77],
    ]);
  });

  it('lowers one rate alone where all of its tax is of that rate', () => {
    const body = bodyOf(order({ lines, charges: [discount('-3.00', [['15', '-0.45']])] }));
    expect(body.items.map((item) => item.descuento)).toEqual([3, 0]);
  });

  it('without tax lowers what has none', () => {
    const body = bodyOf(order({ lines, charges: [discount('-3.00', [])] }));
    expect(body.items.map((item) => item.descuento)).toEqual([0, 3]);
  });

  it.each([
    'Store Credit',
    'Pago con monedero',
    'Saldo a favor',
    'Anticipo recibido',
    'Gift card ABC',
    'Retención IR 1%',
  ])('without tax that is named «%s» is a payment, and is held', (name) => {
    const fee = { ...discount('-3.00', []), name };
    for (const sold of [lines, lines.slice(1)]) {
      const held = heldOf(order({ lines: sold, charges: [fee] }));
      expect(held).toMatch(/^negative-amount: .* es un pago o una retención/);
    }
  });

  it('without tax on taxed goods alone contradicts itself and is held', () => {
    const sale = order({ lines: lines.slice(0, 1), charges: [discount('-3.00', [])] });
    expect(heldOf(sale)).toMatch(/^negative-amount: .*«Descuento» rebaja 3\.00 y 0\.00 de impuesto/);
  });

  it('above what was sold is held with both figures', () => {
    const sale = order({
      lines,
      charges: [
        discount('-50.00', [
          ['15', '-3.75'],
          ['0', '0.00'],
        ]),
      ],
      total: '0.00',
    });
    expect(heldOf(sale)).toMatch(/rebaja 50\.00 y lo vendido vale 40\.00/);
  });

  it('of the whole order leaves every line at nothing', () => {
    const sale = order({
      lines,
      charges: [
        discount('-40.00', [
          ['15', '-3.00'],
          ['0', '0.00'],
        ]),
      ],
    });
    const body = bodyOf(sale);
    expect(body.items.map((item) => item.precio_total_sin_impuesto)).toEqual([0, 0]);
    expect(body.pagos).toEqual([{ tipo: 1, total: 0 }]);
  });

  it('is named in the trace of every line it lowers', () => {
    const { trace } = bodyOf(order({ lines, charges: [discount('-3.00', [['15', '-0.45']])] }));
    expect(trace.items.map((item) => item.notes)).toEqual([['descuento repartido: «Descuento»'], []]);
  });

  it('shares shipping and fees too, as WooCommerce does', () => {
    const shipping = { ...discount('10.00', [['15', '1.50']]), kind: 'shipping' as const, name: 'Envío' };
    const sale = order({
      lines: lines.slice(0, 1),
      charges: [shipping, discount('-6.00', [['15', '-0.90']])],
    });
    expect(bodyOf(sale).items.map((item) => item.descuento)).toEqual([4, 2]);
  });
});
