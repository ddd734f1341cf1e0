import { describe, expect, it } from 'vitest';
import { assertTotals } from '../../mappers/totals.ts';
import type { Line } from '../../src/domain/order.ts';
import { line, order } from '../support/orders.ts';
import { bodyOf, charge, heldOf, type Written } from './mapping.ts';

/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */
const ice: Written = {
  tax: { rules: [{ when: { title: 'ICE*' }, then: { ice: { codigo: 3101, tarifa: 75 } } }] },
};
const abroadTaxed: Written = { tax: { rules: [{ when: { abroad: true, rate: 15 }, then: { iva: 4 } }] } };
const given = (name: string, rate: number, iva: 2 | 10): Written => ({
  tax: { rules: [{ name, when: { rate }, then: { iva } }] },
});
const bearing = (codigo: number): Written => ({
  tax: { rules: [{ name: 'especiales', when: { sku: 'RON' }, then: { ice: { codigo, tarifa: 100 } } }] },
});
/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */

const one = (item: Line, policy: Written = {}) => heldOf(order({ lines: [item] }), policy);
const tax = (title: string, rate: string | null, amount: string) => ({ title, rate, amount, rateId: null });
const to = (country: string, item: Line) =>
  heldOf(order({ lines: [item], delivery: { by: 'shipping', country } }));
const fee = (price: string, amount: string) =>
  charge('fee', { name: 'Rebaja', price, tax: amount, taxes: [tax('IVA', '15', amount)] });

const sweets = Array.from({ length: 40 }, (_, at) => line({ id: String(at + 1), price: '0.10' }));
const exact = sweets.map((one) => ({ ...one, tax: '0.015', taxes: [tax('IVA', '15', '0.015')] }));

