import { describe, expect, it } from 'vitest';
import type { Payment } from '../../src/domain/order.ts';
import { explainFactura } from '../../src/planner/explain/action.ts';
import { line, order } from '../support/orders.ts';
import { bodyOf, type Written } from './mapping.ts';

const pay = (
  payments: [gateway: string, amount: string | null, title?: string | undefined][],
  policy: Written = {},
) =>
  bodyOf(
    order({
      lines: [line({ price: '20.00' })],
      payments: payments.map(([gateway, amount, title = null]): Payment => ({ gateway, amount, title })),
    }),
    policy,
  );

describe('the form of payment', () => {
  it.each([
    ['cod', null, 1],
    ['bacs', null, 20],
    ['Cash on Delivery (COD)', null, 1],
    ['Transferencia bancaria', null, 20],
    ['payphone', null, 19],
    ['shopify_payments', null, 19],
    ['ppcp-gateway', null, 20],
    ['gift_card', null, 15],
    ['wallet', null, 15],
    ['mi_monedero', 'Monedero de la tienda', 15],
    ['mi_pasarela', 'Tarjeta de débito', 16],
    ['mi_pasarela', 'Tarjeta de crédito o débito diferido', 19],
    ['pasarela', 'Tarjeta de débito', 16],
    ['pasarela', 'Tarjeta de crédito Banco Ejemplo', 19],
    ['pasarela', 'Crédito directo 3 meses', 20],
    ['pasarela', 'Nota de crédito a favor', 15],
    ['pasarela', 'Cooperativa de Ahorro y Crédito Ejemplo', 20],
    ['pasarela', 'Crédito con cheque posfechado', 20],
    ['pasarela', 'Débito bancario de su cuenta', 20],
    ['pasarela', 'Giftcard', 15],
    ['pasarela', 'Depósito en efectivo en el banco', 20],
    ['pasarela', 'Pago contra entrega, en efectivo o con tarjeta', 1],
    ['mi_pasarela', 'Tarjeta de crédito', 19],
    ['mi_pasarela', 'Pago contra entrega', 1],
    ['mi_pasarela', 'Tarjeta contra entrega', 19],
    ['mi_pasarela', 'Contra entrega con tarjeta de débito', 16],
    ['mi_pasarela', 'Datafast contraentrega', 19],
    ['mi_pasarela', 'Contra reembolso con tarjeta prepago', 18],
    ['mi_pasarela', 'Transferencia contra entrega', 20],
    ['mi_pasarela', 'Contra entrega: Deuna', 20],
    ['mi_pasarela', 'Contra entrega, tarjeta o efectivo', 1],
    ['mi_pasarela', 'Efectivo contraentrega', 1],
    ['mi_pasarela', 'Cash on delivery', 1],
    ['mi_pasarela', 'Contra entrega (Cooperativa de Taxis)', 1],
    ['mi_pasarela', 'Pago contra entrega, débito no', 1],
    ['cod', 'Tarjeta contra entrega', 19],
    ['cod', 'Datáfono a la entrega (tarjeta de crédito)', 19],
    ['cod', 'Datáfono', 19],
    ['cod', 'Transferencia al recibir', 20],
    ['cod', 'Efectivo o tarjeta al recibir', 1],
    ['cod', 'Pago contra reembolso', 1],
    ['cod', 'Al taxista de la cooperativa', 1],
    ['cash', 'Tarjeta', 1],
    ['mi_pasarela', 'Depósito', 20],
    ['mi_pasarela', null, 20],
    ['', null, 20],
  ])('of «%s» titled %s is %i', (gateway, title, tipo) => {
    expect(pay([[gateway, '23.00', title ?? undefined]]).pagos).toEqual([{ tipo, total: 23 }]);
  });

  it('is the merchant’s word first, whatever its case', () => {
    expect(pay([['PayPhone', '23.00']], { payments: { payphone: '16' } }).pagos[0]?.tipo).toBe(16);
  });

  it('carries the term the merchant gives it', () => {
    const payments = { diferido: { tipo: '19' as const, plazo: 3, tiempo: 'meses' } };
    expect(pay([['diferido', '23.00']], { payments }).pagos).toEqual([
      { tipo: 19, plazo: 3, tiempo: 'meses', total: 23 },
    ]);
  });

  it('carries the term of an order sold on credit', () => {
    const sale = order({ lines: [line({ price: '20.00' })], terms: { days: 30 } });
    expect(bodyOf(sale).pagos).toEqual([{ tipo: 20, plazo: 30, tiempo: 'dias', total: 23 }]);
  });

  it('is explained', () => {
    expect(pay([['bacs', '23.00']]).trace.payments).toEqual([
      { gateway: 'bacs', tipo: '20', by: 'tabla: bacs', amount: '23.00' },
    ]);
  });
});

describe('several tenders', () => {
  it('stand by their forms, those of one form together', () => {
    expect(
      pay([
        ['gift_card', '3.00'],
        ['payphone', '10.00'],
        ['datafast', '10.00'],
      ]).pagos,
    ).toEqual([
      { tipo: 15, total: 3 },
      { tipo: 19, total: 20 },
    ]);
  });

  it('the one whose amount is not told paid the rest', () => {
    expect(
      pay([
        ['gift_card', '3.00'],
        ['payphone', null],
      ]).pagos,
    ).toEqual([
      { tipo: 15, total: 3 },
      { tipo: 19, total: 20 },
    ]);
  });

  it('that do not add up stand under the largest', () => {
    expect(
      pay([
        ['cod', '30.00'],
        ['payphone', '5.00'],
      ]).pagos,
    ).toEqual([{ tipo: 1, total: 23 }]);
  });

  it('of which only the names are known stand under the first that is no gift card', () => {
    expect(
      pay([
        ['gift_card', null],
        ['payphone', null],
      ]).pagos,
    ).toEqual([{ tipo: 19, total: 23 }]);
  });
});

describe('cash from USD 500', () => {
  const paid = (price: string, gateway: string, policy = {}) =>
    bodyOf(order({ lines: [line({ price })], payments: [{ gateway, amount: null, title: null }] }), policy)
      .trace;

  it.each([
    ['434.78', 'cod', true],
    ['434.77', 'cod', false],
    ['900.00', 'bacs', false],
    ['900.00', 'wallet', false],
  ])('%s without IVA by «%s» is warned of: %s', (price, gateway, warned) => {
    const { warnings = [] } = paid(price, gateway);
    expect(warnings).toEqual(
      warned
        ? [expect.stringMatching(/500\.00 se declaran 500\.00 sin utilización .* USD 500\.00 o más .*103/)]
        : [],
    );
  });

  it('is no matter where the merchant says that it is a transfer', () => {
    expect(paid('900.00', 'cod', { payments: { cod: '20' } }).warnings).toBeUndefined();
  });

  it('is told where a plan is explained', () => {
    const lines = explainFactura(paid('900.00', 'cod')).flatMap((part) => part.lines);
    expect(lines).toContainEqual({
      text: expect.stringMatching(/^Atención: De los 1035\.00/),
      tone: 'warning',
    });
  });
});
