import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertTotals } from '../../mappers/totals.ts';
import type { Line } from '../../src/domain/order.ts';
import { line, order } from '../support/orders.ts';
import { bodyOf, charge, heldOf, type Written } from './mapping.ts';
import { rateRules } from './policy.ts';

/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */
const ice: Written = {
  tax: { rules: [{ when: { title: 'ICE*' }, then: { ice: { codigo: 3101, tarifa: 75 } } }] },
};
const contained: Written = {
  tax: {
    rules: [
      ...rateRules,
      { when: { sku: 'ARMA' }, then: { ice: { codigo: 3630, tarifa: 300 } } },
      { when: { sku: 'CAZA' }, then: { ice: { codigo: 3630, tarifa: 75 } } },
    ],
  },
};
const bottles: Written = { tax: { rules: [{ when: { sku: 'AGUA-*' }, then: { irbpnr: true } }] } };
const bags: Written = {
  tax: { rules: [{ when: { sku: 'FUNDA' }, then: { ice: { codigo: 3680, porUnidad: '0.10' } } }] },
};
const deposit: Written = { tax: { rules: [{ when: { title: 'IRBPNR' }, then: { irbpnr: true } }] } };
const books: Written = { tax: { rules: [{ name: 'libros', when: { sku: 'CAM-*' }, then: { iva: 0 } }] } };
const spirits: Written = {
  tax: { rules: [{ when: {}, then: { hold: 'Los licores se facturan en Quito.' } }] },
};
const abroadTaxed: Written = { tax: { rules: [{ when: { abroad: true, rate: 15 }, then: { iva: 4 } }] } };
const tourism: Written = {
  tax: { rules: [{ name: 'turismo', when: { sku: 'CAM-*', rate: 8 }, then: { iva: 8 } }] },
};
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
const water = (fields: Parameters<typeof line>[0]) => line({ sku: 'AGUA-1', name: 'Agua', ...fields });
const arms = (rate: string) => line({ sku: 'ARMA', price: '40.01', rate });
const fee = (price: string, amount: string) =>
  charge('fee', { name: 'Rebaja', price, tax: amount, taxes: [tax('IVA', '15', amount)] });

const sweets = Array.from({ length: 40 }, (_, at) => line({ id: String(at + 1), price: '0.10' }));
const exact = sweets.map((one) => ({ ...one, tax: '0.015', taxes: [tax('IVA', '15', '0.015')] }));

