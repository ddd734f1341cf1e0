import { describe, expect, it } from 'vitest';
import { line, order } from '../support/orders.ts';
import { bodyOf, charge, heldOf } from './mapping.ts';

const shirt = line({ price: '10.00' });
const tip = charge('tip', { price: '2.00', rate: null, name: 'Propina' });
const duty = charge('duty', { price: '3.00', rate: null, name: 'Aranceles' });
const card = line({ id: '2', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });

describe('a tip', () => {
  it('is held by default: the service has no field for it', () => {
    expect(heldOf(order({ lines: [shirt], charges: [tip] }))).toMatch(/^tip: .*2\.00.*policy\.tips/);
  });

  it('is a line without IVA where the policy says line', () => {
    const body = bodyOf(order({ lines: [shirt], charges: [tip] }), { tips: { as: 'line' } });
    expect(body.items[1]).toMatchObject({
      codigo_principal: 'PROPINA',
      tipo_iva: 6,
      precio_total_sin_impuesto: 2,
    });
    expect(body.trace.items[1]?.iva.by).toBe('política de propinas');
  });

  it('bears the same code where the platform writes it as a line, whatever that line is called', () => {
    const asLine = line({ id: '987654', kind: 'tip', sku: 'TIP-1', price: '2.00', rate: null, name: 'Tip' });
    const body = bodyOf(order({ lines: [shirt, asLine] }), { tips: { as: 'line' } });
    expect(body.items[1]).toMatchObject({ codigo_principal: 'PROPINA', descripcion: 'Tip' });
    expect(body.items[1]).not.toHaveProperty('codigo_auxiliar');
  });

  it('keeps the IVA the shop charged on it', () => {
    const taxed = charge('tip', { price: '2.00', name: 'Propina' });
    const body = bodyOf(order({ lines: [shirt], charges: [taxed] }), { tips: { as: 'line' } });
    expect(body.items[1]?.tipo_iva).toBe(4);
  });
});

describe('duties', () => {
  it('are held by default', () => {
    expect(heldOf(order({ lines: [shirt], charges: [duty] }))).toMatch(/^duties: /);
  });

  it('are a line with the IVA the policy gives', () => {
    const body = bodyOf(order({ lines: [shirt], charges: [duty] }), { duties: { as: 'line', iva: 7 } });
    expect(body.items[1]).toMatchObject({ codigo_principal: 'ARANCEL', tipo_iva: 7 });
  });
});

describe('a gift card sold', () => {
  const mixed = order({ lines: [shirt, card] });

  it('beside goods is held by default: the document could not reach what was charged', () => {
    expect(heldOf(mixed)).toMatch(/^gift-card-sold: .*«Tarjeta de regalo» por 25\.00/);
  });

  it('is left out where the policy says so, and the trace says what', () => {
    const body = bodyOf(mixed, { giftCardsSold: { as: 'exclude' } });
    expect(body.items).toHaveLength(1);
    expect(body.pagos).toEqual([{ tipo: 20, total: 11.5 }]);
    expect(body.trace.money).toMatchObject({
      charged: '11.50',
      document: '11.50',
      outside: [{ name: 'Tarjeta de regalo', amount: '25.00' }],
    });
  });

  it('is a line without IVA where the policy says line', () => {
    expect(bodyOf(mixed, { giftCardsSold: { as: 'line' } }).items[1]?.tipo_iva).toBe(6);
  });
});

describe('what is free', () => {
  it('an order of 0.00 states one payment of 0.00', () => {
    const body = bodyOf(order({ lines: [line({ price: '12.50', net: '0.00' })] }));
    expect(body.items[0]).toMatchObject({
      precio_unitario: 12.5,
      descuento: 12.5,
      precio_total_sin_impuesto: 0,
    });
    expect(body.pagos).toEqual([{ tipo: 1, total: 0 }]);
  });

  it('a free line of no known tax takes the general rate: it changes no amount and claims no exemption', () => {
    const gift = line({ id: '2', price: '0.00', rate: null, name: 'Muestra' });
    const body = bodyOf(order({ lines: [shirt, gift] }));
    expect(body.items[1]).toMatchObject({ tipo_iva: 4, precio_total_sin_impuesto: 0 });
    expect(body.trace.items[1]?.iva.by).toBe('sin valor: tarifa general');
  });

  it('free shipping is no line', () => {
    const free = charge('shipping', { price: '0.00', rate: null });
    expect(bodyOf(order({ lines: [shirt], charges: [free] })).items).toHaveLength(1);
  });

  it('a cent left over when everything was given away is held, not put on a free line', () => {
    const sale = order({ lines: [line({ price: '12.50', net: '0.00' })], total: '0.01' });
    expect(heldOf(sale)).toMatch(/^total-mismatch: .*0\.00.*cobró 0\.01/);
  });
});

describe('what no line can say', () => {
  it('a product below nothing is held', () => {
    const sale = order({ lines: [shirt, line({ id: '2', price: '-5.00', name: 'Canje' })] });
    expect(heldOf(sale)).toMatch(/^negative-amount: «Canje»/);
  });

  it('an order that charged and sold nothing is held', () => {
    expect(heldOf(order({ lines: [], total: '5.00' }))).toMatch(/^no-lines: El pedido cobró 5\.00/);
  });
});
