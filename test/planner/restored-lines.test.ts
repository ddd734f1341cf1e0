import { describe, expect, test } from 'vitest';
import type { Line, Order } from '../../src/domain/order.ts';
import type { SentContent } from '../../src/planner/action.ts';
import { withRestoredLines } from '../../src/planner/edited-rows.ts';
import { authorized } from '../support/authorized.ts';
import { line, order, shipping } from '../support/orders.ts';
import { actions, part, refund } from './refunds/shapes.ts';

const shirt = line({ quantity: '2', price: '10.00' });
const book = line({ id: '2', name: 'Libro', sku: null, productId: '77', price: '8.00', rate: '0' });
const sale = order({ lines: [shirt, book], charges: [shipping()] });
const factura = authorized(sale);
const codes = (changed: Order) => actions(changed, [factura]).map(({ code }) => code);
const idsOf = (changed: Order): string[] => {
  const { lines, charges } = withRestoredLines(changed, factura.sent as SentContent);
  return [...lines, ...charges].map(({ id }) => id);
};

describe('a row that was taken out after the factura and put back under another id', () => {
  const restored = order({ lines: [shirt, { ...book, id: '31' }], charges: [{ ...shipping(), id: '32' }] });

  test('is the row of the factura: nothing was edited', () => {
    expect(codes(restored)).toEqual(['already-authorised']);
    expect(idsOf(restored)).toEqual(['1', '2', '9']);
  });

  test('after it was refunded and before the factura: what came back is taken off', () => {
    const back = refund('8.00', [{ ...part('line:2', '8.00', '0.00'), name: 'Libro' }]);
    const [asked] = actions({ ...order({ lines: [shirt], charges: sale.charges }), refunds: [back] });
    expect([asked?.action, asked?.code, asked?.reason]).toEqual([
      'hold',
      'refund-contradiction',
      `El reembolso 48 devolvió 8.00 por «Libro», que ya no está en el pedido: no se sabe si su total de 28.00 ya lo descuenta. Vuelva a agregar «Libro» al pedido, con el mismo precio, y la factura sale por lo que queda; o emítala a mano.`,
    ]);
    const [emitted] = actions({ ...restored, refunds: [back] });
    expect(emitted).toMatchObject({ action: 'emit', document: '28.00' });
    const sent = authorized({ ...restored, refunds: [back] });
    expect(actions({ ...restored, refunds: [back] }, [sent]).map(({ code }) => code)).toEqual([
      'already-authorised',
      'netted',
    ]);
  });

  test('after the surcharge that it is was refunded, before the factura: nobody knows what was paid', () => {
    const back = refund('5.75', [{ ...part('fee:77', '5.00', '0.75'), name: 'Recargo' }]);
    const [asked] = actions({ ...sale, refunds: [back] });
    expect([asked?.action, asked?.code]).toEqual(['hold', 'refund-contradiction']);
    expect(asked?.reason).toContain('devolvió 5.75 por «Recargo», que ya no está en el pedido');
  });

  test('is found where an amount without lines lowered the whole factura', () => {
    const hat = line({ id: '2', name: 'Gorra', price: '20.00' });
    const less = { ...order({ lines: [shirt, hat] }), refunds: [refund('18.00', [])] };
    const sent = authorized(less).sent as SentContent;
    const { lines } = withRestoredLines({ ...less, lines: [shirt, { ...hat, id: '31' }] }, sent);
    expect(lines.map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('is found where rounding IVA by row moved its cents on the factura', () => {
    const [one, two] = [
      line({ price: '158.05', tax: '23.71' }),
      line({ id: '2', quantity: '2', price: '146.49', tax: '43.95' }),
    ];
    const sent = authorized(order({ lines: [one, two] })).sent as SentContent;
    const { lines } = withRestoredLines(order({ lines: [two, { ...one, id: '31' }] }), sent);
    expect(lines.map(({ id }) => id)).toEqual(['2', '1']);
  });

  test('is credited when it comes back', () => {
    const back = refund('8.00', [part('line:31', '8.00', '0.00')]);
    const [, credit] = actions({ ...restored, refunds: [back] }, [factura]);
    expect(credit).toMatchObject({ action: 'emit', document: '8.00' });
  });

  test.each<[string, Partial<Line> & { price?: string }, string]>([
    ['more units of it at its price grow the order', { quantity: '3' }, 'edited-after-invoice'],
    ['fewer units of it at its price reduce the order', { quantity: '1' }, 'edited-after-invoice'],
  ])('%s', (_what, other, code) => {
    const changed = order({
      lines: [line({ price: '10.00', ...other, id: '31' }), book],
      charges: sale.charges,
    });
    expect(idsOf(changed)[0]).toBe('1');
    expect(codes(changed)).toEqual(['already-authorised', code]);
  });

  test.each<[string, Line]>([
    ['name', line({ id: '31', quantity: '2', name: 'Gorra' })],
    ['code', line({ id: '31', quantity: '2', sku: 'CAM-002' })],
    ['rate', line({ id: '31', quantity: '2', rate: '0', price: '11.50' })],
    ['price', line({ id: '31', quantity: '2', price: '9.00' })],
  ])('is another one with another %s', (_what, other) => {
    expect(idsOf(order({ lines: [other, book], charges: sale.charges }))[0]).toBe('31');
  });

  test('two alike take one id each, and one whose row is still there takes none', () => {
    const twice = order({ lines: [book, { ...book, id: '3' }] });
    const back = { ...twice, lines: twice.lines.map((one) => ({ ...one, id: `3${one.id}` })) };
    const { lines } = withRestoredLines(back, authorized(twice).sent as SentContent);
    expect(lines.map(({ id }) => id)).toEqual(['2', '3']);
    const more = order({ lines: [...sale.lines, { ...book, id: '31' }], charges: sale.charges });
    expect(codes(more)).toEqual(['already-authorised', 'edited-after-invoice']);
  });
});
