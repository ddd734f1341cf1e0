import { inWords, mayAnnul } from './holds-later.ts';
import { accept } from './holds-money.ts';
import { byWhy, final, type Kind, type Message, many, named, quotedAll, type Texts } from './message.ts';

export interface Refunded {
  refund: string;
  money: string;
}

const gaveBack = ({ refund, money }: Refunded): string => `El reembolso ${refund} devolvió ${money}`;

export interface Credited {
  base: string;
  /** null means none. */
  iva: string | null;
  rate: string;
}

const credits = ({ base, iva }: Credited): string => (iva === null ? base : `${base} + ${iva}`);

export interface Readings {
  shares: readonly Credited[];
  single: readonly Credited[];
}

function sayReadings({ shares, single }: Readings): string {
  const prorated = shares.map((one) => `${credits(one)} con ${one.rate}`).join(' y ');
  const others = single.map((one) => `si todo fue por lo de ${one.rate}, ${credits(one)}`);
  return [`a prorrata se acreditarían ${prorated}`, ...others].join('; ');
}

const prorateThem = 'policy.creditNotes.amountOnly que estos montos se repartan siempre a prorrata';

/** WooCommerce takes units without money. */
const recordLines = (platform: string): string =>
  platform === 'woocommerce'
    ? 'Registre en la tienda las unidades que volvieron en otro reembolso, con monto 0.00, si valen esa misma suma'
    : 'Registre en la tienda las líneas que volvieron, con un reembolso sin dinero por esa misma suma';

const restByHand = (number: string | null): string =>
  number === null ? '' : ` Lo demás de este reembolso acredítelo a mano sobre la factura ${number}.`;

const correct = 'Corrija el reembolso en la tienda, o emita la nota de crédito a mano.';

export interface Wallet extends Refunded {
  names: string;
  /** null means unknown. */
  paid: string | null;
  /** What was given back if the balance was, too. */
  most: string;
}

export interface OfIssuer {
  number: string;
  kind: Kind;
  ruc: string;
  ambiente: number;
}

const ofIssuer = ({ number, kind, ruc, ambiente }: OfIssuer): string =>
  `El número ${number} de ${named(kind)} es del RUC ${ruc} en ambiente ${ambiente}`;

