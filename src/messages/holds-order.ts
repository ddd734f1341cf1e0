import { roundingResolution } from './holds-tax.ts';
import { byWhy, type Message, type Texts } from './message.ts';

/** Used for a shop whose API answers prices without cents. */
export const showCents =
  'Ponga en 2 el número de decimales de los precios en la tienda (WooCommerce → Ajustes → General) y guarde el pedido otra vez.';

/** No order causes these: the mapper itself is wrong, and nothing is sent. */
const byHand = 'Emita este documento a mano y avise a quien mantiene facturapuente.';

/** Zod's issues; the value itself is never shown. */
const flaws: Readonly<Record<string, string>> = {
  too_small: 'está vacío o es menor de lo que admite el servicio',
  too_big: 'es más largo o mayor de lo que admite el servicio',
  invalid_format: 'no tiene la forma que pide el servicio',
};

export interface Totals {
  lines: string;
  charged: string;
  apart: string;
}

const ofLines = ({ lines, charged, apart }: Totals, side: 'de menos' | 'de más'): string =>
  `Las líneas del pedido suman ${lines} y se cobró ${charged}: ${apart} ${side}`;

const asLine = 'decida con su contador en policy.giftCardsSold de la tienda que vaya como una línea';

export interface Card {
  item: string;
  amount: string;
}

const card = ({ item, amount }: Card): string =>
  `El pedido vende la tarjeta de regalo «${item}» por ${amount}`;
const lost = ({ amount }: Card): string =>
  `lo que se compre con ella se facturaría por menos y estos ${amount} no se facturarían nunca`;

