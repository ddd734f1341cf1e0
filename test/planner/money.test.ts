import { describe, expect, it } from 'vitest';
import { decimal, toAmount } from '../../src/domain/money.ts';
import { bareRefund, type Order, type Refund } from '../../src/domain/order.ts';
import { plan } from '../../src/planner/plan.ts';
import { policyOf } from '../mappers/policy.ts';
import { line, noon, order, store } from '../support/orders.ts';

function factura(sale: Order, written: Parameters<typeof policyOf>[0] = {}) {
  const input = { order: sale, documents: [], store: { ...store, policy: policyOf(written) } };
  const [action] = plan({ ...input, invoiceFrom: new Date(0), now: noon });
  if (!action) throw new Error('The planner said nothing about the sale.');
  return action;
}

const card = line({ id: '2', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });

describe('gift cards left out of a factura', () => {
  const exclude = { giftCardsSold: { as: 'exclude' } } as const;
  const unknown = { ...order().buyer, ids: [] };
  const back = (id: string, of: string, net: string, tax: string): Refund => ({
    ...bareRefund(id, toAmount(decimal(net).plus(tax))),
    parts: [{ of, name: 'Lo devuelto', quantity: '1', net, tax }],
  });

  it('are taken off once, also where one was given back', () => {
    const lines = [line({ price: '50.00' }), card];
    const refunds = [back('7', 'line:2', '25.00', '0.00')];
    const sale = order({ lines, refunds, settlement: 'partially-refunded', buyer: unknown });
    expect(factura(sale, exclude)).toMatchObject({ action: 'hold', code: 'buyer-id-missing' });
    expect(factura(sale, exclude).reason).toContain('el total de 57.50 supera el límite');
  });
});

describe('the trace of the mapper', () => {
  const words = 'Carlos|carlos@|0987654321|1710034065|Loja|portería|Quito 7';
  const sale = order({
    note: 'Dejar en portería',
    attributes: [{ name: 'direccion', value: 'Quito 7' }],
    lines: [line({ price: '3.33' }), line({ id: '2', price: '3.33', sku: 'S'.repeat(60) })],
    presentment: { currency: 'EUR', total: '7.00' },
  });

  it('is plain JSON and holds nothing about the buyer', () => {
    const { mapping } = factura(sale).trace;
    expect(JSON.parse(JSON.stringify(mapping))).toEqual(mapping);
    expect(JSON.stringify(mapping)).not.toMatch(new RegExp(words));
  });

  it('says which rule chose each code, and explains every cent', () => {
    expect(factura(sale).trace.mapping).toMatchObject({
      money: { charged: '7.66', document: '7.66', difference: '0.00', lines: '7.66', rounding: '0.00' },
      items: [
        {
          id: '1',
          iva: { code: 4, rate: '15', by: 'tarifa de la tienda' },
          shop: { net: '3.33', tax: '0.50' },
        },
        { notes: ['SKU de 60 caracteres: cortado a 50'] },
      ],
      taxes: [{ tax: 'IVA', code: 4, base: '6.66', valor: '1.00', difference: '0.00' }],
      payments: [{ gateway: 'bacs', tipo: '20', by: 'tabla: bacs', amount: '7.66' }],
      notes: ['el comprador vio EUR 7.00; se factura en USD'],
    });
  });
});
