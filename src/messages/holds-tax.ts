import { byWhy, final, type Message, quoted, type Texts } from './message.ts';

/* Days are "2026-11-20", amounts USD with two decimals, percentages without the sign. */

/** null on one side: no end there. null as a whole: on no day. */
export type RateDays = { since: string | null; until: string | null } | null;

function inForceWhen(days: RateDays, today: string): string {
  if (!days) return 'no ha regido ningún día';
  const { since, until } = days;
  if (until !== null && today > until)
    return since === null ? `rigió hasta el ${until}` : `rigió del ${since} al ${until}`;
  return `rige desde el ${since}`;
}

export interface Decreed {
  since: string;
  until: string;
  decree: string;
}

export interface Nearest {
  last: Decreed | undefined;
  next: Decreed | undefined;
}

function nearestDecree({ last, next }: Nearest): string {
  const days = ({ since, until, decree }: Decreed) => `del ${since} al ${until} (${decree})`;
  return [
    last ? `los últimos fueron ${days(last)}` : 'no se conocen anteriores',
    next ? `los próximos son ${days(next)}` : 'no se conocen posteriores',
  ].join(' y ');
}

export interface OutOfForce {
  name: string;
  code: number;
  days: RateDays;
  today: string;
}

/** "IVA 12 % (código 2), que no rige hoy, 2026-11-20: rigió del 2017-06-01 al 2024-03-31". */
export const outOfForce = ({ name, code, days, today }: OutOfForce): string =>
  `${name} (código ${code}), que no rige hoy, ${today}: ${inForceWhen(days, today)}`;

export type IceFlaw =
  | { kind: 'per-unit'; amount: string }
  | { kind: 'unit-code'; name: string; partly: boolean }
  | { kind: 'unknown' };

export function saysIceFlaw(flaw: IceFlaw): string {
  if (flaw.kind === 'per-unit') return `de ${flaw.amount} por unidad`;
  if (flaw.kind === 'unknown') return 'que no está en la tabla de códigos de facturapuente';
  const what = flaw.partly ? 'suma un monto por unidad a su porcentaje' : 'es un monto por unidad';
  return `(${flaw.name}), que ${what}`;
}

export interface Due {
  due: string;
  apart: string;
}

const wouldBe = ({ due, apart }: Due): string => `serían ${due}, una diferencia de ${apart}`;

/** WooCommerce's English label is used, because its translations vary. */
export function roundingResolution(platform: string): string {
  switch (platform) {
    case 'woocommerce':
      return `Emita esta factura a mano y marque en WooCommerce → Ajustes → Impuestos, en «Redondeo», que se redondee en el subtotal y no en cada línea (Round tax at subtotal level, instead of rounding per line).`;
    case 'shopify':
      return `Emita esta factura a mano: Shopify redondea siempre así y no tiene un ajuste para cambiarlo. Venda las unidades iguales en una sola línea, o con precios cuyo IVA sea de centavos enteros.`;
    default:
      return `Emita esta factura a mano y haga que la tienda redondee el impuesto en el subtotal.`;
  }
}

export interface OfItem {
  tax: string;
  item: string;
  amount: string;
}

export interface Abroad {
  item: string;
  destination: string;
}

const soldAbroad = ({ item, destination }: Abroad): string =>
  `La venta de «${item}» es fuera del Ecuador (${destination})`;