export const refundHolds = {
  'refund-without-lines': byWhy(
    [
      'El reembolso es un monto sin líneas, y lo que queda tiene varias tarifas, o puede ser de una tarjeta de regalo fuera de la factura: nadie sabe qué IVA vuelve.',
      'Registre en la tienda las líneas con un reembolso sin dinero (en WooCommerce, con monto 0.00) por la misma suma; o emita a mano. De varias tarifas, también policy.creditNotes.amountOnly: prorate.',
      'Indique las líneas en cada reembolso, o decida policy.creditNotes.amountOnly: prorate.',
    ],
    {
      rates: [
        ({
          ofOthers,
          readings,
          ...one
        }: Refunded & {
          ofOthers: boolean;
          readings: Readings;
        }) =>
          `${gaveBack(one)} sin decir de qué líneas${ofOthers ? ' de la factura' : ''}, y lo que queda por devolver tiene varias tarifas: ${sayReadings(readings)}.`,
        /** `edited`: the shop does not say what an edit took out. */
        ({ edited, platform }: { edited: boolean; platform: string }) =>
          edited
            ? `El pedido se editó después de pagado, y la tienda no dice si ese dinero es de lo que se quitó. Decida en ${prorateThem}; o emita el documento a mano.`
            : `${recordLines(platform)}; o decida en ${prorateThem}; o emita el documento a mano.`,
      ],
      rivals: [
        ({
          ofOthers,
          readings,
          others,
          ...one
        }: Refunded & {
          ofOthers: boolean;
          readings: Readings;
          /** Any may be what the money was for, since they are worth the same. */
          others: readonly { refund: string; worth: string }[];
        }) => {
          const names = others.map(({ refund, worth }) => `${refund} (${worth})`);
          const all = `${names.slice(0, -1).join(', ')} y ${names.at(-1)}`;
          return `${gaveBack(one)} sin decir de qué líneas${ofOthers ? ' de la factura' : ''}, y lo que queda por devolver tiene varias tarifas: ${sayReadings(readings)}. Los reembolsos ${all} registran líneas de esa suma sin dinero, de tarifas distintas, y no se sabe cuál de ellos pagó.`;
        },
        ({ platform }: { platform: string }) =>
          `${platform === 'woocommerce' ? 'Elimine en la tienda los que no correspondan' : 'Registre en la tienda también el dinero de los otros, cuando vuelva'}; o emita el documento a mano.`,
      ],
      rest: [
        ({ loose, readings, ...one }: Refunded & { loose: string; readings: Readings }) =>
          `${gaveBack(one)}, de los que ${loose} no son de ninguna línea de la factura, y lo que queda por devolver tiene varias tarifas: ${sayReadings(readings)}.`,
        `Decida en ${prorateThem}; o emita el documento a mano.`,
      ],
      'gift-card': [
        ({
          cards,
          left,
          asCard,
          asGoods,
          ...one
        }: Refunded & {
          cards: string;
          left: string;
          /** The credit if it was the card; null means nothing. */
          asCard: string | null;
          /** The credit if it was goods; null means all of it. */
          asGoods: string | null;
        }) =>
          `${gaveBack(one)} sin decir de qué líneas, y el pedido vendió ${cards}, de la que quedan ${left} fuera de la factura: si se devolvió la tarjeta de regalo ${asCard === null ? 'no se acredita nada' : `se acreditan los ${asCard} que ella no cubre`}, y si fue lo facturado, ${asGoods === null ? 'todo' : `los ${asGoods} que quedan de ello`}.`,
        ({ edited, platform }: { edited: boolean; platform: string }) =>
          `${edited ? 'Emita' : `${recordLines(platform)}, o emita`} el documento a mano.`,
      ],
    },
  ),
  'refund-wallet': byWhy(
    [
      'Parte del pedido se pagó con un saldo (monedero, tarjeta de regalo, crédito) y la tienda no dice si ese saldo volvió.',
      'Compruebe el saldo en la tienda y emita a mano por lo que se devolvió.',
    ],
    {
      refund: [
        ({ names, paid, ...one }: Wallet) =>
          `${gaveBack(one)}, y ${paid === null ? 'una parte del pedido cuyo monto no se puede leer se pagó' : `${paid} del pedido se pagaron`} con ${names}, un saldo del que la tienda no dice si también volvió.`,
        ({ money, most }: Wallet) =>
          `Emita a mano el documento: si ese saldo no volvió, se devolvieron ${money}; si volvió, ${most}.`,
      ],
      order: [
        ({ status, back, rest, names }: Texts<'status' | 'back' | 'rest' | 'names'>) =>
          `El pedido figura como reembolsado (estado «${status}»): volvieron ${back} y los otros ${rest} se pagaron con ${names}, un saldo del que la tienda no dice si también volvió.`,
        'Si volvió, no hay nada más que facturar; si no, emita a mano el documento por lo que quedó.',
      ],
    },
  ),
  'refund-detail-missing': [
    ({ refund }: { refund?: string }) =>
      `La tienda no dice qué líneas cubre ${refund === undefined ? 'un reembolso' : `el reembolso ${refund}`} y el pedido tiene varias tarifas de IVA.`,
    'Configure el acceso a la API de la tienda para leer el detalle, o emita el documento a mano.',
  ],
  'refund-contradiction': byWhy(
    [
      'La tienda no dice cuánto devolvió, o el dinero devuelto y las líneas del reembolso se contradicen, o las líneas valen más de lo que queda de ellas.',
      correct,
      'Indique en cada reembolso las líneas por el mismo monto que se devuelve.',
    ],
    {
      unknown: [
        ({ refund }: { refund: string }) =>
          `La tienda no indica cuánto devolvió el reembolso ${refund} en dólares.`,
        'Revise el reembolso en la tienda o emita la nota de crédito a mano.',
      ],
      sum: ({ lines, apart, ...one }: Refunded & Texts<'lines' | 'apart'>) =>
        `${gaveBack(one)} y sus líneas suman ${lines}, una diferencia de ${apart} que la tienda no explica.`,
      'beyond-rate': [
        ({ item, left, ...one }: Refunded & Texts<'item' | 'left'>) =>
          `${gaveBack(one)} por «${item}», de lo que quedan ${left} por devolver: lo demás se acreditaría a líneas de otra tarifa de IVA.`,
        'Corrija en la tienda las líneas de los reembolsos de este pedido, o emita la nota de crédito a mano.',
      ],
      'other-rate': [
        ({ items, number, ...one }: Refunded & { items: readonly string[]; number: string }) =>
          `${gaveBack(one)}, y ${quotedAll(items)} ${many(items, 'lleva', 'llevan')} ahora en el pedido otra tarifa de IVA que en la factura ${number}.`,
        'Si ese dinero es el IVA de más, ya va en la nota de crédito y la factura que se emiten a mano por ese cambio; si es otra devolución, emita a mano su nota de crédito.',
      ],
      'unclear-edit': [
        ({ refunds }: { refunds: readonly string[] }) => unclearEdit(refunds),
        'La API de la tienda sí lo dice: con la tienda conectada se decide solo; si no, emita los documentos a mano.',
      ],
      removed: [
        ({
          refunds,
          money,
          items,
          total,
        }: Texts<'money' | 'total'> & { refunds: readonly string[]; items: readonly string[] }) =>
          `${many(refunds, 'El reembolso', 'Los reembolsos')} ${refunds.join(', ')} ${many(refunds, 'devolvió', 'devolvieron')} ${money} por ${quotedAll(items)}, que ya no ${many(items, 'está', 'están')} en el pedido: no se sabe si su total de ${total} ya lo descuenta.`,
        ({ items }: { items: readonly string[] }) =>
          `Vuelva a agregar ${quotedAll(items)} al pedido, con el mismo precio, y la factura sale por lo que queda; o emítala a mano.`,
      ],
    },
  ),
  'credit-rounding': [
    ({ refund, money, nearest }: Partial<Texts<'refund' | 'money' | 'nearest'>>) =>
      refund === undefined
        ? 'Ninguna base en centavos da el dinero devuelto con su IVA, y la política pide que lo decida una persona.'
        : `El reembolso ${refund} devolvió ${money} y ninguna base en centavos da esa suma con su IVA: lo más cercano es ${nearest}.`,
    'Emita la nota de crédito a mano, o permita en policy.creditNotes.roundingDifference que salga con un centavo de diferencia.',
  ],
  'final-consumer': byWhy(
    [
      'A mano: desde 2026 el SRI no admite nota de crédito para una factura de consumidor final.',
      'Regístrelo con su contador, y pida la identificación en las próximas ventas.',
    ],
    {
      refund: [
        ({ number, deadline }: Texts<'number' | 'deadline'>) =>
          `La factura ${number} es de consumidor final y desde 2026 el SRI no admite para ella nota de crédito ni anulación, tampoco en línea dentro del plazo que para otras facturas de ese mes vence el ${inWords(deadline)} (resoluciones NAC-DGERCGC25-00000014 y NAC-DGERCGC25-00000017).`,
        ({ refund, money }: Refunded) =>
          `Registre la devolución de ${money} del reembolso ${refund} con su contador, y pida la cédula o el RUC en las próximas ventas.`,
      ],
    },
  ),
  'over-credit': byWhy(
    [
      'A mano: se devolvió más de lo que queda de la factura.',
      'Emita una nota de crédito por lo que queda y revise el resto con su contador.',
    ],
    {
      none: [
        ({ number, ...one }: Refunded & { number: string }) =>
          `${gaveBack(one)} y la factura ${number} ya está acreditada por completo.`,
        ({ annulBy }: { annulBy: string | null }) =>
          `Revise con su contador ese dinero, que ya no cabe en una nota de crédito.${mayAnnul(annulBy)}`,
      ],
      less: [
        ({ number, left, ...one }: Refunded & Texts<'number' | 'left'>) =>
          `${gaveBack(one)} y de la factura ${number} solo queda ${left} por acreditar.`,
        ({ left, annulBy }: { left: string; annulBy: string | null }) =>
          `Emita a mano una nota de crédito por hasta ${left} y revise con su contador el resto.${mayAnnul(annulBy)}`,
      ],
    },
  ),
  'buyer-forgotten': [
    ({ refund, money = '', number = '' }: Partial<Refunded> & { number?: string }) =>
      `${refund === undefined ? 'Hubo un reembolso' : gaveBack({ refund, money })} y aquí ya no se guarda quién compró con la factura${number && ` ${number}`}, porque terminó su plazo de conservación (retention.documentsYears) o se pidió borrarlo.`,
    'Consulte con su contador si todavía procede una nota de crédito y, si procede, emítala a mano con los datos de la factura autorizada.',
  ],
  'invoiced-elsewhere': byWhy(
    [
      'A mano: el pedido se facturó en otro sistema, o antes de invoiceFrom.',
      'Emita la nota de crédito donde se emitió la factura.',
    ],
    {
      refund: [
        'El pedido se facturó fuera de este sistema.',
        ({ refund, money, annulBy }: Refunded & { annulBy: string | null }) =>
          `Emita la nota de crédito de ${money} por el reembolso ${refund} en el sistema que emitió la factura.${mayAnnul(annulBy, ' y la factura no es de consumidor final')}`,
      ],
    },
  ),
  'other-issuer': byWhy(
    [
      'El número del documento, o la factura de un reembolso, es de otro RUC o de otro ambiente que el de la tienda ahora.',
      'Devuelva ese emisor a la configuración, o emita a mano con él.',
    ],
    {
      trial: [
        ({ kind, ...one }: OfIssuer) =>
          `${ofIssuer({ kind, ...one })}, de pruebas${kind === 'factura' ? '; el pedido se factura con uno nuevo' : ''}.`,
        final,
      ],
      number: [
        ({ nowRuc, nowAmbiente, ...one }: OfIssuer & { nowRuc: string; nowAmbiente: number }) =>
          `${ofIssuer(one)}, y la tienda emite ahora con el RUC ${nowRuc} en ambiente ${nowAmbiente}.`,
        'Devuelva ese emisor a la configuración hasta que salga.',
      ],
      test: [
        ({ refund, number }: Texts<'refund' | 'number'>) =>
          `La factura ${number} es de pruebas (ambiente 1) y no tiene valor tributario: el reembolso ${refund} no lleva nota de crédito.`,
        'Si la venta debía facturarse, emita a mano la factura por lo que quedó de ella.',
      ],
      issuer: [
        ({ number, ruc, ambiente }: Texts<'number' | 'ruc'> & { ambiente: number }) =>
          `La factura ${number} se emitió con el RUC ${ruc} en ambiente ${ambiente}, que ya no es el emisor de la tienda.`,
        ({ refund, money }: Refunded) =>
          `Emita a mano, con ese emisor, la nota de crédito de ${money} por el reembolso ${refund}.`,
      ],
    },
  ),
  'refund-deleted': byWhy(
    [
      'El reembolso se borró o falló en la tienda; a mano, si su nota de crédito ya salió.',
      'Si el dinero no se devolvió, anule la nota de crédito en el portal del SRI.',
    ],
    {
      netted: [
        ({ number, refunds }: { number: string; refunds: readonly string[] }) =>
          `La factura ${number} descontó ${refunds.length > 1 ? `los reembolsos ${refunds.join(', ')}` : `el reembolso ${refunds[0]}`}, que la tienda ya no tiene.`,
        ({ more }: { more: string }) =>
          `Si ese dinero no se devolvió, emita a mano una factura complementaria por ${more}.`,
      ],
      before: [
        ({ refund }: { refund: string }) =>
          `El reembolso ${refund} se eliminó en la tienda antes de emitir su nota de crédito.`,
        'Nada.',
      ],
      after: [
        ({ refund, number }: Texts<'refund' | 'number'>) =>
          `El reembolso ${refund} se eliminó en la tienda, pero su nota de crédito ${number} ya fue emitida.`,
        'Si el dinero no se devolvió, anule la nota de crédito en el portal del SRI con la aceptación del comprador, o emita otra factura.',
      ],
      failed: [
        ({
          refund,
          money,
          number,
          credited,
        }: Refunded & {
          number: string;
          credited: string;
        }) =>
          `El reembolso ${refund} figura ahora con ${money} devueltos y su nota de crédito ${number} se emitió por ${credited}: la devolución falló en la tienda.`,
        'Si ese dinero volverá al comprador, devuélvalo otra vez por fuera de la tienda, sin registrar otro reembolso; si no, anule la nota de crédito en el portal del SRI con la aceptación del comprador, o emita otra factura por la diferencia.',
      ],
    },
  ),
  'refund-id-reused': byWhy(
    [
      'El id del reembolso ya es de otro reembolso, que tiene su nota de crédito.',
      'Si es otra devolución, «accept DOCUMENTO»; si no, emita la nota de crédito a mano.',
    ],
    {
      other: [
        ({
          refund,
          day,
          order,
          otherDay,
        }: Texts<'refund' | 'order'> & {
          /** Written as "22/11/2026"; null means unknown. */
          day: string | null;
          otherDay: string | null;
        }) => {
          const on = (one: string | null) => (one === null ? '' : ` (${one})`);
          return `El id ${refund} de este reembolso${on(day)} ya es de otro, del pedido ${order}${on(otherDay)}. Suele pasar cuando la tienda se restaura de una copia. No se acredita nada por este reembolso mientras no lo decida una persona.`;
        },
        `Si es otra devolución, ${accept}, o emita la nota de crédito a mano.`,
      ],
    },
  ),
  'refund-not-invoiced': byWhy(
    [
      'A mano: se devolvió algo que se agregó al pedido después de su factura y no está en ella.',
      'Emita a mano la nota de crédito de la factura que su motivo dice; si lo agregado no se facturó ni reemplazó nada, no lleva documento.',
    ],
    {
      added: [
        ({ items, number, ...one }: Refunded & { items: readonly string[]; number: string }) =>
          `${gaveBack(one)} e incluye ${quotedAll(items)}, que ${many(items, 'se agregó', 'se agregaron')} al pedido después de la factura ${number} y no ${many(items, 'está', 'están')} en ella.`,
        /** `rest`: the factura of the other parts of the refund. */
        ({ rest }: { rest: string | null }) =>
          `Si lo agregado no se facturó, no lleva documento; si se facturó aparte, emita a mano la nota de crédito de esa factura.${restByHand(rest)}`,
      ],
      removed: [
        ({ items, number, ...one }: Refunded & { items: readonly string[]; number: string }) =>
          `${gaveBack(one)} e incluye ${quotedAll(items)}, que ya no ${many(items, 'está', 'están')} en el pedido ni ${many(items, 'estuvo', 'estuvieron')} en la factura ${number}.`,
        ({ rest }: { rest: string | null }) =>
          `Si reemplazó algo de ella, acredítelo a mano. Si no se facturó, no lleva documento; si se facturó aparte, emita a mano la nota de crédito de esa factura.${restByHand(rest)}`,
      ],
      exchanged: [
        ({ items, number, ...one }: Refunded & { items: readonly string[]; number: string }) =>
          `${gaveBack(one)} e incluye ${quotedAll(items)}, que no ${many(items, 'está', 'están')} en la factura ${number}: ${many(items, 'entró', 'entraron')} al editar el pedido, y lo que se quitó es de otra tarifa de IVA o vale menos.`,
        ({ number, rest }: { number: string; rest: string | null }) =>
          `Emita a mano la nota de crédito: de la factura que se emitió por lo que entró, si la hay; si no, de lo que se quitó de la factura ${number}, con su tarifa.${restByHand(rest)}`,
      ],
    },
  ),
} satisfies Readonly<Record<string, Message>>;

const unclearEdit = (refunds: readonly string[]): string =>
  `Al pedido le falta algo de lo que vendió, y lo que la tienda dice de sus reembolsos (${refunds.join(', ')}) no permite saber si se quitó al editarlo o se devolvió, ni cuánto se cobró por lo que queda.`;
