import { fingerprintOf, type Line, type Order } from '../../../src/domain/order.ts';
import type { PlannedDocument, Relative } from '../../../src/planner/action.ts';
import { charge } from '../../mappers/mapping.ts';
import { line, order } from '../../support/orders.ts';
import {
  type Advice,
  type Advised,
  accepted,
  advised,
  byHand,
  copied,
  type Given,
  inPolicy,
  inShop,
  taxed,
} from './following.ts';

/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */

/** Orders whose factura is held, and what becomes of them when each advice of the sentence is followed. */

const plain = order();
const { buyer } = plain;
const large = [line({ price: '50.00' })];
const named = (ids: Order['buyer']['ids'], more: Partial<Order['buyer']> = {}): Order =>
  order({ lines: large, buyer: { ...buyer, ids, ...more } });
const id = (value: string, source = 'meta _billing_cedula', type: 'pasaporte' | null = null) => ({
  ...{ value, source },
  type: type as Order['buyer']['ids'][0]['type'],
});
const cedula = id('1710034065');
const askForId =
  'Pida la identificación al comprador, con el enlace que dan el panel y «facturapuente identification-link», y escríbala en el pedido o en el panel';
const withIds =
  (...ids: Order['buyer']['ids']) =>
  (given: Order) => ({ buyer: { ...given.buyer, ids } });

/** The shop rounds the net and the total, and not the tax. */
const withoutCents = ({ net, tax }: Pick<Line, 'net' | 'tax'>, total: string) => ({
  order: order({
    lines: [line({ net, subtotal: net, tax, taxes: [taxed('IVA', '15', tax)] })],
    ...{ total, payments: [] },
  }),
});
const decimalsShown = inShop(
  'Ponga en 2 el número de decimales de los precios en la tienda (WooCommerce → Ajustes → General) y guarde el pedido otra vez',
  () => ({ lines: plain.lines, total: plain.total }),
);

const buyers: Advised[] = [
  advised('buyer-id-missing', { order: named([]) }, inShop(askForId, withIds(cedula))),
  advised(
    'buyer-id-missing: a buyer who was removed',
    { order: named([], { forgotten: true }) },
    inShop(askForId, withIds(cedula)),
  ),
  advised(
    'buyer-id-wrong',
    { order: named([id('1710034066')]) },
    inShop('Pida al comprador el número correcto y corríjalo en el pedido', withIds(cedula)),
    inShop(
      'si es un pasaporte o del exterior, indique ese tipo',
      withIds(id('1710034066', 'panel', 'pasaporte')),
    ),
  ),
  advised(
    'buyer-id-wrong: zeros',
    { order: named([id('0000000000')]) },
    inShop('Pida al comprador su cédula, RUC o pasaporte y corríjalo en el pedido', withIds(cedula)),
  ),
  advised(
    'buyer-id-wrong',
    {
      order: named([id('1790016919001', 'meta ruc'), id('1791251237001', 'meta _billing_ruc')], {
        company: 'Acme S.A.',
      }),
    },
    inShop(
      'Confirme con el comprador a cuál se factura y deje solo ese en el pedido',
      withIds(id('1790016919001', 'meta ruc')),
    ),
  ),
  advised(
    'buyer-name-missing',
    { order: named([cedula], { name: null }) },
    inShop('Complete el nombre en la dirección de facturación', (given) => ({
      buyer: { ...given.buyer, name: 'Ana Vera' },
    })),
  ),
  advised(
    'buyer-company-missing',
    { order: named([id('1790016919001', 'meta ruc')]) },
    inShop('Escríbala en la empresa de la dirección de facturación o en el panel', (given) => ({
      buyer: { ...given.buyer, company: 'Acme S.A.' },
    })),
    inPolicy('policy.buyer.companyNameMissing: warn', { buyer: { companyNameMissing: 'warn' } }),
  ),
  advised('buyer-id-missing', { order: named([id('9999999999999')]) }, inShop(askForId, withIds(cedula))),
];

const selling = (...lines: Line[]) => ({ order: order({ lines }) });
const ruled = (rule: object, ...lines: Line[]) => ({
  ...selling(...lines),
  policy: { tax: { rules: [rule] } },
});
const noRules = (message: string, becomes = 'emit paid') =>
  inPolicy(message, { tax: { rules: [] } }, becomes);
