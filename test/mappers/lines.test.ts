import { describe, expect, it } from 'vitest';
import { line, order } from '../support/orders.ts';
import { bodyOf } from './mapping.ts';

const item = (fields: Parameters<typeof line>[0]) => bodyOf(order({ lines: [line(fields)] })).items[0];
const notes = (fields: Parameters<typeof line>[0]) =>
  bodyOf(order({ lines: [line(fields)] })).trace.items[0]?.notes;

describe('the codes of a line', () => {
  it('are its SKU, else the shop’s id of the product, else that of the line', () => {
    expect(item({ sku: ' CAM-1 ' })?.codigo_principal).toBe('CAM-1');
    expect(item({ sku: null, productId: '311' })?.codigo_principal).toBe('311');
    expect(item({ sku: '\u0000', id: '29' })?.codigo_principal).toBe('29');
  });

  it('an SKU of more than 25 characters runs on in the second code', () => {
    const sku = 'CAMISETA-ALGODON-NANDU-38-NEGRO-OFERTA';
    expect(item({ sku })).toMatchObject({
      codigo_principal: 'CAMISETA-ALGODON-NANDU-38',
      codigo_auxiliar: '-NEGRO-OFERTA',
    });
    expect(notes({ sku })).toEqual(['SKU de 38 caracteres: sigue en codigo_auxiliar']);
  });

  it('an SKU longer than both is cut, and the trace says so', () => {
    expect(notes({ sku: 'S'.repeat(60) })).toEqual(['SKU de 60 caracteres: cortado a 50']);
  });

  it('a line break in an SKU becomes a space: the authority refuses it', () => {
    expect(item({ sku: 'CAM\n001' })?.codigo_principal).toBe('CAM 001');
  });
});

describe('the texts of a line', () => {
  it('are cut between whole characters', () => {
    expect(item({ name: `${'ñ'.repeat(299)}👍🏽` })?.descripcion).toBe('ñ'.repeat(299));
    expect(item({ name: `${'a'.repeat(298)}e\u0301x` })?.descripcion).toBe(`${'a'.repeat(298)}e\u0301`);
  });

  it('a character longer than the field is cut inside, and never to half of a pair', () => {
    expect(item({ name: `x${'\u0301'.repeat(400)}` })?.descripcion).toHaveLength(300);
    expect(item({ name: `${'a'.repeat(299)}\u200d${'👍'.repeat(5)}` })?.descripcion.isWellFormed()).toBe(
      true,
    );
  });

  it('what XML cannot carry is left out, and nothing at all is told as such', () => {
    expect(item({ name: 'a\ud83db\uffffc' })?.descripcion).toBe('a b c');
    expect(item({ name: '\u0000\u2028' })?.descripcion).toBe('Sin descripción');
  });
});

describe('variants and properties', () => {
  const attributes = ['Talla', 'Color', 'Grabado', 'Cinta'].map((name) => ({ name, value: `${name} uno` }));

  it('are additional details, three at the most', () => {
    expect(item({ attributes })?.detalles_adicionales?.map(({ nombre }) => nombre)).toEqual([
      'Talla',
      'Color',
      'Grabado',
    ]);
    expect(notes({ attributes })).toEqual(['1 propiedades sin lugar en detalles_adicionales']);
  });

  it('that are empty are none', () => {
    expect(item({ attributes: [{ name: 'Talla', value: ' ' }] })).not.toHaveProperty('detalles_adicionales');
  });

  it('may be left out', () => {
    const body = bodyOf(order({ lines: [line({ attributes })] }), { lineDetails: false });
    expect(body.items[0]).not.toHaveProperty('detalles_adicionales');
  });
});

describe('quantities and prices', () => {
  it('decimals in a quantity stay', () => {
    expect(item({ quantity: '0.333', subtotal: '9.99', net: '9.99' })).toMatchObject({
      cantidad: 0.333,
      precio_unitario: 30,
    });
  });

  it('a quantity of more than six decimals is sold once, its discount kept', () => {
    const fields = { quantity: '0.1234567', subtotal: '12.00', net: '10.00' };
    expect(item(fields)).toMatchObject({ cantidad: 1, precio_unitario: 12, descuento: 2 });
    expect(item(fields)?.descripcion).toBe('0.1234567 × Camiseta');
  });

  it('a price that no decimals give is five decimals rounded up, a hair over the line', () => {
    expect(item({ quantity: '3', subtotal: '10.00', net: '10.00' })).toMatchObject({
      cantidad: 3,
      precio_unitario: 3.33334,
      precio_total_sin_impuesto: 10,
    });
  });

  it('what is not shipped is a service', () => {
    expect([item({ service: true })?.tipoproducto, item({ service: null })?.tipoproducto]).toEqual([2, 1]);
  });
});
