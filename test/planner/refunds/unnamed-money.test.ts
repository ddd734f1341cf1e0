import { describe, expect, it } from 'vitest';
import { authorized } from '../../support/authorized.ts';
import { line, order, store } from '../../support/orders.ts';
import { creditBody, facturaAction, give, part, refund, refundActions, rows, storeWith } from './shapes.ts';

/** Two shirts of 100.00 + 15.00, and a book of 100.00 at 0 %. */
const sold = order({
  lines: [
    line({ price: '100.00', quantity: '2' }),
    line({ id: '2', name: 'Libro', sku: 'LIB', price: '100.00', rate: '0' }),
  ],
});
const shirt = part('line:1', '100.00', '15.00');
const book = part('line:2', '100.00', '0.00');
const goodwill = refund('165.00', [shirt], { discrepancy: '50.00' });
const unknown = refund('23.00', [part('line:404', '20.00', '3.00')]);
const reading = (one: typeof goodwill) => give(one, sold, [authorized(sold)], { store });

describe('money that a refund gives back for no line of the factura', () => {
  it('is held where what is left bears several rates: its IVA would be a guess', () => {
    const held = reading(goodwill);
    expect(held).toMatchObject({ action: 'hold', code: 'refund-without-lines', charged: '165.00' });
    expect(held.reason).toBe(
      'El reembolso 48 devolvió 165.00, de los que 50.00 no son de ninguna línea de la factura, y lo que queda por devolver tiene varias tarifas: a prorrata se acreditarían 23.26 con IVA 0 % y 23.25 + 3.49 con IVA 15 %; si todo fue por lo de IVA 0 %, 50.00; si todo fue por lo de IVA 15 %, 43.48 + 6.52. Decida en policy.creditNotes.amountOnly que estos montos se repartan siempre a prorrata; o emita el documento a mano.',
    );
  });

  it('is for a person where it names a row that neither the factura nor the order has', () => {
    const asked = reading(unknown);
    expect(asked).toMatchObject({ action: 'manual', code: 'refund-not-invoiced', charged: '23.00' });
    expect(asked.reason).toContain(
      'que ya no está en el pedido ni estuvo en la factura 001-001-000000123. Si reemplazó algo de ella, acredítelo a mano. Si no se facturó, no lleva documento; si se facturó aparte, emita a mano la nota de crédito de esa factura.',
    );
  });

  it('holds the factura that has not left, too', () => {
    const held = (one: typeof goodwill) => facturaAction({ ...sold, refunds: [one] }, [], { store });
    expect(held(goodwill)).toMatchObject({ action: 'hold', code: 'refund-without-lines' });
    // Of a row that is not on the order: the total may lack it, or not.
    expect(held(unknown)).toMatchObject({ action: 'hold', code: 'refund-contradiction' });
  });

  it('is credited where all that is left bears one rate', () => {
    const rest = refund('245.00', [part('line:1', '200.00', '30.00', '2')], { discrepancy: '15.00' });
    expect(rows(creditBody(reading(rest)))).toEqual([
      ['0', 15, 0],
      ['4', 200, 30],
    ]);
  });

  it('is credited in proportion where the merchant said so once and for all', () => {
    const prorated = give(goodwill, sold, [authorized(sold)], { store: storeWith() });
    expect(rows(creditBody(prorated))).toEqual([
      ['0', 23.26, 0],
      ['4', 123.25, 18.49],
    ]);
  });

  it('is none where a fee was kept, or cents were rounded', () => {
    const kept = refund('200.00', [shirt, book], { discrepancy: '-15.00' });
    const rounded = refund('215.01', [shirt, book]);
    for (const one of [kept, rounded]) expect(reading(one)).toMatchObject({ action: 'emit' });
  });
});

describe('a line that took the place of one of the factura', () => {
  const other = part('line:3', '100.00', '15.00');
  const credit = (...lines: typeof sold.lines) => {
    const [first, ...rest] = lines;
    const changed = order({ lines: [{ ...(first ?? line()), id: '3', name: 'Gorra' }, ...rest] });
    const back = { ...changed, refunds: [refund('115.00', [other])] };
    return refundActions(back, [authorized(order({ lines }))], { store });
  };

  it('is of the factura, whose sale it stands for, also where it cost more', () => {
    const shirtAndMore = order({ lines: [line({ id: '3', price: '110.00' })] });
    const whole = refund('126.50', [part('line:3', '110.00', '16.50')]);
    const [action] = refundActions(
      { ...shirtAndMore, refunds: [whole] },
      [authorized(order({ lines: [line({ price: '100.00' })] }))],
      { store },
    );
    expect(action).toMatchObject({ action: 'manual', code: 'over-credit' });
    expect(action?.reason).toContain('Emita a mano una nota de crédito por hasta 115.00');
  });

  it('is credited where the factura has one rate, and held where it has several', () => {
    expect(credit(...sold.lines.slice(0, 1))).toMatchObject([{ action: 'emit', document: '115.00' }]);
    expect(credit(...sold.lines)).toMatchObject([{ action: 'hold', code: 'refund-without-lines' }]);
  });
});