/** The shop charges the tax it should; the line costs what it does then. */
const taxedAs = (message: string, fields: Parameters<typeof line>[0]) => {
  const { lines, total, totalTax, payments } = order({ lines: [line(fields)] });
  return inShop(message, () => ({ lines, total, totalTax, payments }));
};
const abroad = (country: string, fields: Parameters<typeof line>[0]) => ({
  order: order({ lines: [line(fields)], delivery: { by: 'shipping', country } }),
});

const taxes: Advised[] = [
  advised(
    'unmapped-tax: a line without tax',
    selling(line({ rate: null })),
    inPolicy('Indíquelo en policy.tax de la tienda', { tax: { untaxed: 0 } }),
  ),
  advised(
    'unmapped-tax: what may be a gift card',
    selling(line(), line({ id: '2', rate: null, name: 'Tarjeta de regalo', sku: 'TR' })),
    copied(
      'escriba en policy.tax.rules { when: { sku: "TR" }, then: { kind: gift-card } } y decide policy.giftCardsSold',
      'emit paid',
      { giftCardsSold: { as: 'exclude' } },
    ),
    inPolicy('Si no lo es, indíquelo en policy.tax de la tienda', { tax: { untaxed: 0 } }),
  ),
  advised(
    'unmapped-tax: what may be a tip',
    { order: order({ charges: [charge('fee', { rate: null, name: 'Servicio' })] }) },
    copied(
      'escriba en policy.tax.rules { when: { name: "Servicio" }, then: { kind: tip } } y decide policy.tips',
      'emit paid',
      { tips: { as: 'line' } },
    ),
    inPolicy('Si no lo es, indíquelo en policy.tax de la tienda', { tax: { untaxed: 0 } }),
  ),
  advised(
    'unmapped-tax: a tax without rate',
    selling(line({ taxes: [taxed('Tasa', null, '1.50')] })),
    inPolicy('Asígnele un código en policy.tax.rules', {
      tax: { rules: [{ when: { title: 'Tasa' }, then: { iva: 4 } }] },
    }),
  ),
  advised(
    'unmapped-tax: a rate Ecuador never had',
    selling(line({ rate: '13.5' })),
    taxedAs('Corríjalo en la tienda', {}),
    inPolicy('si es ICE o IRBPNR, indíquelo en policy.tax.rules', {
      tax: { untaxed: 0, rules: [{ when: { rate: 13.5 }, then: { ice: { codigo: 3101, tarifa: 13.5 } } }] },
    }),
  ),
  advised(
    'unmapped-tax: a rate that only a rule chooses',
    selling(line({ rate: '5' })),
    copied('escriba en policy.tax.rules: { when: { sku: "CAM-001", rate: 5 }, then: { iva: 5 } }'),
    taxedAs('corrija el impuesto en la tienda', {}),
  ),
  advised(
    'several-taxes',
    selling(line({ tax: '2.65', taxes: [taxed('IVA', '15', '1.65'), taxed('ICE', '10', '1.00')] })),
    inPolicy('Si uno es ICE o IRBPNR, indíquelo en policy.tax.rules', {
      tax: { rules: [{ when: { title: 'ICE' }, then: { ice: { codigo: 3101, tarifa: 10 } } }] },
    }),
    taxedAs('deje solo el IVA en la tienda', {}),
  ),
  advised(
    'tax-contradiction: a tax below zero',
    selling(line({ tax: '-0.01', taxes: [taxed('IVA', '15', '-0.01')] })),
    taxedAs('Corrija los impuestos de esa línea en la tienda', {}),
  ),
  advised(
    'tax-contradiction: a tax that is not its rate',
    selling(line({ tax: '1.20' })),
    taxedAs('Corrija el impuesto en la tienda', {}),
  ),
  advised(
    'tax-contradiction: a rule for a tax without rate',
    ruled(
      { when: { title: 'Tasa' }, then: { iva: 4 } },
      line({ tax: '0.50', taxes: [taxed('Tasa', null, '0.50')] }),
    ),
    taxedAs('Corrija el impuesto en la tienda', {}),
    inPolicy('su regla en policy.tax', { tax: { rules: [{ when: { title: 'Tasa' }, then: { iva: 5 } }] } }),
  ),
  advised(
    'tax-contradiction: a tip at a rate that the shop did not charge',
    {
      order: order({ charges: [charge('tip', { price: '2.00', rate: null })] }),
      policy: { tips: { as: 'line', iva: 4 } },
    },
    inShop('Corrija el impuesto en la tienda', () => {
      const { charges, total, payments } = order({ charges: [charge('tip', { price: '2.00' })] });
      return { charges, total, payments };
    }),
    inPolicy('la tarifa en policy.tips', { tips: { as: 'line', iva: 6 } }),
  ),
  advised(
    'tax-contradiction: a rule that says another rate',
    ruled({ name: 'libros', when: { sku: 'CAM-*' }, then: { iva: 0 } }, line()),
    noRules('Corrija la regla en policy.tax'),
    taxedAs('el impuesto en la tienda', { rate: '0' }),
  ),
  advised(
    'tax-contradiction: an ICE that is not its rate',
    ruled(
      { when: { title: 'ICE' }, then: { ice: { codigo: 3101, tarifa: 75 } } },
      line({ tax: '9.55', taxes: [taxed('ICE', '70', '7.00'), taxed('IVA', '15', '2.55')] }),
    ),
    taxedAs('Corrija el impuesto en la tienda', {
      tax: '10.13',
      taxes: [taxed('ICE', '75', '7.50'), taxed('IVA', '15', '2.63')],
    }),
    inPolicy('la regla en policy.tax', {
      tax: { rules: [{ when: { title: 'ICE' }, then: { ice: { codigo: 3101, tarifa: 70 } } }] },
    }),
  ),
  advised(
    'tax-contradiction: a price below its bottles',
    ruled({ when: { sku: 'AGUA' }, then: { irbpnr: true } }, line({ sku: 'AGUA', price: '0.01' })),
    taxedAs('Corrija el precio en la tienda', { sku: 'AGUA', price: '1.00' }),
    noRules('la regla en policy.tax'),
  ),
  advised(
    'tax-contradiction: bottles that pay another IRBPNR',
    ruled(
      { when: { title: 'IRBPNR' }, then: { irbpnr: true } },
      line({
        quantity: '12',
        tax: '18.10',
        taxes: [taxed('IRBPNR', null, '0.10'), taxed('IVA', '15', '18.00')],
      }),
    ),
    taxedAs('Corrija el impuesto en la tienda', {
      ...{ quantity: '12', tax: '18.24' },
      taxes: [taxed('IRBPNR', null, '0.24'), taxed('IVA', '15', '18.00')],
    }),
  ),
  advised(
    'tax-contradiction: two rates of one ICE',
    {
      ...selling(line({ sku: 'A' }), line({ id: '2', sku: 'B' })),
      policy: {
        tax: {
          rules: [
            { when: { sku: 'A' }, then: { ice: { codigo: 3630, tarifa: 300 } } },
            { when: { sku: 'B' }, then: { ice: { codigo: 3630, tarifa: 75 } } },
          ],
        },
      },
    },
    inPolicy('Corrija las reglas en policy.tax', {
      tax: { rules: [{ when: { sku: '*' }, then: { ice: { codigo: 3630, tarifa: 300 } } }] },
    }),
  ),
  advised(
    'tax-contradiction: an order whose taxes are wrong together',
    selling(...Array.from({ length: 9 }, (_, at) => line({ id: `${at}`, price: '0.10', tax: '0.00' }))),
    taxedAs('Corrija los impuestos del pedido en la tienda', {}),
  ),
  advised(
    'tax-contradiction: rounding by line',
    selling(...Array.from({ length: 40 }, (_, at) => line({ id: `${at}`, price: '0.10' }))),
    byHand('Emita esta factura a mano'),
    taxedAs('marque en WooCommerce → Ajustes → Impuestos, en «Redondeo», que se redondee en el subtotal', {
      ...{ price: '0.10', quantity: '40', tax: '0.60' },
    }),
  ),
  advised(
    'rate-not-in-force',
    selling(line({ rate: '12' })),
    taxedAs('Corrija el impuesto en la tienda', {}),
  ),
  advised(
    'rate-not-in-force: a rule that gives it',
    ruled({ name: 'antes', when: { rate: 12 }, then: { iva: 2 } }, line({ rate: '12' })),
    {
      message: 'Quite ese código de la configuración y corrija el impuesto en la tienda',
      follow: (given) => ({ ...given, ...selling(line()), policy: {} }),
      becomes: 'emit paid',
    },
    byHand('consulte a su contador y emita esta factura a mano'),
  ),
  advised(
    'rate-not-decreed',
    ruled({ name: 'turismo', when: { rate: 8 }, then: { iva: 8 } }, line({ rate: '8' })),
    taxedAs('Corrija el impuesto en la tienda', {}),
    byHand('emita a mano'),
    byHand('si hay un decreto nuevo, actualice facturapuente'),
  ),
  advised(
    'foreign-tax',
    selling(line({ taxes: [taxed('GST', '15', '1.50')] })),
    taxedAs('Corrija el impuesto en la tienda', {}),
    copied('escriba en policy.tax.rules: { when: { title: "GST" }, then: { iva: 4 } }'),
  ),
  advised(
    'sale-abroad',
    abroad('PE', { rate: null }),
    copied(
      'Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: { when: { abroad: true, untaxed: true }, then: { iva: 0 } }',
    ),
  ),
  advised(
    'sale-abroad: taxed at 0 %',
    abroad('PE', { rate: '0' }),
    copied(
      'Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: { when: { abroad: true, rate: 0 }, then: { iva: 0 } }',
    ),
  ),
  advised(
    'sale-abroad: with a tax that may be ours',
    abroad('ZA', { taxes: [taxed('VAT', '15', '1.50')] }),
    copied(
      'Consulte a su contador: si es IVA del Ecuador, escriba en policy.tax.rules: { when: { abroad: true, rate: 15 }, then: { iva: 4 } }',
    ),
    byHand('emita esta factura a mano'),
  ),
  advised(
    'sale-abroad: with a tax of there',
    abroad('JP', { taxes: [taxed('', null, '1.50')] }),
    byHand('Consulte a su contador y emita esta factura a mano'),
  ),
  advised(
    'held-by-rule',
    ruled({ name: 'licores', when: {}, then: { hold: 'Los licores se facturan en Quito.' } }, line()),
  ),
  advised(
    'ice',
    {
      ...selling(
        ...['15', '5', '0'].map((rate, at) => line({ id: `${at}`, sku: 'ARMA', price: '40.01', rate })),
      ),
      policy: {
        tax: {
          rules: [
            { when: { rate: 5 }, then: { iva: 5 } },
            { when: { sku: 'ARMA' }, then: { ice: { codigo: 3630, tarifa: 300 } } },
          ],
        },
      },
    },
    byHand('Emita este pedido a mano en varias facturas'),
  ),
  advised(
    'ice',
    ruled({ when: { sku: 'F' }, then: { ice: { codigo: 3680, porUnidad: '0.10' } } }, line({ sku: 'F' })),
    byHand('Emita esta factura a mano'),
    noRules('si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules'),
  ),
  advised(
    'ice',
    ruled(
      { name: 'focos', when: { sku: 'F' }, then: { ice: { codigo: 3640, tarifa: 100 } } },
      line({ sku: 'F' }),
    ),
    byHand('Búsquelo en la tabla 18 de la ficha técnica del SRI'),
    {
      message:
        'si existe y es un porcentaje, escriba su nombre en la regla: ice: { codigo: 3640, tarifa: 100, nombre: "…" }',
      follow: (given) => ({
        ...given,
        policy: {
          tax: {
            rules: [{ when: { sku: 'F' }, then: { ice: { codigo: 3640, tarifa: 100, nombre: 'Focos' } } }],
          },
        },
      }),
      becomes: 'emit paid',
    },
  ),
  advised(
    'irbpnr-quantity',
    ruled({ when: { sku: 'AGUA' }, then: { irbpnr: true } }, line({ sku: 'AGUA', quantity: '1.5' })),
    taxedAs('Corrija la cantidad en la tienda', { sku: 'AGUA', quantity: '2' }),
  ),
];