/** What a merchant reads: what is wrong with which figures, and in the last sentence what to do. */
const sentences: [() => string, string][] = [
  [
    () => one(line({ taxes: [tax('', null, '1.50')] })),
    'unmapped-tax: El impuesto «sin nombre» de «Camiseta», por 1.50, no indica su tarifa. Asígnele un código en policy.tax.rules.',
  ],
  [
    () => one(line({ name: 'Bloque', sku: null, rate: '5' })),
    'unmapped-tax: El impuesto «IVA 5%» de «Bloque» es del 5 % (0.50), que en el Ecuador es solo de materiales de construcción. Si es el caso, escriba en policy.tax.rules: { when: { name: "Bloque", rate: 5 }, then: { iva: 5 } }; si no, corrija el impuesto en la tienda.',
  ],
  [
    () => heldOf(order({ lines: [], total: '5.00' })),
    'no-lines: El pedido cobró 5.00 y no tiene nada que facturar: ninguna línea, envío ni cargo. Agregue en la tienda lo vendido, o emita a mano.',
  ],
  [
    () => one(line({ price: '-5.00', name: 'Canje' })),
    'negative-amount: «Canje» tiene un valor negativo (-5.00); una factura no admite líneas negativas. Regístrelo como descuento en la tienda.',
  ],
  [
    () => heldOf(order({ charges: [charge('tip', { price: '2.00', rate: null })] })),
    'tip: El pedido incluye una propina de 2.00 («tip») y el servicio de facturación no tiene un campo para declararla. Emita esta factura a mano, o decida en policy.tips que vaya como una línea.',
  ],
  [
    () => heldOf(order({ charges: [charge('duty', { price: '3.00', rate: null })] })),
    'duties: El pedido cobra aranceles de 3.00 («duty»), que no son parte de una factura local. Emita esta factura a mano, o decida en policy.duties que vayan como una línea.',
  ],
  [
    () => one(line({ kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta' })),
    'gift-card-sold: El pedido vende la tarjeta de regalo «Tarjeta» por 25.00, que es un anticipo y no una venta gravada. Facture el resto a mano, o decida en policy.giftCardsSold que la factura la deje fuera.',
  ],
  [
    () => one(line({ tax: '-0.01', taxes: [tax('IVA', '15', '-0.01')] })),
    'tax-contradiction: «Camiseta» lleva el impuesto «IVA» de -0.01, menor que cero. Corrija los impuestos de esa línea en la tienda.',
  ],
  [
    () => one(line({ tax: '1.20' })),
    'tax-contradiction: El impuesto cobrado por «Camiseta» no corresponde al 15 %: la tienda cobró 1.20 sobre 10.00 y serían 1.50, una diferencia de 0.30. Corrija el impuesto en la tienda.',
  ],
  [
    () => one(line(), books),
    'tax-contradiction: La regla «libros» dice que «Camiseta» lleva IVA 0 %, pero la tienda cobró 1.50 por «IVA 15%» del 15 %. Corrija la regla en policy.tax o el impuesto en la tienda.',
  ],
  [
    () => one(line({ tax: '8.50', taxes: [tax('ICE', '75', '7.00'), tax('IVA', '15', '2.55')] }), ice),
    'tax-contradiction: La tienda cobró 7.00 de ICE por «Camiseta» y al 75 % serían 7.50, una diferencia de 0.50. Corrija el impuesto en la tienda, o la regla en policy.tax.',
  ],
  [
    () => heldOf(order({ lines: [arms('15'), arms('5'), arms('0')] }), contained),
    'ice: El ICE del pedido (3630 al 300 %) no se puede declarar en centavos: la mejor repartición queda a 0.03 de lo que calcula el SRI y se admiten 0.02. Emita este pedido a mano en varias facturas, una por cada IVA o por cada ICE.',
  ],
  [
    () => heldOf(order({ lines: [arms('15'), line({ sku: 'CAZA' })] }), contained),
    'tax-contradiction: Las reglas dan al pedido el ICE 3630 al 300 % y al 75 %, y una factura declara una sola tarifa por código. Corrija las reglas en policy.tax.',
  ],
  [
    () =>
      one(
        water({ quantity: '12', taxes: [tax('IRBPNR', null, '0.10'), tax('IVA', '15', '18.00')] }),
        deposit,
      ),
    'tax-contradiction: La tienda cobró 0.10 de IRBPNR por «Agua» y por 12 botellas serían 0.24, una diferencia de 0.14. Corrija el impuesto en la tienda.',
  ],
  [
    () => one(water({ price: '0.01' }), bottles),
    'tax-contradiction: «Agua» costó 0.01 y su IRBPNR solo ya es de 0.02. Corrija el precio en la tienda o la regla en policy.tax.',
  ],
  [
    () => one(line({ sku: 'FUNDA', name: 'Funda', quantity: '3' }), bags),
    'ice: «Funda» lleva ICE 3680 de 0.10 por unidad (0.30 por 3) y el servicio de facturación solo admite ICE en porcentaje. Emita esta factura a mano; si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules.',
  ],
  [
    () => one(line({ sku: 'RON', name: 'Ron' }), bearing(3031)),
    'ice: «Ron» lleva ICE 3031 (Bebidas alcohólicas), que suma un monto por unidad a su porcentaje, y el servicio de facturación solo admite ICE en porcentaje. Emita esta factura a mano; si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules.',
  ],
  [
    () => one(line({ sku: 'RON', name: 'Gaseosa' }), bearing(3053)),
    'ice: «Gaseosa» lleva ICE 3053 (Bebidas gaseosas con alto contenido de azúcar), que es un monto por unidad, y el servicio de facturación solo admite ICE en porcentaje. Emita esta factura a mano; si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules.',
  ],
  [
    () => one(line({ sku: 'RON', name: 'Foco' }), bearing(3640)),
    'ice: La regla «especiales» da a «Foco» el ICE 3640, que no está en la tabla de códigos de facturapuente. Búsquelo en la tabla 18 de la ficha técnica del SRI; si existe y es un porcentaje, escriba su nombre en la regla: ice: { codigo: 3640, tarifa: 100, nombre: "…" }.',
  ],
  [
    () => one(water({ quantity: '1.5' }), bottles),
    'irbpnr-quantity: «Agua» paga IRBPNR por botella y el pedido trae la cantidad 1.5. Corrija la cantidad en la tienda.',
  ],
  [
    () => one(line({ rate: null, taxClass: 'libros' })),
    'unmapped-tax: «Camiseta» (clase de impuesto «libros») no lleva impuesto en la tienda y ninguna regla dice si es IVA 0 %, exento o no objeto. Indíquelo en policy.tax de la tienda.',
  ],
  [
    () => one(line({ taxes: [tax('Tasa', null, '1.50')] })),
    'unmapped-tax: El impuesto «Tasa» de «Camiseta», por 1.50, no indica su tarifa. Asígnele un código en policy.tax.rules.',
  ],
  [
    () => one(line({ rate: '13' })),
    'unmapped-tax: El impuesto «IVA 13%» de «Camiseta» es del 13 % (1.30), que no es una tarifa de IVA del Ecuador. Corríjalo en la tienda; si es ICE o IRBPNR, indíquelo en policy.tax.rules.',
  ],
  [
    () => one(line({ rate: '12' })),
    'rate-not-in-force: El IVA 12 % de «Camiseta» (1.20) no rige hoy, 2026-11-20: rigió del 2017-06-01 al 2024-03-31. Corrija el impuesto en la tienda.',
  ],
  [
    () => one(line({ rate: '12' }), given('tarifa anterior', 12, 2)),
    'rate-not-in-force: «tarifa anterior» da a «Camiseta» el IVA 12 % (código 2), que no rige hoy, 2026-11-20: rigió del 2017-06-01 al 2024-03-31. Quite ese código de la configuración y corrija el impuesto en la tienda; si la venta es de un día en que regía, consulte a su contador y emita esta factura a mano.',
  ],
  [
    () => one(line({ rate: '13' }), given('trece', 13, 10)),
    'rate-not-in-force: «trece» da a «Camiseta» el IVA 13 % (código 10), que no rige hoy, 2026-11-20: no ha regido ningún día. Quite ese código de la configuración y corrija el impuesto en la tienda.',
  ],
  [
    () => one(line({ rate: '5' })),
    'unmapped-tax: El impuesto «IVA 5%» de «Camiseta» es del 5 % (0.50), que en el Ecuador es solo de materiales de construcción. Si es el caso, escriba en policy.tax.rules: { when: { sku: "CAM-001", rate: 5 }, then: { iva: 5 } }; si no, corrija el impuesto en la tienda.',
  ],
  [
    () => one(line({ rate: '8' })),
    'unmapped-tax: El impuesto «IVA 8%» de «Camiseta» es del 8 % (0.80), que en el Ecuador es solo de servicios turísticos registrados, en los días que fija un decreto. Hoy, 2026-11-20, no lo es: los últimos fueron del 2026-02-14 al 2026-02-17 (Decreto 304) y no se conocen posteriores. Si es el caso, escriba en policy.tax.rules: { when: { sku: "CAM-001", rate: 8 }, then: { iva: 8 } }; si no, corrija el impuesto en la tienda.',
  ],
  [
    () => one(line({ rate: '8' }), tourism),
    'rate-not-decreed: «turismo» da el IVA diferenciado 8 % a «Camiseta» y hoy, 2026-11-20, no es uno de sus días: los últimos fueron del 2026-02-14 al 2026-02-17 (Decreto 304) y no se conocen posteriores. Corrija el impuesto en la tienda o emita a mano; si hay un decreto nuevo, actualice facturapuente.',
  ],
  [
    () => one(line({ taxes: [tax('GST', '15', '1.50')] })),
    'foreign-tax: «GST» es el nombre de un impuesto de otro país; la tienda lo cobró por «Camiseta» (1.50) en una venta en el Ecuador (comprador de Ecuador, sin dirección de envío). Corrija el impuesto en la tienda; si es IVA del Ecuador con otro nombre, escriba en policy.tax.rules: { when: { title: "GST" }, then: { iva: 4 } }.',
  ],
  [
    () => one(line({ taxes: [{ ...tax('VAT', '5', '0.50'), country: 'AE' }] })),
    'foreign-tax: «VAT» es una tarifa de Emiratos Árabes Unidos; la tienda lo cobró por «Camiseta» (0.50) en una venta en el Ecuador (comprador de Ecuador, sin dirección de envío). Corrija el impuesto en la tienda.',
  ],
  [
    () => to('ZA', line({ taxes: [tax('VAT', '15', '1.50')] })),
    'sale-abroad: La venta de «Camiseta» es fuera del Ecuador (envío a Sudáfrica) y la tienda cobró 1.50 por «VAT» del 15 %, que no se toma por IVA del Ecuador. Consulte a su contador: si es IVA del Ecuador, escriba en policy.tax.rules: { when: { abroad: true, rate: 15 }, then: { iva: 4 } }; si no, emita esta factura a mano.',
  ],
  [
    () => to('ZA', line({ taxes: [{ ...tax('VAT', '15', '1.50'), country: 'ZA' }] })),
    'sale-abroad: La venta de «Camiseta» es fuera del Ecuador (envío a Sudáfrica) y la tienda cobró 1.50 por «VAT» del 15 %, que no se toma por IVA del Ecuador. Consulte a su contador y emita esta factura a mano.',
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
    () => to('JP', line({ taxes: [tax('', null, '1.50')] })),
    'sale-abroad: La venta de «Camiseta» es fuera del Ecuador (envío a Japón) y la tienda cobró 1.50 por «sin nombre», que no se toma por IVA del Ecuador. Consulte a su contador y emita esta factura a mano.',
  ],
  [
    () => to('CA', line({ tax: '1.20', taxes: [tax('GST', '5', '0.50'), tax('PST', '7', '0.70')] })),
    'sale-abroad: La venta de «Camiseta» es fuera del Ecuador (envío a Canadá) y la tienda cobró 0.50 por «GST» del 5 % y 0.70 por «PST» del 7 %, que no se toma por IVA del Ecuador. Consulte a su contador y emita esta factura a mano.',
  ],
  [
    () => to('PE', line({ rate: null })),
    'sale-abroad: La venta de «Camiseta» es fuera del Ecuador (envío a Perú), sin impuesto, y la tienda no dice por qué. Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: { when: { abroad: true, untaxed: true }, then: { iva: 0 } }.',
  ],
  [
    () => to('PE', line({ rate: '0' })),
    'sale-abroad: La venta de «Camiseta» es fuera del Ecuador (envío a Perú) y la tienda declara «IVA 0%» de 0.00, al 0 %, pero no dice por qué. Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: { when: { abroad: true, rate: 0 }, then: { iva: 0 } }.',
  ],
  [
    () => one(line({ tax: '2.50', taxes: [tax('IVA', '15', '1.50'), tax('ICE', '10', '1.00')] })),
    'several-taxes: «Camiseta» lleva varios impuestos («IVA» de 1.50 y «ICE» de 1.00) y solo se puede facturar un IVA por línea. Si uno es ICE o IRBPNR, indíquelo en policy.tax.rules; si no, deje solo el IVA en la tienda.',
  ],
  [() => one(line(), spirits), 'held-by-rule: Los licores se facturan en Quito.'],
  [
    () => heldOf(order({ charges: [fee('-15.00', '-2.25')], total: '0.00' })),
    'negative-amount: «Rebaja» rebaja 15.00 y lo vendido vale 10.00 sin impuesto, 5.00 menos; una factura no puede ser negativa. Corrija el descuento en la tienda.',
  ],
  [
    () => heldOf(order({ charges: [fee('-3.00', '0.00')] })),
    'negative-amount: «Rebaja» rebaja 3.00 y 0.00 de impuesto; repartido entre todo lo vendido serían 0.45, una diferencia de 0.45. Si es un descuento, regístrelo como cupón en la tienda; si es un pago con monedero o crédito, emita esta factura a mano.',
  ],
  [
    () => {
      const lines = [line({ tax: '10.13', taxes: [tax('ICE', '75', '7.50'), tax('IVA', '15', '2.63')] })];
      return heldOf(order({ lines, charges: [fee('-3.00', '-0.45')] }), ice);
    },
    'negative-amount: «Rebaja» rebaja 3.00 de un pedido con ICE o IRBPNR y no se sabe cuánto de cada uno. Regístrelo como cupón en la tienda.',
  ],
  [
    () => heldOf(order({ total: '9.50' })),
    'total-mismatch: Las líneas del pedido suman 11.50 y se cobró 9.50: 2.00 de menos, que el redondeo no explica. Si el resto se pagó con un monedero, una tarjeta de regalo o un crédito que el pedido no declara, emita esta factura a mano; si no, corrija el total en la tienda.',
  ],
  [
    () => heldOf(order({ lines: [line(), line()], total: '11.50' })),
    'total-mismatch: Las líneas del pedido suman 23.00 y se cobró 11.50: 11.50 de menos. La línea «Camiseta» está dos veces en el pedido. Corrija el pedido en la tienda, o el programa que lo escribió, o emita esta factura a mano.',
  ],
  [
    () => heldOf(order({ total: '12.00' })),
    'total-mismatch: Las líneas del pedido suman 11.50 y se cobró 12.00: 0.50 de más, que el redondeo no explica. Agregue al pedido lo que se cobró o emita esta factura a mano.',
  ],
  [
    () => heldOf(order({ lines: [line({ net: '0.00' })], total: '0.01' })),
    'total-mismatch: Los descuentos se llevan todo lo vendido (0.00) y el pedido cobró 0.01, que no pertenece a nada. Corrija el descuento en la tienda.',
  ],
  [
    () => heldOf(order({ lines: Array.from({ length: 9 }, () => line({ price: '0.10', tax: '0.00' })) })),
    'tax-contradiction: El impuesto cobrado no corresponde al 15 %: la tienda cobró 0.00 sobre 0.90 y serían 0.14, una diferencia de 0.14. Corrija los impuestos del pedido en la tienda.',
  ],
  [
    () => heldOf(order({ lines: sweets })),
    'tax-contradiction: El impuesto cobrado no corresponde al 15 %: la tienda cobró 0.80 sobre 4.00 y serían 0.60, una diferencia de 0.20. La tienda redondeó el impuesto en cada una de las 40 líneas. Emita esta factura a mano y marque en WooCommerce → Ajustes → Impuestos, en «Redondeo», que se redondee en el subtotal y no en cada línea (Round tax at subtotal level, instead of rounding per line).',
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

  it('for every code the mappers know', () => {
    const folder = fileURLToPath(new URL('../../mappers/', import.meta.url));
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const source = files.map((name) => readFileSync(folder + name, 'utf8')).join('\n');
    const codes = new Set([...source.matchAll(/new Hold\(\s*'([a-z-]+)'/g)].map((found) => found[1]));
    // Of notas de crédito test/planner/refunds tells.
    const reported = new Set([
      'invalid-body',
      'credit-rounding',
      ...sentences.map(([, sentence]) => sentence.split(':')[0]),
    ]);
    expect(codes.size).toBeGreaterThan(10);
    expect(reported).toEqual(codes);
  });
});
