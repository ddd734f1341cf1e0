import { describe, expect, it } from 'vitest';
import { line, order } from '../support/orders.ts';
import { bodyOf } from './mapping.ts';

const item = (fields: Parameters<typeof line>[0]) => bodyOf(order({ lines: [line(fields)] })).items[0];
const notes = (fields: Parameters<typeof line>[0]) =>
  bodyOf(order({ lines: [line(fields)] })).trace.items[0]?.notes;

describe('the codes of a line', () => {
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
});

describe('the texts of a line', () => {
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
  it('that are empty are none', () => {
    expect(item({ attributes: [{ name: 'Talla', value: ' ' }] })).not.toHaveProperty('detalles_adicionales');
  });
});

describe('quantities and prices', () => {
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
});