const card = (fields: Parameters<typeof line>[0] = {}) =>
  line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta', sku: 'TR', ...fields });
const cardAsLine = { giftCardsSold: { as: 'line', iva: 6 } };

const items: Advised[] = [
  advised(
    'tip',
    { order: order({ charges: [charge('tip', { price: '2.00', rate: null })] }) },
    byHand('Emita esta factura a mano'),
    inPolicy('decida en policy.tips que vaya como una línea', { tips: { as: 'line' } }),
  ),
  advised(
    'tip: with tax, by a rule of the merchant',
    {
      order: order({ charges: [charge('fee', { price: '2.00', name: 'Propina' })] }),
      policy: { tax: { rules: [{ when: { name: 'Prop*' }, then: { kind: 'tip' } }] } },
    },
    byHand('Emita esta factura a mano'),
    inPolicy('decida en policy.tips que vaya como una línea', { tips: { as: 'line' } }),
    noRules('corrija su regla de policy.tax.rules que dice que lo es'),
  ),
  advised(
    'unmapped-tax: a product by a rule of the merchant, named as a card',
    ruled(
      { when: { sku: 'X*' }, then: { kind: 'product' } },
      line({ rate: null, sku: 'X1', name: 'Gift card 10' }),
    ),
    inPolicy('Indíquelo en policy.tax de la tienda', {
      tax: { rules: [{ when: { sku: 'X1' }, then: { iva: 0 } }] },
    }),
  ),
  advised(
    'duties',
    { order: order({ charges: [charge('duty', { price: '2.00', rate: null })] }) },
    byHand('Emita esta factura a mano'),
    inPolicy('decida en policy.duties que vayan como una línea', { duties: { as: 'line' } }),
  ),
  advised(
    'gift-card-sold',
    selling(line(), card()),
    byHand('Facture el resto a mano'),
    inPolicy('decida en policy.giftCardsSold que la factura la deje fuera', {
      giftCardsSold: { as: 'exclude' },
    }),
  ),
  advised(
    'gift-card-sold: with a discount on everything',
    {
      order: order({
        lines: [line({ rate: '0' }), card()],
        charges: [charge('fee', { price: '-3.50', rate: null, name: 'Descuento por transferencia' })],
      }),
    },
    byHand('Facture el resto a mano'),
    inPolicy('decida en policy.giftCardsSold que la factura la deje fuera', {
      giftCardsSold: { as: 'exclude' },
    }),
  ),
  advised(
    'gift-card-sold: that is spent as a discount',
    selling(line(), card({ spentAs: 'discount' })),
    inPolicy(
      'decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea y con qué IVA',
      cardAsLine,
    ),
  ),
  advised(
    'gift-card-sold: that is spent nobody knows how',
    selling(line(), card({ spentAs: 'unknown' })),
    copied('escriba en policy.tax.rules: { when: { sku: "TR" }, then: { kind: gift-card } }', 'emit paid', {
      giftCardsSold: { as: 'exclude' },
    }),
    inPolicy(
      'decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea y con qué IVA',
      cardAsLine,
    ),
  ),
  advised(
    'gift-card-sold: with tax',
    selling(line(), card({ rate: '15' })),
    inPolicy('decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea', {
      giftCardsSold: { as: 'line', iva: 4 },
    }),
    inShop(
      'Quite ese impuesto del producto y devuélvalo al comprador con un reembolso de esa línea',
      ({ refunds }) => ({
        refunds: [
          ...refunds,
          {
            ...{ id: '50', amount: '3.75', at: '2026-11-20T12:00:00Z', pending: '0.00', discrepancy: '0.00' },
            reason: null,
            parts: [{ of: 'line:3', name: 'Tarjeta', quantity: '0', net: '0.00', tax: '3.75' }],
          },
        ],
      }),
      'hold gift-card-sold',
    ),
  ),
  advised(
    'gift-card-sold: with tax, on Shopify',
    { order: order({ platform: 'shopify', lines: [line(), card({ rate: '15' })] }) },
    byHand('Quite ese impuesto del producto para las próximas'),
    byHand('emita a mano la factura de lo demás'),
    inPolicy('decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea', {
      giftCardsSold: { as: 'line', iva: 4 },
    }),
  ),
  advised(
    'negative-amount',
    selling(line(), line({ id: '2', price: '-5.00', name: 'Canje' })),
    inShop('Regístrelo como descuento en la tienda', () => {
      const { lines, total, totalTax, payments } = order({ lines: [line({ net: '5.00' })] });
      return { lines, total, totalTax, payments };
    }),
  ),
  advised(
    'no-lines',
    { order: order({ lines: [], total: '11.50' }) },
    inShop('Agregue en la tienda lo vendido', () => ({ lines: [line()] })),
    byHand('emita a mano'),
  ),
  advised(
    'total-mismatch: of a shop that shows no cents in its prices',
    withoutCents({ net: '9', tax: '1.304348' }, '10'),
    decimalsShown,
  ),
  advised(
    'total-mismatch: of a shop that shows no cents',
    withoutCents({ net: '10', tax: '1.500000' }, '12'),
    decimalsShown,
  ),
  advised(
    'negative-amount: more than what is sold',
    { order: order({ charges: [charge('fee', { price: '-15.00', name: 'Rebaja' })] }) },
    inShop('Corrija el descuento en la tienda', () => {
      const { charges, total, payments } = order({
        charges: [charge('fee', { price: '-5.00', name: 'Rebaja' })],
      });
      return { charges, total, payments };
    }),
  ),
  advised(
    'negative-amount: a payment by its name',
    { order: order({ charges: [charge('fee', { price: '-3.00', rate: null, name: 'Monedero' })] }) },
    byHand('Emita esta factura a mano con esa forma de pago'),
    inShop('si es un descuento, regístrelo como cupón en la tienda', () => {
      const { lines, total, payments } = order({ lines: [line({ net: '7.39' })] });
      return { lines, charges: [], total, payments };
    }),
  ),
  advised(
    'negative-amount: without its tax',
    {
      order: order({
        charges: [
          charge('fee', { price: '-3.00', tax: '0.00', name: 'Rebaja', taxes: [taxed('IVA', '15', '0.00')] }),
        ],
      }),
    },
    inShop('Si es un descuento, regístrelo como cupón en la tienda', () => {
      const { lines, total, payments } = order({ lines: [line({ net: '7.00' })] });
      return { lines, charges: [], total, payments };
    }),
    byHand('emita esta factura a mano'),
  ),
  advised(
    'total-mismatch: less than its lines',
    { order: order({ total: '9.50' }) },
    byHand('emita esta factura a mano'),
    inShop('corrija el total en la tienda', () => ({ total: '11.50' })),
  ),
  advised(
    'total-mismatch: more than its lines',
    { order: order({ total: '13.80' }) },
    inShop('Agregue al pedido lo que se cobró', () => ({
      charges: [charge('fee', { price: '2.00', name: 'Empaque' })],
    })),
    byHand('emita esta factura a mano'),
  ),
  advised(
    'total-mismatch: a line that is there twice',
    { order: order({ lines: [line(), line()], total: '11.50' }) },
    inShop('Corrija el pedido en la tienda, o el programa que lo escribió', () => ({ lines: [line()] })),
    byHand('emita esta factura a mano'),
  ),
  advised(
    'total-mismatch: nothing left to charge',
    { order: order({ lines: [line({ net: '0.00' })], total: '0.01' }) },
    inShop('Corrija el descuento en la tienda', () => {
      const { lines, total, payments } = order({ lines: [line({ net: '9.00' })] });
      return { lines, total, payments };
    }),
  ),
];

