import { describe, expect, it } from 'vitest';
import { line, order } from '../support/orders.ts';
import { bodyOf, heldOf } from './mapping.ts';

const shirt = line({ price: '10.00' });

describe('what is free', () => {
  it('a free line of no known tax takes the general rate: it changes no amount and claims no exemption', () => {
    const gift = line({ id: '2', price: '0.00', rate: null, name: 'Muestra' });
    const body = bodyOf(order({ lines: [shirt, gift] }));
    expect(body.items[1]).toMatchObject({ tipo_iva: 4, precio_total_sin_impuesto: 0 });
    expect(body.trace.items[1]?.iva.by).toBe('sin valor: tarifa general');
  });

  it('a cent left over when everything was given away is held, not put on a free line', () => {
    const sale = order({ lines: [line({ price: '12.50', net: '0.00' })], total: '0.01' });
    expect(heldOf(sale)).toMatch(/^total-mismatch: .*0\.00.*cobró 0\.01/);
  });
});
