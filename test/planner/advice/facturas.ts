import { fingerprintOf, type Line, type Order } from '../../../src/domain/order.ts';
import type { PlannedDocument, Relative } from '../../../src/planner/action.ts';
import { charge } from '../../mappers/mapping.ts';
import { line, order } from '../../support/orders.ts';
import {
  type Advice,
  type Advised,
  accepted,
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
  {
    code: 'buyer-id-missing',
    given: { order: named([]) },
    advice: [inShop(askForId, withIds(cedula))],
  },
  {
    code: 'buyer-id-missing',
    of: 'a buyer who was removed',
    given: { order: named([], { forgotten: true }) },
    advice: [inShop(askForId, withIds(cedula))],
  },
  {
    code: 'buyer-id-wrong',
    given: { order: named([id('1710034066')]) },
    advice: [
      inShop('Pida al comprador el número correcto y corríjalo en el pedido', withIds(cedula)),
      inShop(
        'si es un pasaporte o del exterior, indique ese tipo',
        withIds(id('1710034066', 'panel', 'pasaporte')),
      ),
    ],
  },
  {
    code: 'buyer-id-wrong',
    of: 'zeros',
    given: { order: named([id('0000000000')]) },
    advice: [
      inShop('Pida al comprador su cédula, RUC o pasaporte y corríjalo en el pedido', withIds(cedula)),
    ],
  },
  {
    code: 'buyer-id-wrong',
    given: {
      order: named([id('1790016919001', 'meta ruc'), id('1791251237001', 'meta _billing_ruc')], {
        company: 'Acme S.A.',
      }),
    },
    advice: [
      inShop(
        'Confirme con el comprador a cuál se factura y deje solo ese en el pedido',
        withIds(id('1790016919001', 'meta ruc')),
      ),
    ],
  },
  {
    code: 'buyer-name-missing',
    given: { order: named([cedula], { name: null }) },
    advice: [
      inShop('Complete el nombre en la dirección de facturación', (given) => ({
        buyer: { ...given.buyer, name: 'Ana Vera' },
      })),
    ],
  },
  {
    code: 'buyer-company-missing',
    given: { order: named([id('1790016919001', 'meta ruc')]) },
    advice: [
      inShop('Escríbala en la empresa de la dirección de facturación o en el panel', (given) => ({
        buyer: { ...given.buyer, company: 'Acme S.A.' },
      })),
      inPolicy('policy.buyer.companyNameMissing: warn', { buyer: { companyNameMissing: 'warn' } }),
    ],
  },
  {
    code: 'buyer-id-missing',
    given: { order: named([id('9999999999999')]) },
    advice: [inShop(askForId, withIds(cedula))],
  },
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
  {
    code: 'unmapped-tax',
    of: 'a line without tax',
    given: selling(line({ rate: null })),
    advice: [inPolicy('Indíquelo en policy.tax de la tienda', { tax: { untaxed: 0 } })],
  },
  {
    code: 'unmapped-tax',
    of: 'what may be a gift card',
    given: selling(line(), line({ id: '2', rate: null, name: 'Tarjeta de regalo', sku: 'TR' })),
    advice: [
      copied(
        'escriba en policy.tax.rules { when: { sku: "TR" }, then: { kind: gift-card } } y decide policy.giftCardsSold',
        'emit paid',
        { giftCardsSold: { as: 'exclude' } },
      ),
      inPolicy('Si no lo es, indíquelo en policy.tax de la tienda', { tax: { untaxed: 0 } }),
    ],
  },
  {
    code: 'unmapped-tax',
    of: 'what may be a tip',
    given: { order: order({ charges: [charge('fee', { rate: null, name: 'Servicio' })] }) },
    advice: [
      copied(
        'escriba en policy.tax.rules { when: { name: "Servicio" }, then: { kind: tip } } y decide policy.tips',
        'emit paid',
        {
          tips: { as: 'line' },
        },
      ),
      inPolicy('Si no lo es, indíquelo en policy.tax de la tienda', { tax: { untaxed: 0 } }),
    ],
  },
  {
    code: 'unmapped-tax',
    of: 'a tax without rate',
    given: selling(line({ taxes: [taxed('Tasa', null, '1.50')] })),
    advice: [
      inPolicy('Asígnele un código en policy.tax.rules', {
        tax: { rules: [{ when: { title: 'Tasa' }, then: { iva: 4 } }] },
      }),
    ],
  },
  {
    code: 'unmapped-tax',
    of: 'a rate Ecuador never had',
    given: selling(line({ rate: '13.5' })),
    advice: [
      taxedAs('Corríjalo en la tienda', {}),
      inPolicy('si es ICE o IRBPNR, indíquelo en policy.tax.rules', {
        tax: { untaxed: 0, rules: [{ when: { rate: 13.5 }, then: { ice: { codigo: 3101, tarifa: 13.5 } } }] },
      }),
    ],
  },
  {
    code: 'unmapped-tax',
    of: 'a rate that only a rule chooses',
    given: selling(line({ rate: '5' })),
    advice: [
      copied('escriba en policy.tax.rules: { when: { sku: "CAM-001", rate: 5 }, then: { iva: 5 } }'),
      taxedAs('corrija el impuesto en la tienda', {}),
    ],
  },
  {
    code: 'several-taxes',
    given: selling(line({ tax: '2.65', taxes: [taxed('IVA', '15', '1.65'), taxed('ICE', '10', '1.00')] })),
    advice: [
      inPolicy('Si uno es ICE o IRBPNR, indíquelo en policy.tax.rules', {
        tax: { rules: [{ when: { title: 'ICE' }, then: { ice: { codigo: 3101, tarifa: 10 } } }] },
      }),
      taxedAs('deje solo el IVA en la tienda', {}),
    ],
  },
  {
    code: 'tax-contradiction',
    of: 'a tax below zero',
    given: selling(line({ tax: '-0.01', taxes: [taxed('IVA', '15', '-0.01')] })),
    advice: [taxedAs('Corrija los impuestos de esa línea en la tienda', {})],
  },
  {
    code: 'tax-contradiction',
    of: 'a tax that is not its rate',
    given: selling(line({ tax: '1.20' })),
    advice: [taxedAs('Corrija el impuesto en la tienda', {})],
  },
  {
    code: 'tax-contradiction',
    of: 'a rule for a tax without rate',
    given: ruled(
      { when: { title: 'Tasa' }, then: { iva: 4 } },
      line({ tax: '0.50', taxes: [taxed('Tasa', null, '0.50')] }),
    ),
    advice: [
      taxedAs('Corrija el impuesto en la tienda', {}),
      inPolicy('su regla en policy.tax', { tax: { rules: [{ when: { title: 'Tasa' }, then: { iva: 5 } }] } }),
    ],
  },
  {
    code: 'tax-contradiction',
    of: 'a tip at a rate that the shop did not charge',
    given: {
      order: order({ charges: [charge('tip', { price: '2.00', rate: null })] }),
      policy: { tips: { as: 'line', iva: 4 } },
    },
    advice: [
      inShop('Corrija el impuesto en la tienda', () => {
        const { charges, total, payments } = order({ charges: [charge('tip', { price: '2.00' })] });
        return { charges, total, payments };
      }),
      inPolicy('la tarifa en policy.tips', { tips: { as: 'line', iva: 6 } }),
    ],
  },
  {
    code: 'tax-contradiction',
    of: 'a rule that says another rate',
    given: ruled({ name: 'libros', when: { sku: 'CAM-*' }, then: { iva: 0 } }, line()),
    advice: [noRules('Corrija la regla en policy.tax'), taxedAs('el impuesto en la tienda', { rate: '0' })],
  },
  {
    code: 'tax-contradiction',
    of: 'an ICE that is not its rate',
    given: ruled(
      { when: { title: 'ICE' }, then: { ice: { codigo: 3101, tarifa: 75 } } },
      line({ tax: '9.55', taxes: [taxed('ICE', '70', '7.00'), taxed('IVA', '15', '2.55')] }),
    ),
    advice: [
      taxedAs('Corrija el impuesto en la tienda', {
        tax: '10.13',
        taxes: [taxed('ICE', '75', '7.50'), taxed('IVA', '15', '2.63')],
      }),
      inPolicy('la regla en policy.tax', {
        tax: { rules: [{ when: { title: 'ICE' }, then: { ice: { codigo: 3101, tarifa: 70 } } }] },
      }),
    ],
  },
  {
    code: 'tax-contradiction',
    of: 'a price below its bottles',
    given: ruled({ when: { sku: 'AGUA' }, then: { irbpnr: true } }, line({ sku: 'AGUA', price: '0.01' })),
    advice: [
      taxedAs('Corrija el precio en la tienda', { sku: 'AGUA', price: '1.00' }),
      noRules('la regla en policy.tax'),
    ],
  },
  {
    code: 'tax-contradiction',
    of: 'bottles that pay another IRBPNR',
    given: ruled(
      { when: { title: 'IRBPNR' }, then: { irbpnr: true } },
      line({
        quantity: '12',
        tax: '18.10',
        taxes: [taxed('IRBPNR', null, '0.10'), taxed('IVA', '15', '18.00')],
      }),
    ),
    advice: [
      taxedAs('Corrija el impuesto en la tienda', {
        ...{ quantity: '12', tax: '18.24' },
        taxes: [taxed('IRBPNR', null, '0.24'), taxed('IVA', '15', '18.00')],
      }),
    ],
  },
  {
    code: 'tax-contradiction',
    of: 'two rates of one ICE',
    given: {
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
    advice: [
      inPolicy('Corrija las reglas en policy.tax', {
        tax: { rules: [{ when: { sku: '*' }, then: { ice: { codigo: 3630, tarifa: 300 } } }] },
      }),
    ],
  },
  {
    code: 'tax-contradiction',
    of: 'an order whose taxes are wrong together',
    given: selling(
      ...Array.from({ length: 9 }, (_, at) => line({ id: `${at}`, price: '0.10', tax: '0.00' })),
    ),
    advice: [taxedAs('Corrija los impuestos del pedido en la tienda', {})],
  },
  {
    code: 'tax-contradiction',
    of: 'rounding by line',
    given: selling(...Array.from({ length: 40 }, (_, at) => line({ id: `${at}`, price: '0.10' }))),
    advice: [
      byHand('Emita esta factura a mano'),
      taxedAs('marque en WooCommerce → Ajustes → Impuestos, en «Redondeo», que se redondee en el subtotal', {
        ...{ price: '0.10', quantity: '40', tax: '0.60' },
      }),
    ],
  },
  {
    code: 'rate-not-in-force',
    given: selling(line({ rate: '12' })),
    advice: [taxedAs('Corrija el impuesto en la tienda', {})],
  },
  {
    code: 'rate-not-in-force',
    of: 'a rule that gives it',
    given: ruled({ name: 'antes', when: { rate: 12 }, then: { iva: 2 } }, line({ rate: '12' })),
    advice: [
      {
        message: 'Quite ese código de la configuración y corrija el impuesto en la tienda',
        follow: (given) => ({ ...given, ...selling(line()), policy: {} }),
        becomes: 'emit paid',
      },
      byHand('consulte a su contador y emita esta factura a mano'),
    ],
  },
  {
    code: 'rate-not-decreed',
    given: ruled({ name: 'turismo', when: { rate: 8 }, then: { iva: 8 } }, line({ rate: '8' })),
    advice: [
      taxedAs('Corrija el impuesto en la tienda', {}),
      byHand('emita a mano'),
      byHand('si hay un decreto nuevo, actualice facturapuente'),
    ],
  },
  {
    code: 'foreign-tax',
    given: selling(line({ taxes: [taxed('GST', '15', '1.50')] })),
    advice: [
      taxedAs('Corrija el impuesto en la tienda', {}),
      copied('escriba en policy.tax.rules: { when: { title: "GST" }, then: { iva: 4 } }'),
    ],
  },
  {
    code: 'sale-abroad',
    given: abroad('PE', { rate: null }),
    advice: [
      copied(
        'Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: { when: { abroad: true, untaxed: true }, then: { iva: 0 } }',
      ),
    ],
  },
  {
    code: 'sale-abroad',
    of: 'taxed at 0 %',
    given: abroad('PE', { rate: '0' }),
    advice: [
      copied(
        'Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: { when: { abroad: true, rate: 0 }, then: { iva: 0 } }',
      ),
    ],
  },
  {
    code: 'sale-abroad',
    of: 'with a tax that may be ours',
    given: abroad('ZA', { taxes: [taxed('VAT', '15', '1.50')] }),
    advice: [
      copied(
        'Consulte a su contador: si es IVA del Ecuador, escriba en policy.tax.rules: { when: { abroad: true, rate: 15 }, then: { iva: 4 } }',
      ),
      byHand('emita esta factura a mano'),
    ],
  },
  {
    code: 'sale-abroad',
    of: 'with a tax of there',
    given: abroad('JP', { taxes: [taxed('', null, '1.50')] }),
    advice: [byHand('Consulte a su contador y emita esta factura a mano')],
  },
  {
    code: 'held-by-rule',
    given: ruled({ name: 'licores', when: {}, then: { hold: 'Los licores se facturan en Quito.' } }, line()),
    advice: [],
  },
  {
    code: 'ice',
    given: {
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
    advice: [byHand('Emita este pedido a mano en varias facturas')],
  },
  {
    code: 'ice',
    given: ruled(
      { when: { sku: 'F' }, then: { ice: { codigo: 3680, porUnidad: '0.10' } } },
      line({ sku: 'F' }),
    ),
    advice: [
      byHand('Emita esta factura a mano'),
      noRules('si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules'),
    ],
  },
  {
    code: 'ice',
    given: ruled(
      { name: 'focos', when: { sku: 'F' }, then: { ice: { codigo: 3640, tarifa: 100 } } },
      line({ sku: 'F' }),
    ),
    advice: [
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
    ],
  },
  {
    code: 'irbpnr-quantity',
    given: ruled({ when: { sku: 'AGUA' }, then: { irbpnr: true } }, line({ sku: 'AGUA', quantity: '1.5' })),
    advice: [taxedAs('Corrija la cantidad en la tienda', { sku: 'AGUA', quantity: '2' })],
  },
];

const card = (fields: Parameters<typeof line>[0] = {}) =>
  line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta', sku: 'TR', ...fields });
const cardAsLine = { giftCardsSold: { as: 'line', iva: 6 } };

const items: Advised[] = [
  {
    code: 'tip',
    given: { order: order({ charges: [charge('tip', { price: '2.00', rate: null })] }) },
    advice: [
      byHand('Emita esta factura a mano'),
      inPolicy('decida en policy.tips que vaya como una línea', { tips: { as: 'line' } }),
    ],
  },
  {
    code: 'tip',
    of: 'with tax, by a rule of the merchant',
    given: {
      order: order({ charges: [charge('fee', { price: '2.00', name: 'Propina' })] }),
      policy: { tax: { rules: [{ when: { name: 'Prop*' }, then: { kind: 'tip' } }] } },
    },
    advice: [
      byHand('Emita esta factura a mano'),
      inPolicy('decida en policy.tips que vaya como una línea', { tips: { as: 'line' } }),
      noRules('corrija su regla de policy.tax.rules que dice que lo es'),
    ],
  },
  {
    code: 'unmapped-tax',
    of: 'a product by a rule of the merchant, named as a card',
    given: ruled(
      { when: { sku: 'X*' }, then: { kind: 'product' } },
      line({ rate: null, sku: 'X1', name: 'Gift card 10' }),
    ),
    advice: [
      inPolicy('Indíquelo en policy.tax de la tienda', {
        tax: { rules: [{ when: { sku: 'X1' }, then: { iva: 0 } }] },
      }),
    ],
  },
  {
    code: 'duties',
    given: { order: order({ charges: [charge('duty', { price: '2.00', rate: null })] }) },
    advice: [
      byHand('Emita esta factura a mano'),
      inPolicy('decida en policy.duties que vayan como una línea', { duties: { as: 'line' } }),
    ],
  },
  {
    code: 'gift-card-sold',
    given: selling(line(), card()),
    advice: [
      byHand('Facture el resto a mano'),
      inPolicy('decida en policy.giftCardsSold que la factura la deje fuera', {
        giftCardsSold: { as: 'exclude' },
      }),
    ],
  },
  {
    code: 'gift-card-sold',
    of: 'with a discount on everything',
    given: {
      order: order({
        lines: [line({ rate: '0' }), card()],
        charges: [charge('fee', { price: '-3.50', rate: null, name: 'Descuento por transferencia' })],
      }),
    },
    advice: [
      byHand('Facture el resto a mano'),
      inPolicy('decida en policy.giftCardsSold que la factura la deje fuera', {
        giftCardsSold: { as: 'exclude' },
      }),
    ],
  },
  {
    code: 'gift-card-sold',
    of: 'that is spent as a discount',
    given: selling(line(), card({ spentAs: 'discount' })),
    advice: [
      inPolicy(
        'decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea y con qué IVA',
        cardAsLine,
      ),
    ],
  },
  {
    code: 'gift-card-sold',
    of: 'that is spent nobody knows how',
    given: selling(line(), card({ spentAs: 'unknown' })),
    advice: [
      copied('escriba en policy.tax.rules: { when: { sku: "TR" }, then: { kind: gift-card } }', 'emit paid', {
        giftCardsSold: { as: 'exclude' },
      }),
      inPolicy(
        'decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea y con qué IVA',
        cardAsLine,
      ),
    ],
  },
  {
    code: 'gift-card-sold',
    of: 'with tax',
    given: selling(line(), card({ rate: '15' })),
    advice: [
      inPolicy('decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea', {
        giftCardsSold: { as: 'line', iva: 4 },
      }),
      inShop(
        'Quite ese impuesto del producto y devuélvalo al comprador con un reembolso de esa línea',
        ({ refunds }) => ({
          refunds: [
            ...refunds,
            {
              ...{
                id: '50',
                amount: '3.75',
                at: '2026-11-20T12:00:00Z',
                pending: '0.00',
                discrepancy: '0.00',
              },
              reason: null,
              parts: [{ of: 'line:3', name: 'Tarjeta', quantity: '0', net: '0.00', tax: '3.75' }],
            },
          ],
        }),
        'hold gift-card-sold',
      ),
    ],
  },
  {
    code: 'gift-card-sold',
    of: 'with tax, on Shopify',
    given: { order: order({ platform: 'shopify', lines: [line(), card({ rate: '15' })] }) },
    advice: [
      byHand('Quite ese impuesto del producto para las próximas'),
      byHand('emita a mano la factura de lo demás'),
      inPolicy('decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea', {
        giftCardsSold: { as: 'line', iva: 4 },
      }),
    ],
  },
  {
    code: 'negative-amount',
    given: selling(line(), line({ id: '2', price: '-5.00', name: 'Canje' })),
    advice: [
      inShop('Regístrelo como descuento en la tienda', () => {
        const { lines, total, totalTax, payments } = order({ lines: [line({ net: '5.00' })] });
        return { lines, total, totalTax, payments };
      }),
    ],
  },
  {
    code: 'no-lines',
    given: { order: order({ lines: [], total: '11.50' }) },
    advice: [inShop('Agregue en la tienda lo vendido', () => ({ lines: [line()] })), byHand('emita a mano')],
  },
  {
    code: 'total-mismatch',
    of: 'of a shop that shows no cents in its prices',
    given: withoutCents({ net: '9', tax: '1.304348' }, '10'),
    advice: [decimalsShown],
  },
  {
    code: 'total-mismatch',
    of: 'of a shop that shows no cents',
    given: withoutCents({ net: '10', tax: '1.500000' }, '12'),
    advice: [decimalsShown],
  },
  {
    code: 'negative-amount',
    of: 'more than what is sold',
    given: { order: order({ charges: [charge('fee', { price: '-15.00', name: 'Rebaja' })] }) },
    advice: [
      inShop('Corrija el descuento en la tienda', () => {
        const { charges, total, payments } = order({
          charges: [charge('fee', { price: '-5.00', name: 'Rebaja' })],
        });
        return { charges, total, payments };
      }),
    ],
  },
  {
    code: 'negative-amount',
    of: 'a payment by its name',
    given: { order: order({ charges: [charge('fee', { price: '-3.00', rate: null, name: 'Monedero' })] }) },
    advice: [
      byHand('Emita esta factura a mano con esa forma de pago'),
      inShop('si es un descuento, regístrelo como cupón en la tienda', () => {
        const { lines, total, payments } = order({ lines: [line({ net: '7.39' })] });
        return { lines, charges: [], total, payments };
      }),
    ],
  },
  {
    code: 'negative-amount',
    of: 'without its tax',
    given: {
      order: order({
        charges: [
          charge('fee', { price: '-3.00', tax: '0.00', name: 'Rebaja', taxes: [taxed('IVA', '15', '0.00')] }),
        ],
      }),
    },
    advice: [
      inShop('Si es un descuento, regístrelo como cupón en la tienda', () => {
        const { lines, total, payments } = order({ lines: [line({ net: '7.00' })] });
        return { lines, charges: [], total, payments };
      }),
      byHand('emita esta factura a mano'),
    ],
  },
  {
    code: 'total-mismatch',
    of: 'less than its lines',
    given: { order: order({ total: '9.50' }) },
    advice: [
      byHand('emita esta factura a mano'),
      inShop('corrija el total en la tienda', () => ({ total: '11.50' })),
    ],
  },
  {
    code: 'total-mismatch',
    of: 'more than its lines',
    given: { order: order({ total: '13.80' }) },
    advice: [
      inShop('Agregue al pedido lo que se cobró', () => ({
        charges: [charge('fee', { price: '2.00', name: 'Empaque' })],
      })),
      byHand('emita esta factura a mano'),
    ],
  },
  {
    code: 'total-mismatch',
    of: 'a line that is there twice',
    given: { order: order({ lines: [line(), line()], total: '11.50' }) },
    advice: [
      inShop('Corrija el pedido en la tienda, o el programa que lo escribió', () => ({ lines: [line()] })),
      byHand('emita esta factura a mano'),
    ],
  },
  {
    code: 'total-mismatch',
    of: 'nothing left to charge',
    given: { order: order({ lines: [line({ net: '0.00' })], total: '0.01' }) },
    advice: [
      inShop('Corrija el descuento en la tienda', () => {
        const { lines, total, payments } = order({ lines: [line({ net: '9.00' })] });
        return { lines, total, payments };
      }),
    ],
  },
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
  {
    code: 'currency',
    given: { order: order({ currency: 'EUR' }) },
    advice: [
      inShop('Venda en USD en la tienda', () => ({ currency: 'USD' })),
      byHand('emita esta factura a mano por su valor en dólares'),
    ],
  },
  {
    code: 'unknown-access-key',
    of: 'that is no key',
    given: { order: order({ notAKey: 'pendiente' }) },
    advice: [
      inShop(
        'escriba allí su clave',
        () => ({ notAKey: undefined, accessKeys: [accessKey] }),
        'hold unknown-access-key',
      ),
      inShop('quite ese texto y se factura', () => ({ notAKey: undefined })),
    ],
  },
  ...[null, owner].map(
    (known): Advised => ({
      code: 'unknown-access-key',
      of: known ? 'copied' : 'of nobody',
      given: { order: order({ accessKeys: [accessKey] }), keyOwners: known ? [known] : [] },
      advice: [
        ...(known ? [] : [byHand('Búsquela en el portal del SRI')]),
        accepted('acéptelo con «facturapuente accept» y el id de este documento', {
          documents: [confirmed({ foreignKeys: [accessKey] })],
        }),
      ],
    }),
  ),
  {
    code: 'order-id-reused',
    given: { order: plain, reused },
    advice: [
      accepted('Si es otra venta, acéptelo con «facturapuente accept» y el id de este documento', {
        reused: null,
      }),
      byHand('factúrela a mano'),
    ],
  },
  {
    code: 'changed-after-payment',
    given: { order: plain, paid: { total: '30.84', currency: 'USD', at: null } },
    advice: [
      accepted('acéptelo con «facturapuente accept» y el id de este documento', {
        paid: { total: '11.50', currency: 'USD', at: null },
      }),
      inShop('devuelva el pedido a lo que se cobró', () => {
        const { lines, total, payments } = order({
          lines: [
            line({ net: '26.82', subtotal: '26.82', tax: '4.02', taxes: [taxed('IVA', '15', '4.02')] }),
          ],
        });
        return { lines, total, payments };
      }),
      inPolicy('policy.changedAfterPayment: current', { changedAfterPayment: 'current' }),
    ],
  },
  {
    code: 'cancelled-kept',
    given: { order: gone },
    advice: [
      inShop(
        'Devuelva ese dinero en la tienda',
        () => ({ refunds: [back('11.50')] }),
        'nothing fully-refunded',
      ),
      inPolicy('decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice)', {
        cancelledOrders: 'invoice',
      }),
      inPolicy('o no lleva documento (nothing)', { cancelledOrders: 'nothing' }, 'nothing cancelled'),
    ],
  },
  {
    code: 'refund-missing',
    given: { order: order({ settlement: 'refunded', status: 'refunded', refunds: [back('5.00')] }) },
    advice: [
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
    ],
  },
  {
    code: 'refund-pending',
    given: { order: order({ refunds: [{ ...back('5.00'), pending: '1.25' }] }) },
    advice: [
      inShop(
        'Si la devolución no va a completarse, corríjala en la tienda',
        () => ({ refunds: [back('5.00')] }),
        'emit paid',
      ),
    ],
  },
  {
    code: 'refund-wallet',
    given: {
      order: order({
        ...{ settlement: 'refunded', status: 'refunded', refunds: [back('5.00')] },
        payments: [{ gateway: 'wallet', title: 'Monedero', amount: '6.50', apart: true }],
      }),
    },
    advice: [byHand('emita a mano el documento por lo que quedó')],
  },
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
  {
    ...{ code: 'sub-orders', of: 'beside its parent', given: beside('parent', 'hold') },
    advice: choose('nothing invoiced-with-other', 'emit paid'),
  },
  {
    ...{ code: 'sub-orders', of: 'beside its sub-order', given: beside('child', 'hold') },
    advice: choose('emit paid', 'nothing invoiced-with-other'),
  },
  {
    ...{ code: 'sub-orders', of: 'beside its parent that has a factura' },
    given: beside('parent', 'hold', { isInvoiced: true }),
    advice: [
      inSubOrders('ponga policy.subOrders en parent', 'parent', 'nothing invoiced-with-other'),
      paidApart,
    ],
  },
  {
    ...{ code: 'sub-orders', of: 'beside its sub-order that has a factura' },
    given: beside('child', 'parent', { isInvoiced: true }),
    advice: [
      inSubOrders('ponga policy.subOrders en children', 'children', 'nothing invoiced-with-other'),
      paidApart,
    ],
  },
  {
    ...{ code: 'sub-orders', of: 'beside sub-orders of which one has a factura' },
    given: {
      order: order({ hasSubOrders: true }),
      relatives: [
        relative('child', { total: '5.75', isInvoiced: true }),
        relative('child', { id: '8', name: '#8', total: '5.75', settlement: 'unpaid', paidAt: null }),
      ],
      policy: { subOrders: 'parent' },
    },
    advice: [
      inSubOrders('ponga policy.subOrders en children', 'children', 'hold sub-orders'),
      { ...paidApart, follow: (given) => ({ ...given, documents: [confirmed({ apartFrom: ['7', '8'] })] }) },
    ],
  },
  {
    ...{ code: 'sub-orders', of: 'that may be what its parent has no more' },
    given: {
      ...beside('parent', 'parent'),
      relatives: [relative('parent')],
    },
    advice: [paidApart],
  },
  {
    ...{ code: 'sub-orders', of: 'beside its parent that is not paid' },
    given: beside('parent', 'parent', { settlement: 'unpaid', paidAt: null }),
    advice: [paidApart],
  },
  {
    ...{ code: 'sub-orders', of: 'that sells more than its parent' },
    given: beside('parent', 'parent', { lines: [line({ price: '5.00' })], total: '5.75' }),
    advice: [
      byHand('Facture a mano lo que falte'),
      inSubOrders('ponga policy.subOrders en children', 'children'),
      paidApart,
    ],
  },
  {
    ...{ code: 'sub-orders', of: 'that was paid at another time than its parent' },
    given: {
      ...beside('parent', 'parent'),
      relatives: [relative('parent', { paidAt: '2026-11-18T10:00:00Z' })],
    },
    advice: [paidApart],
  },
  {
    ...{ code: 'sub-orders', of: 'whose sub-orders sum up to another total' },
    given: beside('child', 'children', { lines: [line({ price: '5.00' })], total: '5.75' }),
    advice: [inSubOrders('ponga policy.subOrders en parent', 'parent'), paidApart],
  },
  ...(['hold', 'parent', 'children'] as const).flatMap((subOrders): Advised[] => [
    {
      ...{ code: 'sub-orders', of: `whose sub-orders have facturas of less, with ${subOrders}` },
      given: beside('child', subOrders, { total: '5.75', isInvoiced: true }),
      advice: [byHand('emita a mano una factura por los 5.75 que faltan'), paidApart],
    },
    {
      ...{ code: 'sub-orders', of: `whose sub-orders have facturas of more, with ${subOrders}` },
      given: beside('child', subOrders, { total: '15.75', isInvoiced: true }),
      advice: [byHand('emita a mano una nota de crédito por los 4.25'), paidApart],
    },
  ]),
  {
    ...{ code: 'sub-orders', of: 'whose sub-orders are not paid' },
    given: beside('child', 'children', { settlement: 'unpaid', paidAt: null }),
    advice: [
      {
        message: 'páselos en la tienda a un estado de pagado',
        follow: (given) => ({ ...given, relatives: [relative('child')] }),
        becomes: 'nothing invoiced-with-other',
      },
      inSubOrders('ponga policy.subOrders en parent', 'parent'),
      paidApart,
    ],
  },
  {
    ...{ code: 'sub-orders', of: 'whose sub-orders nobody knows' },
    given: { order: order({ hasSubOrders: true }), policy: { subOrders: 'children' } },
    advice: [inSubOrders('ponga policy.subOrders en parent', 'parent'), paidApart],
  },
  {
    ...{ code: 'cancelled-kept', of: 'of which a sub-order is still sold' },
    given: {
      order: order({ settlement: 'cancelled', status: 'cancelled', hasSubOrders: true }),
      relatives: [relative('child', { total: '5.75' })],
    },
    advice: [
      inShop(
        'Devuelva ese dinero en la tienda',
        () => ({ refunds: [back('5.75')] }),
        'nothing invoiced-with-other',
      ),
      byHand('emita a mano el documento por lo que se queda'),
    ],
  },
  {
    code: 'refund-of-split-order',
    given: {
      ...beside('parent', 'parent'),
      order: order({ parentId: '7', settlement: 'partially-refunded', refunds: [back('5.00')] }),
    },
    advice: [byHand('registre allí el reembolso, sin devolver otra vez el dinero')],
  },
];

export const facturas: Record<string, readonly Advised[]> = {
  'the buyer of a held order': buyers,
  'the taxes of a held order': taxes,
  'what a held order sells': items,
  'a held sale': sales,
  'an order that was split': splits,
};
/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */
