import { describe, expect, it } from 'vitest';
import { order } from '../support/orders.ts';
import { bodyOf, type Written } from './mapping.ts';

const info = (sale: ReturnType<typeof order>, policy: Written = {}) =>
  bodyOf(sale, policy).informacion_adicional.map(({ nombre, detalle }) => [nombre, detalle]);
const reference = ['Referencia', 'woocommerce/tienda.example.ec/factura/29/1'];

describe('informacion_adicional', () => {
  it('names the order, and our reference', () => {
    expect(info(order())).toEqual([['Pedido', '#29'], reference]);
  });

  it('tells what the buyer saw in another currency', () => {
    const sale = order({ presentment: { currency: 'EUR', total: '10.20' } });
    expect(info(sale)[1]).toEqual(['Total mostrado al comprador', 'EUR 10.20']);
    expect(bodyOf(sale).trace.notes).toEqual(['el comprador vio EUR 10.20; se factura en USD']);
  });

  it('follows the merchant’s templates', () => {
    const additionalInfo = [
      { name: 'Correo', value: '{email}' },
      { name: 'Contacto', value: 'Tel. {phone}, pedido {id}' },
      { name: 'Nota', value: '{note}' },
      { name: 'Vendedor', value: '{attribute.Código de vendedor}' },
    ];
    const sale = order({
      note: 'Dejar\nen portería',
      attributes: [{ name: 'codigo_de_vendedor', value: 'V-7' }],
    });
    expect(info(sale, { additionalInfo })).toEqual([
      ['Correo', 'carlos@example.ec'],
      ['Contacto', 'Tel. 0987654321, pedido 29'],
      ['Nota', 'Dejar en portería'],
      ['Vendedor', 'V-7'],
      reference,
    ]);
  });

  it('leaves out a template of which nothing is known: empty values are refused', () => {
    expect(info(order(), { additionalInfo: [{ name: 'Nota', value: 'Nota: {note}' }] })).toEqual([reference]);
  });

  it('tells the day of the sale where the factura bears another one', () => {
    const late = order({ paidAt: '2026-11-18T04:30:00Z' });
    expect(info(late)).toEqual([['Pedido', '#29'], ['Fecha de la venta', '17/11/2026'], reference]);
    expect(info(late, { additionalInfo: [{ name: 'Pedido', value: '{order}' }] })).toHaveLength(2);
  });

  it('keeps to what the service takes: thirteen templates leave room for the reference and the service’s own', () => {
    const additionalInfo = Array.from({ length: 13 }, (_, at) => ({
      name: `Campo ${at}`,
      value: '{saleDay}',
    }));
    const late = order({ paidAt: '2026-11-18T15:00:00Z' });
    expect(info(late, { additionalInfo })).toHaveLength(14);
    expect(info(order(), { additionalInfo })).toEqual([reference]);
  });

  it('cuts a value at 300 characters', () => {
    const sale = order({ note: 'a'.repeat(400) });
    expect(info(sale, { additionalInfo: [{ name: 'Nota', value: '{note}' }] })[0]?.[1]).toHaveLength(300);
  });
});

describe('what goes with the goods', () => {
  it('the guía de remisión and the plate come from the order’s attributes', () => {
    const attributes = [
      { name: 'Guía de remisión', value: '001001000000123' },
      { name: 'PLACA', value: ' PBA-1234 ' },
    ];
    expect(bodyOf(order({ attributes }))).toMatchObject({
      guiaremision: '001-001-000000123',
      placa: 'PBA-1234',
    });
  });

  it('what has not the form of one is left out', () => {
    const attributes = [
      { name: 'guia_remision', value: 'pendiente' },
      { name: 'placa', value: '' },
    ];
    const body = bodyOf(order({ attributes }));
    expect([body.guiaremision, body.placa]).toEqual([undefined, undefined]);
  });
});
