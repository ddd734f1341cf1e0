import { describe, expect, it } from 'vitest';
import { type FacturaContext, toFactura } from '../../mappers/index.ts';
import type { Order } from '../../src/domain/order.ts';
import { line, order, shipping, store } from '../support/orders.ts';
import { policyOf, rateRules } from './policy.ts';

const context: FacturaContext = {
  issuer: store.issuer,
  series: store.series,
  secuencial: '000000123',
  today: '2026-11-20',
  policy: store.policy,
  recipient: { type: '05', id: '1710034065', name: 'Carlos Andrade Muñoz' },
  reference: 'woocommerce/tienda.example.ec/factura/29/1',
};

function body(sale: Order, changes: Partial<FacturaContext> = {}) {
  const mapped = toFactura(sale, { ...context, ...changes });
  if (!mapped.ok) throw new Error(`held: ${mapped.code} ${mapped.reason}`);
  return mapped;
}

const hold = (sale: Order, changes: Partial<FacturaContext> = {}) => {
  const mapped = toFactura(sale, { ...context, ...changes });
  return mapped.ok ? 'emit' : mapped.code;
};

describe('toFactura', () => {
  it('states issuer, number and today’s date in the service’s own form', () => {
    expect(body(order()).body.emisor).toMatchObject({
      ruc: '1790012345001',
      codigo_establecimiento: '001',
      secuencial: '000000123',
      fecha_emision: '2026/11/20',
    });
  });

  it('maps two shirts and taxed shipping as WooCommerce charged them', () => {
    const sale = order({ lines: [line({ quantity: '2', price: '12.50' })], charges: [shipping()] });
    const { body: factura, total } = body(sale);
    expect(total).toBe('33.75');
    expect(
      factura.items.map((item) => [
        item.cantidad,
        item.precio_unitario,
        item.descuento,
        item.precio_total_sin_impuesto,
      ]),
    ).toEqual([
      [2, 12.5, 0, 25],
      [1, 4.35, 0, 4.35],
    ]);
    expect(factura.totales).toEqual([
      { codigo: '2', codigo_porcentaje: '4', base_imponible: 29.35, tarifa: 15, valor: 4.4 },
    ]);
    expect(factura.pagos).toEqual([{ tipo: 20, total: 33.75 }]);
  });

  it('keeps several rates apart, each with its code of table 17', () => {
    const sale = order({
      lines: [
        line({ id: '1', price: '33.75' }),
        line({ id: '2', price: '16.20', rate: '0' }),
        line({ id: '3', price: '51.98', rate: '5' }),
        line({ id: '4', price: '18.00', rate: null, taxClass: 'exento' }),
      ],
    });
    expect(
      body(sale, { policy: policyOf({ tax: { rules: rateRules } }) }).body.totales.map((group) => [
        group.codigo_porcentaje,
        group.base_imponible,
        group.valor,
      ]),
    ).toEqual([
      ['0', 16.2, 0],
      ['4', 33.75, 5.06],
      ['5', 51.98, 2.6],
      ['7', 18, 0],
    ]);
  });

  it('states a discount on its line and keeps the shop’s unit price', () => {
    const [item] = body(order({ lines: [line({ quantity: '3', price: '12.50', net: '33.75' })] })).body.items;
    expect(item).toMatchObject({
      cantidad: 3,
      precio_unitario: 12.5,
      descuento: 3.75,
      precio_total_sin_impuesto: 33.75,
    });
  });

  it('lists a free line at its price with a full discount', () => {
    const sale = order({ lines: [line(), line({ id: '2', price: '5.00', net: '0.00' })] });
    expect(body(sale).body.items[1]).toMatchObject({
      precio_unitario: 5,
      descuento: 5,
      precio_total_sin_impuesto: 0,
    });
  });

  it('moves a cent of the base where the shop’s per-line tax leads to another total', () => {
    // Seven odd lines: the shop taxes per line (3.81), 15 % of the sum would be 3.80 (measured on WooCommerce 11.0.1).
    const lines = ['3.33', '3.33', '3.33', '3.33', '4.10', '3.95', '3.95'].map((price, at) =>
      line({ id: String(at), price }),
    );
    const { body: factura, total } = body(order({ lines }));
    const [group] = factura.totales;
    expect(total).toBe(order({ lines }).total);
    expect((group?.base_imponible ?? 0) + (group?.valor ?? 0)).toBeCloseTo(Number(total), 9);
    expect(factura.items.reduce((sum, item) => sum + item.precio_total_sin_impuesto, 0)).toBeCloseTo(
      group?.base_imponible ?? 0,
      9,
    );
  });

  it('states the IVA and the cent where no base reaches a tax-inclusive total', () => {
    // 0.50 with 15 % inside: 0.43 + 0.06 = 0.49, 0.44 + 0.07 = 0.51 (ficha técnica SRI, tabla 21).
    const sale = order({
      lines: [line({ subtotal: '0.434783', net: '0.434783', tax: '0.065217' })],
      total: '0.50',
    });
    const mapped = body(sale);
    expect(mapped.total).toBe('0.50');
    expect(mapped.statedTax).toEqual({ 4: '0.01' });
    expect(mapped.body.totales).toEqual([
      { codigo: '2', codigo_porcentaje: '4', base_imponible: 0.43, tarifa: 15, valor: 0.07 },
    ]);
  });

  it('sells once what no unit price of six decimals can multiply', () => {
    const sale = order({
      lines: [line({ quantity: '30000', subtotal: '1000.01', net: '1000.01', name: 'Tornillo' })],
    });
    expect(body(sale).body.items[0]).toMatchObject({
      cantidad: 1,
      precio_unitario: 1000.01,
      descripcion: '30000 × Tornillo',
    });
  });

  it('splits several tenders by their SRI code, adding up to the total', () => {
    const sale = order({
      lines: [line({ price: '60.00' })],
      payments: [
        { gateway: 'gift_card', title: null, amount: '20.00' },
        { gateway: 'payphone', title: null, amount: '49.00' },
      ],
    });
    expect(body(sale).body.pagos).toEqual([
      { tipo: 15, total: 20 },
      { tipo: 19, total: 49 },
    ]);
  });

  it('folds newlines and cuts long names between characters', () => {
    const name = `Taza\ncon\u0007asa ${'ñ'.repeat(400)}`;
    const text = body(order({ lines: [line({ name })] })).body.items[0]?.descripcion ?? '';
    expect(text).toHaveLength(300);
    expect(text.startsWith('Taza con asa ñ')).toBe(true);
  });

  it('carries our reference, so that two equal sales can be told apart', () => {
    expect(body(order()).body.informacion_adicional).toContainEqual({
      nombre: 'Referencia',
      detalle: context.reference,
    });
  });

  it.each([
    ['unmapped-tax', line({ rate: null })],
    ['unmapped-tax', line({ rate: '19' })],
    ['unmapped-tax', line({ rate: '13' })],
    ['rate-not-in-force', line({ rate: '12' })],
    ['gift-card-sold', line({ kind: 'gift-card' })],
    ['tip', line({ kind: 'tip' })],
    ['tax-contradiction', line({ price: '100.00', tax: '12.00' })],
  ])('holds with %s what it cannot state', (code, odd) => {
    expect(hold(order({ lines: [odd] }))).toBe(code);
  });

  it('holds an order whose lines do not explain what was charged, with both figures', () => {
    const mapped = toFactura(order({ total: '12.00' }), context);
    expect(mapped).toMatchObject({ ok: false, code: 'total-mismatch' });
    expect(!mapped.ok && mapped.reason).toMatch(/11\.50.*12\.00/);
  });

  it('believes the merchant’s rule for a rate id before the stated rate', () => {
    const rules = [{ name: 'no objeto', when: { rateId: ['1'] }, means: { iva: 6 as const } }];
    const policy = { ...store.policy, tax: { rules } };
    expect(body(order({ lines: [line({ rate: '0' })] }), { policy }).body.items[0]?.tipo_iva).toBe(6);
  });
});