export const taxHolds = {
  'unmapped-tax': byWhy(
    [
      'Un impuesto de la tienda no tiene código del SRI, o una línea sin impuesto no tiene regla.',
      'Escriba una regla en policy.tax.rules (docs/config.md).',
      'Corrija el impuesto en la tienda, o diga con una regla en policy.tax.rules si es IVA 0 %, exento, no objeto u otro. «facturapuente lint-catalog» revisa todos los productos.',
    ],
    {
      untaxed: [
        ({ item, taxClass }: { item: string; taxClass: string | null }) =>
          `«${item}»${taxClass === null ? '' : ` (clase de impuesto «${taxClass}»)`} no lleva impuesto en la tienda y ninguna regla dice si es IVA 0 %, exento o no objeto.`,
        // A name is no proof, and no IVA of policy.tax is right for a gift card or a tip.
        ({ kind, rule }: { kind: 'tip' | 'gift-card' | null; rule: string }) =>
          kind === null
            ? 'Indíquelo en policy.tax de la tienda.'
            : `Si es ${kind === 'tip' ? 'una propina' : 'una tarjeta de regalo'}, escriba en policy.tax.rules ${rule} y decide ${kind === 'tip' ? 'policy.tips' : 'policy.giftCardsSold'}. Si no lo es, indíquelo en policy.tax de la tienda.`,
      ],
      'no-rate': [
        ({ tax, item, amount }: OfItem) =>
          `El impuesto «${tax}» de «${item}», por ${amount}, no indica su tarifa.`,
        'Asígnele un código en policy.tax.rules.',
      ],
      'other-rate': [
        ({ tax, item, amount, rate }: OfItem & { rate: string }) =>
          `El impuesto «${tax}» de «${item}» es del ${rate} % (${amount}), que no es una tarifa de IVA del Ecuador.`,
        'Corríjalo en la tienda; si es ICE o IRBPNR, indíquelo en policy.tax.rules.',
      ],
      'by-rule': [
        ({
          tax,
          item,
          amount,
          rate,
          only,
          day,
        }: OfItem & {
          rate: string;
          /** null: no goods of their own. */
          only: string | null;
          day: ({ today: string; decree: string | null } & Nearest) | null;
        }) => {
          const today = day
            ? `. Hoy, ${day.today}, ${day.decree ? `es uno (${day.decree})` : `no lo es: ${nearestDecree(day)}`}`
            : '';
          return `El impuesto «${tax}» de «${item}» es del ${rate} % (${amount}), ${only === null ? 'que solo se elige por una regla' : `que en el Ecuador es solo de ${only}`}${today}.`;
        },
        ({ rule }: { rule: string }) =>
          `Si es el caso, escriba en policy.tax.rules: ${rule}; si no, corrija el impuesto en la tienda.`,
      ],
    },
  ),
  'several-taxes': [
    ({ item, taxes = [] }: { item?: string; taxes?: readonly { tax: string; amount: string }[] }) => {
      const named = taxes.map(({ tax, amount }) => `«${tax}» de ${amount}`).join(' y ');
      return `${quoted(item, 'Una línea')} lleva varios impuestos${named && ` (${named})`} y solo se puede facturar un IVA por línea.`;
    },
    'Si uno es ICE o IRBPNR, indíquelo en policy.tax.rules; si no, deje solo el IVA en la tienda.',
  ],
  'tax-contradiction': byWhy(
    [
      'El impuesto cobrado no es el que corresponde a su tarifa, o una regla dice otra cosa.',
      'Corrija el impuesto en la tienda, o la regla en policy.tax.',
    ],
    {
      negative: [
        ({ tax, item, amount }: OfItem) =>
          `«${item}» lleva el impuesto «${tax}» de ${amount}, menor que cero.`,
        'Corrija los impuestos de esa línea en la tienda.',
      ],
      line: [
        ({ item, rate, charged, base, ...due }: Due & Texts<'item' | 'rate' | 'charged' | 'base'>) =>
          `El impuesto cobrado por «${item}» no corresponde al ${rate} %: la tienda cobró ${charged} sobre ${base} y ${wouldBe(due)}.`,
        /** `by`: the setting that decided the tax; null: the shop. */
        ({ by }: { by: string | null }) =>
          `Corrija el impuesto en la tienda${by === null ? '' : by === '' ? ' o su regla en policy.tax' : ` o la tarifa en ${by}`}.`,
      ],
      rule: [
        ({ rule, item, iva, tax, amount, rate }: OfItem & Texts<'rule' | 'iva' | 'rate'>) =>
          `La regla «${rule}» dice que «${item}» lleva ${iva}, pero la tienda cobró ${amount} por «${tax}» del ${rate} %.`,
        'Corrija la regla en policy.tax o el impuesto en la tienda.',
      ],
      irbpnr: [
        ({ item, charged, bottles, ...due }: Due & Texts<'item' | 'charged' | 'bottles'>) =>
          `La tienda cobró ${charged} de IRBPNR por «${item}» y por ${bottles} botellas ${wouldBe(due)}.`,
        'Corrija el impuesto en la tienda.',
      ],
      ice: ({ item, charged, rate, ...due }: Due & Texts<'item' | 'charged' | 'rate'>) =>
        `La tienda cobró ${charged} de ICE por «${item}» y al ${rate} % ${wouldBe(due)}.`,
      'too-cheap': [
        ({ item, paid, irbpnr }: Texts<'item' | 'paid' | 'irbpnr'>) =>
          `«${item}» costó ${paid} y su IRBPNR solo ya es de ${irbpnr}.`,
        'Corrija el precio en la tienda o la regla en policy.tax.',
      ],
      order: [
        ({ rate, charged, base, ...due }: Due & Texts<'rate' | 'charged' | 'base'>) =>
          `El impuesto cobrado no corresponde al ${rate} %: la tienda cobró ${charged} sobre ${base} y ${wouldBe(due)}.`,
        'Corrija los impuestos del pedido en la tienda.',
      ],
      rounded: [
        ({
          rate,
          charged,
          base,
          lines,
          ...due
        }: Due & Texts<'rate' | 'charged' | 'base'> & { lines: number }) =>
          `El impuesto cobrado no corresponde al ${rate} %: la tienda cobró ${charged} sobre ${base} y ${wouldBe(due)}. La tienda redondeó el impuesto en cada una de las ${lines} líneas.`,
        ({ platform }: { platform: string }) => roundingResolution(platform),
      ],
      'two-rates': [
        ({ ice, one, other }: Texts<'one' | 'other'> & { ice: number }) =>
          `Las reglas dan al pedido el ICE ${ice} al ${one} % y al ${other} %, y una factura declara una sola tarifa por código.`,
        'Corrija las reglas en policy.tax.',
      ],
    },
  ),
  'rate-not-in-force': byWhy(
    [
      'La tarifa de IVA que cobró la tienda, o que da una regla, no rige hoy.',
      'Corrija la tarifa en la tienda y en el pedido, o quite ese código de la regla.',
    ],
    {
      rule: [
        ({ by, item, ...row }: OutOfForce & Texts<'by' | 'item'>) =>
          `«${by}» da a «${item}» el ${outOfForce(row)}.`,
        ({ days }: OutOfForce) =>
          `Quite ese código de la configuración y corrija el impuesto en la tienda${days ? '; si la venta es de un día en que regía, consulte a su contador y emita esta factura a mano' : ''}.`,
      ],
      shop: [
        ({
          name,
          item,
          amount,
          days,
          today,
        }: Texts<'name' | 'item' | 'amount' | 'today'> & { days: RateDays }) =>
          `El ${name} de «${item}» (${amount}) no rige hoy, ${today}: ${inForceWhen(days, today)}.`,
        'Corrija el impuesto en la tienda.',
      ],
    },
  ),
  'rate-not-decreed': byWhy(
    [
      'El IVA 8 % solo rige en los días que fija un decreto, y hoy no es uno.',
      'Corrija el impuesto en la tienda o emita a mano; si hay un decreto nuevo, actualice facturapuente.',
      'Cobre el 8 % solo en los días que fija un decreto, y emita ese mismo día.',
    ],
    {
      today: ({ by, name, item, today, ...nearest }: Nearest & Texts<'by' | 'name' | 'item' | 'today'>) =>
        `«${by}» da el ${name} a «${item}» y hoy, ${today}, no es uno de sus días: ${nearestDecree(nearest)}.`,
    },
  ),
  'foreign-tax': byWhy(
    [
      'El impuesto cobrado lleva el nombre, o es la tarifa, de otro país.',
      'Corrija el impuesto en la tienda; si es IVA con otro nombre, dígalo con una regla (title) en policy.tax.rules.',
    ],
    {
      charged: [
        ({
          tax,
          item,
          amount,
          country,
          destination,
          abroad,
        }: OfItem & {
          /** The country of the rate; null: the name is of another country. */
          country: string | null;
          destination: string;
          abroad: boolean;
        }) =>
          `«${tax}» ${country === null ? 'es el nombre de un impuesto de otro país' : `es una tarifa de ${country}`}; la tienda lo cobró por «${item}» (${amount}) en una venta ${abroad ? 'fuera del' : 'en el'} Ecuador (${destination}).`,
        /** `rule`: what makes it Ecuador's; null where no rate of Ecuador is like it. */
        ({ rule }: { rule: string | null }) =>
          `Corrija el impuesto en la tienda${rule === null ? '' : `; si es IVA del Ecuador con otro nombre, escriba en policy.tax.rules: ${rule}`}.`,
      ],
    },
  ),
  'sale-abroad': byWhy(
    [
      'La venta es fuera del Ecuador y ninguna regla dice qué IVA lleva.',
      'Consulte a su contador; luego escriba una regla con abroad: true en policy.tax.rules, o emita a mano.',
    ],
    {
      charged: [
        ({
          taxes,
          ...where
        }: Abroad & { taxes: readonly { tax: string; rate: string | null; amount: string }[] }) => {
          const reported = taxes.map(
            ({ tax, rate, amount }) => `${amount} por «${tax}»${rate === null ? '' : ` del ${rate} %`}`,
          );
          return `${soldAbroad(where)} y la tienda cobró ${reported.join(' y ')}, que no se toma por IVA del Ecuador.`;
        },
        ({ rule }: { rule: string | null }) =>
          `Consulte a su contador${rule === null ? ' y emita esta factura a mano' : `: si es IVA del Ecuador, escriba en policy.tax.rules: ${rule}; si no, emita esta factura a mano`}.`,
      ],
      untaxed: [
        ({
          zero,
          ...where
        }: Abroad & {
          zero: { tax: string; isRate: boolean } | null;
        }) =>
          `${soldAbroad(where)}${zero ? ` y la tienda declara «${zero.tax}» de 0.00${zero.isRate ? ', al 0 %' : ''}, pero` : ', sin impuesto, y la tienda'} no dice por qué.`,
        ({ rule }: { rule: string }) =>
          `Consulte a su contador qué IVA lleva; si es 0 %, escriba en policy.tax.rules: ${rule}.`,
      ],
    },
  ),
  'held-by-rule': [
    ({ item, rule, words }: { item?: string; rule?: string /** The rule's own. */; words?: string | null }) =>
      words ??
      `${quoted(item, 'Un artículo')} se retiene por ${rule === undefined ? 'una regla de policy.tax' : `«${rule}»`}.`,
    ({ words = null }: { words?: string | null }) =>
      words === null ? 'Haga lo que dice la regla, o cámbiela en policy.tax.rules.' : final,
  ],
  ice: byWhy(
    [
      'El ICE no se puede declarar: no cabe en centavos, es por unidad (fundas plásticas, licores) y el servicio solo lo admite en porcentaje, o su código no está en la tabla de facturapuente.',
      'Emita esta factura a mano; si el artículo no lleva ese ICE, corrija la regla en policy.tax.rules.',
    ],
    {
      rounding: [
        ({ ice, apart }: { ice: readonly { code: number; rate: string }[]; apart: string }) =>
          `El ICE del pedido (${ice.map(({ code, rate }) => `${code} al ${rate} %`).join(', ')}) no se puede declarar en centavos: la mejor repartición queda a ${apart} de lo que calcula el SRI y se admiten 0.02.`,
        'Emita este pedido a mano en varias facturas, una por cada IVA o por cada ICE.',
      ],
      flaw: ({
        item,
        ice,
        flaw,
        due,
        quantity,
      }: Texts<'item' | 'quantity'> & {
        ice: number;
        flaw: IceFlaw;
        /** The amount for the quantity; null where the amount per unit is not known. */
        due: string | null;
      }) =>
        `«${item}» lleva ICE ${ice} ${saysIceFlaw(flaw)}${due === null ? ',' : ` (${due} por ${quantity})`} y el servicio de facturación solo admite ICE en porcentaje.`,
      unknown: [
        ({ rule, item, ice }: Texts<'rule' | 'item'> & { ice: number | string }) =>
          `La regla «${rule}» da a «${item}» el ICE ${ice}, ${saysIceFlaw({ kind: 'unknown' })}.`,
        ({ ice, rate }: { ice: number | string; rate: string }) =>
          `Búsquelo en la tabla 18 de la ficha técnica del SRI; si existe y es un porcentaje, escriba su nombre en la regla: ice: { codigo: ${ice}, tarifa: ${rate}, nombre: "…" }.`,
      ],
    },
  ),
  'irbpnr-quantity': [
    ({ item, quantity }: Partial<Texts<'item' | 'quantity'>>) =>
      `${quoted(item, 'Un artículo')} paga IRBPNR por botella y el pedido trae ${quantity === undefined ? 'una cantidad que no es entera' : `la cantidad ${quantity}`}.`,
    'Corrija la cantidad en la tienda.',
  ],
} satisfies Readonly<Record<string, Message>>;