const accessKey = '1'.repeat(49);
/** A factura of the order that left nothing but what a person confirmed. */
const confirmed = (what: object): PlannedDocument => ({
  ...{ kind: 'factura', state: 'held', sourceId: plain.id, accessKey: null, secuencial: null, sent: null },
  ...{ code: 'unknown-access-key', reason: '', charged: plain.total },
  fingerprint: { ...fingerprintOf(plain), ...what },
});
const owner = { accessKey, orderName: '#28', paidAt: plain.paidAt };
const reused = { key: 'a', placedAt: '2026-11-20T03:04:05.000Z', name: '#29' };
const back = (amount: string) => ({
  ...{
    id: '48',
    amount,
    at: '2026-11-20T12:00:00Z',
    pending: '0.00',
    discrepancy: '0.00',
    reason: null,
    parts: [],
  },
});
const gone = order({ settlement: 'cancelled' });

const sales: Advised[] = [
  advised(
    'currency',
    { order: order({ currency: 'EUR' }) },
    inShop('Venda en USD en la tienda', () => ({ currency: 'USD' })),
    byHand('emita esta factura a mano por su valor en dólares'),
  ),
  advised(
    'unknown-access-key: that is no key',
    { order: order({ notAKey: 'pendiente' }) },
    inShop(
      'escriba allí su clave',
      () => ({ notAKey: undefined, accessKeys: [accessKey] }),
      'hold unknown-access-key',
    ),
    inShop('quite ese texto y se factura', () => ({ notAKey: undefined })),
  ),
  ...[null, owner].map(
    (known): Advised =>
      advised(
        'unknown-access-key: undefined',
        { order: order({ accessKeys: [accessKey] }), keyOwners: known ? [known] : [] },
        ...(known ? [] : [byHand('Búsquela en el portal del SRI')]),
        accepted('acéptelo con «facturapuente accept» y el id de este documento', {
          documents: [confirmed({ foreignKeys: [accessKey] })],
        }),
      ),
  ),
  advised(
    'order-id-reused',
    { order: plain, reused },
    accepted('Si es otra venta, acéptelo con «facturapuente accept» y el id de este documento', {
      reused: null,
    }),
    byHand('factúrela a mano'),
  ),
  advised(
    'changed-after-payment',
    { order: plain, paid: { total: '30.84', currency: 'USD', at: null } },
    accepted('acéptelo con «facturapuente accept» y el id de este documento', {
      paid: { total: '11.50', currency: 'USD', at: null },
    }),
    inShop('devuelva el pedido a lo que se cobró', () => {
      const { lines, total, payments } = order({
        lines: [line({ net: '26.82', subtotal: '26.82', tax: '4.02', taxes: [taxed('IVA', '15', '4.02')] })],
      });
      return { lines, total, payments };
    }),
    inPolicy('policy.changedAfterPayment: current', { changedAfterPayment: 'current' }),
  ),
  advised(
    'cancelled-kept',
    { order: gone },
    inShop(
      'Devuelva ese dinero en la tienda',
      () => ({ refunds: [back('11.50')] }),
      'nothing fully-refunded',
    ),
    inPolicy('decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice)', {
      cancelledOrders: 'invoice',
    }),
    inPolicy('o no lleva documento (nothing)', { cancelledOrders: 'nothing' }, 'nothing cancelled'),
  ),
  advised(
    'refund-missing',
    { order: order({ settlement: 'refunded', status: 'refunded', refunds: [back('5.00')] }) },
    inShop(
      'Registre en la tienda el reembolso que falta',
      () => ({ refunds: [back('5.00'), { ...back('6.50'), id: '49' }] }),
      'nothing fully-refunded',
    ),
    inShop(
      'devuelva al pedido su estado de pagado para facturar lo que queda',
      () => ({ settlement: 'paid', status: 'completed' }),
      'emit paid',
    ),
  ),
  advised(
    'refund-pending',
    { order: order({ refunds: [{ ...back('5.00'), pending: '1.25' }] }) },
    inShop(
      'Si la devolución no va a completarse, corríjala en la tienda',
      () => ({ refunds: [back('5.00')] }),
      'emit paid',
    ),
  ),
  advised(
    'refund-wallet',
    {
      order: order({
        ...{ settlement: 'refunded', status: 'refunded', refunds: [back('5.00')] },
        payments: [{ gateway: 'wallet', title: 'Monedero', amount: '6.50', apart: true }],
      }),
    },
    byHand('emita a mano el documento por lo que quedó'),
  ),
];