/** What a merchant reads: what is wrong with which figures, and in the last sentence what to do. */
const sentences: [() => string, string][] = [
  [
    () => one(line({ name: 'Bloque', sku: null, rate: '5' })),
    'unmapped-tax: El impuesto «IVA 5%» de «Bloque» es del 5 % (0.50), que en el Ecuador es solo de materiales de construcción. Si es el caso, escriba en policy.tax.rules: { when: { name: "Bloque", rate: 5 }, then: { iva: 5 } }; si no, corrija el impuesto en la tienda.',
  ],
  [
    () => one(line({ sku: 'RON', name: 'Gaseosa' }), bearing(3053)),
    'ice: «Gaseosa» lleva ICE 3053 (Bebidas gaseosas con alto contenido de azúcar), que es un monto por unidad, y el servicio de facturación solo admite ICE en porcentaje. Emita esta factura a mano; si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules.',
  ],
  [
    () => one(line({ rate: null, taxClass: 'libros' })),
    'unmapped-tax: «Camiseta» (clase de impuesto «libros») no lleva impuesto en la tienda y ninguna regla dice si es IVA 0 %, exento o no objeto. Indíquelo en policy.tax de la tienda.',
  ],
  [
    () => one(line({ rate: '13' }), given('trece', 13, 10)),
    'rate-not-in-force: «trece» da a «Camiseta» el IVA 13 % (código 10), que no rige hoy, 2026-11-20: no ha regido ningún día. Quite ese código de la configuración y corrija el impuesto en la tienda.',
  ],
  [
    () => one(line({ rate: '8' })),
    'unmapped-tax: El impuesto «IVA 8%» de «Camiseta» es del 8 % (0.80), que en el Ecuador es solo de servicios turísticos registrados, en los días que fija un decreto. Hoy, 2026-11-20, no lo es: los últimos fueron del 2026-02-14 al 2026-02-17 (Decreto 304) y no se conocen posteriores. Si es el caso, escriba en policy.tax.rules: { when: { sku: "CAM-001", rate: 8 }, then: { iva: 8 } }; si no, corrija el impuesto en la tienda.',
  ],
  [
    () => one(line({ taxes: [{ ...tax('VAT', '5', '0.50'), country: 'AE' }] })),
    'foreign-tax: «VAT» es una tarifa de Emiratos Árabes Unidos; la tienda lo cobró por «Camiseta» (0.50) en una venta en el Ecuador (comprador de Ecuador, sin dirección de envío). Corrija el impuesto en la tienda.',
  ],
  [
    () =>
      heldOf(
        order({
          lines: [line({ taxes: [tax('GST', '15', '1.50')] })],
          delivery: { by: 'shipping', country: 'NZ' },
        }),
        abroadTaxed,
      ),
    'foreign-tax: «GST» es el nombre de un impuesto de otro país; la tienda lo cobró por «Camiseta» (1.50) en una venta fuera del Ecuador (envío a Nueva Zelanda). Corrija el impuesto en la tienda; si es IVA del Ecuador con otro nombre, escriba en policy.tax.rules: { when: { abroad: true, title: "GST" }, then: { iva: 4 } }.',
  ],
  [
    () => to('CA', line({ tax: '1.20', taxes: [tax('GST', '5', '0.50'), tax('PST', '7', '0.70')] })),
    'sale-abroad: La venta de «Camiseta» es fuera del Ecuador (envío a Canadá) y la tienda cobró 0.50 por «GST» del 5 % y 0.70 por «PST» del 7 %, que no se toma por IVA del Ecuador. Consulte a su contador y emita esta factura a mano.',
  ],
  [
    () => {
      const lines = [line({ tax: '10.13', taxes: [tax('ICE', '75', '7.50'), tax('IVA', '15', '2.63')] })];
      return heldOf(order({ lines, charges: [fee('-3.00', '-0.45')] }), ice);
    },
    'negative-amount: «Rebaja» rebaja 3.00 de un pedido con ICE o IRBPNR y no se sabe cuánto de cada uno. Regístrelo como cupón en la tienda.',
  ],
  [
    () => heldOf(order({ platform: 'shopify', lines: sweets })),
    'tax-contradiction: El impuesto cobrado no corresponde al 15 %: la tienda cobró 0.80 sobre 4.00 y serían 0.60, una diferencia de 0.20. La tienda redondeó el impuesto en cada una de las 40 líneas. Emita esta factura a mano: Shopify redondea siempre así y no tiene un ajuste para cambiarlo. Venda las unidades iguales en una sola línea, o con precios cuyo IVA sea de centavos enteros.',
  ],
  [
    () => heldOf(order({ platform: 'otra', lines: exact, total: '4.80' })),
    'total-mismatch: Las líneas del pedido suman 4.60 y se cobró 4.80: 0.20 de más, lo que puede dar redondear el impuesto en cada una de las 40 líneas. Emita esta factura a mano y haga que la tienda redondee el impuesto en el subtotal.',
  ],
];

describe('a hold says what is wrong, with its figures, and what to do', () => {
  it.each(sentences)('%# %s', (held, sentence) => {
    expect(held()).toBe(sentence);
  });

  it('of a body that leads elsewhere is the last line of defence, and names figures too', () => {
    const { trace: _, ...body } = bodyOf(order());
    const [item] = body.items;
    const spoilt = (change: object) => {
      try {
        return assertTotals({ ...body, ...change }, '11.50') && 'verified';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([
      spoilt({}),
      spoilt({ totales: [{ ...body.totales[0], valor: 1.49 }] }),
      spoilt({ pagos: [{ tipo: 20, total: 12 }] }),
      spoilt({ items: [{ ...item, cantidad: 2 }] }),
      spoilt({ comprador: { ...body.comprador, razon_social: '' } }),
    ]).toEqual([
      'verified',
      'total-mismatch: El documento sumaría 11.49 y son 11.50, una diferencia de 0.01. Emita este documento a mano y avise a quien mantiene facturapuente.',
      'total-mismatch: Los pagos sumarían 12.00 y son 11.50, una diferencia de 0.50. Emita este documento a mano y avise a quien mantiene facturapuente.',
      'total-mismatch: La línea «Camiseta» no suma: 2 × 10 − 0 no es 10. Emita este documento a mano y avise a quien mantiene facturapuente.',
      'invalid-body: El dato «comprador.razon_social» del documento está vacío o es menor de lo que admite el servicio. Corrija ese dato en el pedido o en la configuración.',
    ]);
  });
});