export const amountHolds = {
  'total-mismatch': byWhy(
    [
      'Las líneas no suman lo que se cobró, más allá del redondeo.',
      'Busque en la tienda el cargo o descuento que falta en las líneas; si no lo hay, emita a mano.',
      'Busque en la tienda qué cobra fuera de las líneas (una extensión de pagos o recargos) y haga que lo registre como cargo.',
    ],
    {
      'given-away': [
        ({ charged }: { charged: string }) =>
          `Los descuentos se llevan todo lo vendido (0.00) y el pedido cobró ${charged}, que no pertenece a nada.`,
        'Corrija el descuento en la tienda.',
      ],
      rounding: [
        ({ count, less, ...totals }: Totals & { count: number; less: boolean }) =>
          `${ofLines(totals, less ? 'de menos' : 'de más')}, lo que puede dar redondear el impuesto en cada una de las ${count} líneas.`,
        ({ platform }: { platform: string }) => roundingResolution(platform),
      ],
      twice: [
        ({ item, ...totals }: Totals & { item: string }) =>
          `${ofLines(totals, 'de menos')}. La línea «${item}» está dos veces en el pedido.`,
        'Corrija el pedido en la tienda, o el programa que lo escribió, o emita esta factura a mano.',
      ],
      less: [
        (totals: Totals) => `${ofLines(totals, 'de menos')}, que el redondeo no explica.`,
        'Si el resto se pagó con un monedero, una tarjeta de regalo o un crédito que el pedido no declara, emita esta factura a mano; si no, corrija el total en la tienda.',
      ],
      more: [
        (totals: Totals) => `${ofLines(totals, 'de más')}, que el redondeo no explica.`,
        'Agregue al pedido lo que se cobró o emita esta factura a mano.',
      ],
      item: [
        ({
          item,
          quantity,
          price,
          discount,
          total,
        }: Texts<'item' | 'quantity' | 'price' | 'discount' | 'total'>) =>
          `La línea «${item}» no suma: ${quantity} × ${price} − ${discount} no es ${total}.`,
        byHand,
      ],
      'without-cents': [
        ({ total }: { total: string }) =>
          `La tienda muestra sus precios sin centavos y redondea lo que dice del pedido, ${total} en total: así no se sabe qué se cobró.`,
        showCents,
      ],
      sum: [
        ({ of, sum, due, apart }: Texts<'sum' | 'due' | 'apart'> & { of: 'document' | 'payments' }) =>
          `${of === 'document' ? 'El documento sumaría' : 'Los pagos sumarían'} ${sum} y son ${due}, una diferencia de ${apart}.`,
        byHand,
      ],
    },
  ),
  'negative-amount': byWhy(
    [
      'Una línea tiene un valor negativo, o un cargo negativo rebaja más de lo que hay.',
      'Regístrelo como descuento en la tienda, o corrija el descuento.',
    ],
    {
      line: [
        ({ item, amount }: Texts<'item' | 'amount'>) =>
          `«${item}» tiene un valor negativo (${amount}); una factura no admite líneas negativas.`,
        'Regístrelo como descuento en la tienda.',
      ],
      payment: [
        ({ name, amount }: Texts<'name' | 'amount'>) =>
          `«${name}» rebaja ${amount} sin impuesto y por su nombre es un pago o una retención, no un descuento: la factura se emite por todo lo vendido.`,
        'Emita esta factura a mano con esa forma de pago; si es un descuento, regístrelo como cupón en la tienda.',
      ],
      'too-much': [
        ({ name, amount, sold, apart }: Texts<'name' | 'amount' | 'sold' | 'apart'>) =>
          `«${name}» rebaja ${amount} y lo vendido vale ${sold} sin impuesto, ${apart} menos; una factura no puede ser negativa.`,
        'Corrija el descuento en la tienda.',
      ],
      excise: [
        ({ name, amount }: Texts<'name' | 'amount'>) =>
          `«${name}» rebaja ${amount} de un pedido con ICE o IRBPNR y no se sabe cuánto de cada uno.`,
        'Regístrelo como cupón en la tienda.',
      ],
      tax: [
        ({ name, amount, tax, due, apart }: Texts<'name' | 'amount' | 'tax' | 'due' | 'apart'>) =>
          `«${name}» rebaja ${amount} y ${tax} de impuesto; repartido entre todo lo vendido serían ${due}, una diferencia de ${apart}.`,
        'Si es un descuento, regístrelo como cupón en la tienda; si es un pago con monedero o crédito, emita esta factura a mano.',
      ],
    },
  ),
  'no-lines': [
    ({ total = 'dinero' }: { total?: string }) =>
      `El pedido cobró ${total} y no tiene nada que facturar: ninguna línea, envío ni cargo.`,
    'Agregue en la tienda lo vendido, o emita a mano.',
  ],
  'invalid-body': [
    ({ field, flaw = '' }: Partial<Texts<'field' | 'flaw'>>) =>
      `${field === undefined ? 'Un dato' : `El dato «${field}»`} del documento ${flaws[flaw] ?? 'no cumple las reglas del servicio'}.`,
    'Corrija ese dato en el pedido o en la configuración.',
  ],
  tip: [
    ({ item, amount, tax = null }: Partial<Texts<'item' | 'amount'>> & { tax?: string | null }) =>
      `El pedido incluye una propina${amount === undefined ? '' : ` de ${amount} («${item}»)`}${tax === null ? '' : `, de los que ${tax} son impuesto,`} y el servicio de facturación no tiene un campo para declararla.`,
    ({
      tax = null,
      rule = null,
    }: {
      tax?: string | null;
      /** Empty means that a rule already says that it is none. */
      rule?: string | null;
    }) => {
      const other =
        rule === null
          ? ''
          : `; si no es una propina, ${rule === '' ? 'corrija su regla de policy.tax.rules que dice que lo es' : `escriba en policy.tax.rules ${rule}`}`;
      return `Emita esta factura a mano, o decida en policy.tips que vaya como una línea${tax === null ? '' : ', con ese impuesto'}${other}.`;
    },
  ],
  duties: [
    ({ item, amount }: Partial<Texts<'item' | 'amount'>>) =>
      `El pedido cobra aranceles${amount === undefined ? '' : ` de ${amount} («${item}»)`}, que no son parte de una factura local.`,
    'Emita esta factura a mano, o decida en policy.duties que vayan como una línea.',
  ],
  'gift-card-sold': byWhy(
    [
      'Vende una tarjeta de regalo junto con otras cosas, con impuesto, o una que la tienda descuenta antes del impuesto.',
      'Quite el impuesto de la tarjeta y devuélvalo, decida en policy.giftCardsSold, o facture el resto a mano.',
    ],
    {
      discount: [
        (one: Card) =>
          `${card(one)}, y la tienda la descuenta antes del impuesto cuando se gasta: ${lost(one)}.`,
        `Para facturarla al venderla, ${asLine} y con qué IVA.`,
      ],
      unknown: [
        (one: Card) =>
          `${card(one)}, y la tienda puede descontarla antes o después del impuesto cuando se gasta.`,
        ({ rule, ...one }: Card & { rule: string }) =>
          `Si es después, escriba en policy.tax.rules: ${rule}; si es antes, ${lost(one)}: ${asLine} y con qué IVA.`,
      ],
      advance: [
        (one: Card) => `${card(one)}, que es un anticipo y no una venta gravada.`,
        'Facture el resto a mano, o decida en policy.giftCardsSold que la factura la deje fuera.',
      ],
      taxed: [
        ({ tax, ...one }: Card & { tax: string }) =>
          `${card(one)}, de los que ${tax} son impuesto, y una tarjeta de regalo es un anticipo, no una venta gravada.`,
        /** `back`: a refund of the shop can give the tax back alone. */
        ({ back }: { back: boolean }) =>
          `Quite ese impuesto del producto ${back ? 'y devuélvalo al comprador con un reembolso de esa línea' : 'para las próximas, y de este pedido emita a mano la factura de lo demás'}; si lo que se compra con ella no se factura otra vez, ${asLine}.`,
      ],
    },
  ),
  currency: [
    ({ total, currency = 'otra moneda' }: Partial<Texts<'total' | 'currency'>>) =>
      `El pedido cobró ${total === undefined ? 'en ' : `${total} `}${currency} y solo se factura en dólares de los Estados Unidos.`,
    'Venda en USD en la tienda, o emita esta factura a mano por su valor en dólares.',
  ],
} satisfies Readonly<Record<string, Message>>;