/** Another order that sells the same, above this one or below it. */
const relative = (as: 'parent' | 'child', more: Partial<Relative> = {}): Relative => {
  const { lines, total, paidAt, refunds } = plain;
  const there = {
    lines,
    total,
    paidAt,
    refunds,
    settlement: 'paid',
    isInvoiced: false,
    billed: null,
  } as const;
  return { id: '7', name: '#7', ...there, ...(as === 'child' && { parentId: plain.id }), ...more };
};
const beside = (as: 'parent' | 'child', subOrders: string, more: Partial<Relative> = {}): Given => ({
  order: as === 'parent' ? order({ parentId: '7' }) : order({ hasSubOrders: true }),
  relatives: [relative(as, { ...(as === 'parent' && { hasSubOrders: true }), ...more })],
  policy: { subOrders },
});
const inSubOrders = (message: string, subOrders: string, becomes = 'emit paid') =>
  inPolicy(message, { subOrders }, becomes);
const paidApart = accepted(
  'Solo si su total no es parte del de aquellos ni lo incluye, acéptelo con «facturapuente accept» y el id de este documento',
  { documents: [confirmed({ apartFrom: ['7'] })] },
);
const choose = (asParent: string, asChildren: string): readonly Advice[] => [
  inSubOrders('decida en policy.subOrders si se factura el pedido original (parent)', 'parent', asParent),
  inSubOrders('o los que salieron de él (children)', 'children', asChildren),
  paidApart,
];

const splits: Advised[] = [
  advised(
    'sub-orders: beside its parent',
    beside('parent', 'hold'),
    ...choose('nothing invoiced-with-other', 'emit paid'),
  ),
  advised(
    'sub-orders: beside its sub-order',
    beside('child', 'hold'),
    ...choose('emit paid', 'nothing invoiced-with-other'),
  ),
  advised(
    'sub-orders: beside its parent that has a factura',
    beside('parent', 'hold', { isInvoiced: true }),
    inSubOrders('ponga policy.subOrders en parent', 'parent', 'nothing invoiced-with-other'),
    paidApart,
  ),
  advised(
    'sub-orders: beside its sub-order that has a factura',
    beside('child', 'parent', { isInvoiced: true }),
    inSubOrders('ponga policy.subOrders en children', 'children', 'nothing invoiced-with-other'),
    paidApart,
  ),
  advised(
    'sub-orders: beside sub-orders of which one has a factura',
    {
      order: order({ hasSubOrders: true }),
      relatives: [
        relative('child', { total: '5.75', isInvoiced: true }),
        relative('child', { id: '8', name: '#8', total: '5.75', settlement: 'unpaid', paidAt: null }),
      ],
      policy: { subOrders: 'parent' },
    },
    inSubOrders('ponga policy.subOrders en children', 'children', 'hold sub-orders'),
    { ...paidApart, follow: (given) => ({ ...given, documents: [confirmed({ apartFrom: ['7', '8'] })] }) },
  ),
  advised(
    'sub-orders: that may be what its parent has no more',
    { ...beside('parent', 'parent'), relatives: [relative('parent')] },
    paidApart,
  ),
  advised(
    'sub-orders: beside its parent that is not paid',
    beside('parent', 'parent', { settlement: 'unpaid', paidAt: null }),
    paidApart,
  ),
  advised(
    'sub-orders: that sells more than its parent',
    beside('parent', 'parent', { lines: [line({ price: '5.00' })], total: '5.75' }),
    byHand('Facture a mano lo que falte'),
    inSubOrders('ponga policy.subOrders en children', 'children'),
    paidApart,
  ),
  advised(
    'sub-orders: that was paid at another time than its parent',
    { ...beside('parent', 'parent'), relatives: [relative('parent', { paidAt: '2026-11-18T10:00:00Z' })] },
    paidApart,
  ),
  advised(
    'sub-orders: whose sub-orders sum up to another total',
    beside('child', 'children', { lines: [line({ price: '5.00' })], total: '5.75' }),
    inSubOrders('ponga policy.subOrders en parent', 'parent'),
    paidApart,
  ),
  ...(['hold', 'parent', 'children'] as const).flatMap((subOrders): Advised[] => [
    advised(
      'sub-orders: undefined',
      beside('child', subOrders, { total: '5.75', isInvoiced: true }),
      byHand('emita a mano una factura por los 5.75 que faltan'),
      paidApart,
    ),
    advised(
      'sub-orders: undefined',
      beside('child', subOrders, { total: '15.75', isInvoiced: true }),
      byHand('emita a mano una nota de crédito por los 4.25'),
      paidApart,
    ),
  ]),
  advised(
    'sub-orders: whose sub-orders are not paid',
    beside('child', 'children', { settlement: 'unpaid', paidAt: null }),
    {
      message: 'páselos en la tienda a un estado de pagado',
      follow: (given) => ({ ...given, relatives: [relative('child')] }),
      becomes: 'nothing invoiced-with-other',
    },
    inSubOrders('ponga policy.subOrders en parent', 'parent'),
    paidApart,
  ),
  advised(
    'sub-orders: whose sub-orders nobody knows',
    { order: order({ hasSubOrders: true }), policy: { subOrders: 'children' } },
    inSubOrders('ponga policy.subOrders en parent', 'parent'),
    paidApart,
  ),
  advised(
    'cancelled-kept: of which a sub-order is still sold',
    {
      order: order({ settlement: 'cancelled', status: 'cancelled', hasSubOrders: true }),
      relatives: [relative('child', { total: '5.75' })],
    },
    inShop(
      'Devuelva ese dinero en la tienda',
      () => ({ refunds: [back('5.75')] }),
      'nothing invoiced-with-other',
    ),
    byHand('emita a mano el documento por lo que se queda'),
  ),
  advised(
    'refund-of-split-order',
    {
      ...beside('parent', 'parent'),
      order: order({ parentId: '7', settlement: 'partially-refunded', refunds: [back('5.00')] }),
    },
    byHand('registre allí el reembolso, sin devolver otra vez el dinero'),
  ),
];

export const facturas: Record<string, readonly Advised[]> = {
  'the buyer of a held order': buyers,
  'the taxes of a held order': taxes,
  'what a held order sells': items,
  'a held sale': sales,
  'an order that was split': splits,
};
/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */
