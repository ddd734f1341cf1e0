import { inStatus } from './holds-money.ts';
import { byWhy, final, type Group, goesOn, type Kind, many, named, type Texts } from './message.ts';

/** Gift cards that a factura omits, as "«Tarjeta» por 20.00". */
export type Cards = readonly { item: string; amount: string }[];

const sayCards = (cards: Cards): string =>
  cards.map(({ item, amount }) => `«${item}» por ${amount}`).join(', ');

/** The order names another one, and may have been edited to the sum of both. */
export const relatedNote = (order: string): string =>
  `Dice venir del pedido ${order}: si aquel se editó después de pagado, compruebe que no se facture lo mismo dos veces.`;

export interface PaidSoFar {
  status: string;
  deposit: { paid: string | null; of: string } | null;
}

function notPaid({ status, deposit }: PaidSoFar): string {
  const so = deposit
    ? `: la tienda registra ${deposit.paid === null ? 'solo un anticipo' : `un anticipo de ${deposit.paid}`} de los ${deposit.of}. La factura sale por el total cuando se pague el resto y el pedido pase a un estado de paidStatuses`
    : '';
  return `El pedido aún no está pagado por completo${inStatus(status)}${so}.`;
}

const unpaidAgain = ({ status }: { status: string }): string =>
  `El pedido dejó de estar pagado por completo antes de que su factura saliera${inStatus(status)}: la factura espera y sale cuando el pedido figure pagado.`;

const checkData = 'Revise los datos del pedido y del emisor, y reintente el documento (retry).';

export interface RoundedOff {
  money: string;
  total: string;
  cents: string;
  less: boolean;
}

export function saysRoundedOff({ money, total, cents, less }: RoundedOff): string {
  const apart = cents === '1' ? 'un centavo' : `${cents} centavos`;
  return less
    ? `Se devolvieron ${money} y la nota de crédito es por ${total}, ${apart} menos: ninguna base en centavos da esa suma con su IVA. Lo que falta va en la próxima nota de crédito de la factura, si la hay.`
    : `Se devolvieron ${money} y la nota de crédito es por ${total}, ${apart} más: compensa el redondeo de otra nota de crédito de la factura.`;
}

export const documents = {
  title: 'Documentos en camino, terminados o que no hacen falta',
  seen: 'Los mismos lugares.',
  entries: {
    paid: byWhy(['El pedido está pagado y se factura.', goesOn], {
      whole: 'El pedido está pagado y se factura por el total cobrado.',
      edited: ({
        received,
        total,
        owed,
        returned,
      }: Texts<'received' | 'total' | 'returned'> & {
        /** null means nothing. */
        owed: string | null;
      }) =>
        `El pedido se editó después de pagado: se recibieron ${received} y se factura por los ${total} que vale ahora; ${owed === null ? `los otros ${returned} ya se devolvieron` : `quedan ${owed} por devolver al comprador, que no se facturan`}.`,
      'without-cards': ({ cards }: { cards: Cards }) =>
        `El pedido está pagado y se factura sin las tarjetas de regalo: ${sayCards(cards)}.`,
      'less-refunds': ({
        total,
        charged,
        refunds,
        cards,
      }: Texts<'total' | 'charged'> & { refunds: readonly string[]; cards: Cards }) =>
        `El pedido cobró ${total} y se factura por los ${charged} que quedan después ${refunds.length === 1 ? `del reembolso ${refunds[0]}` : `de los reembolsos ${refunds.join(', ')}`}${cards.length > 0 ? `, sin las tarjetas de regalo: ${sayCards(cards)}` : ''}.`,
    }),
    refunded: byWhy(['El reembolso lleva su nota de crédito.', goesOn], {
      credited: ({
        refund,
        money,
        number,
        whole,
        cards,
        rounded,
        byLine,
      }: Texts<'refund' | 'money' | 'number'> & {
        whole: string;
        cards: string | null;
        rounded: RoundedOff | null /** What it will be for where the service sums the IVA by line. */;
        byLine: string | null;
      }) =>
        [
          cards === null
            ? `El reembolso ${refund} devolvió ${money} y se acredita a la factura ${number}.`
            : `El reembolso ${refund} devolvió ${whole}: ${cards} de tarjetas de regalo, que la factura ${number} no incluye, y ${money} que se le acreditan.`,
          ...(rounded === null ? [] : [saysRoundedOff(rounded)]),
          ...(byLine === null ? [] : [`Si el servicio suma el IVA línea por línea, saldrá por ${byLine}.`]),
        ].join(' '),
    }),
    unpaid: byWhy(['El pedido aún no está pagado.', goesOn], { waits: notPaid, again: unpaidAgain }),
    'partially-paid': byWhy(
      [
        'El pedido está pagado en parte; después de una semana queda retenido.',
        'Sale solo cuando se cobre el resto; si no se va a cobrar, quítelo del pedido en la tienda.',
      ],
      {
        waits: [notPaid, goesOn],
        again: [unpaidAgain, goesOn],
        overdue: [
          ({ status, days, total }: Texts<'status' | 'total'> & { days: number }) =>
            `El pedido se pagó solo en parte${inStatus(status)} hace más de ${days} días, y su total es ${total}.`,
          'Si el resto se va a cobrar, la factura sale sola cuando el pedido figure pagado; si no, quite del pedido en la tienda lo que no se cobró, y sale por lo demás, o emita a mano la factura por lo cobrado.',
        ],
      },
    ),
    'in-process': byWhy(['El documento está en proceso de autorización.', goesOn], {
      factura: 'La factura de este pedido está en proceso de autorización.',
      'nota-credito': 'La nota de crédito de este reembolso está en proceso de autorización.',
    }),
    'answer-lost': byWhy(
      [
        'El documento se envió y se perdió la respuesta; se averigua si el servicio lo recibió, o se repite el mismo número.',
        goesOn,
      ],
      {
        factura:
          'La factura se envió y se perdió la respuesta; se averigua si el servicio la recibió, o se repite el mismo número.',
        'nota-credito':
          'La nota de crédito se envió y se perdió la respuesta; se averigua si el servicio la recibió, o se repite el mismo número.',
      },
    ),
    'key-unexpected': [
      'El servicio respondió con una clave de acceso que no se esperaba; se pregunta por ella antes de darla por buena.',
      goesOn,
    ],
    'refund-pending': byWhy(['El dinero del reembolso todavía está en camino.', goesOn], {
      refund: ({ refund, pending }: Texts<'refund' | 'pending'>) =>
        `La devolución de ${pending} del reembolso ${refund} todavía está en camino; la nota de crédito sale cuando el dinero se devuelva.`,
      order: [
        ({ refund, money, pending }: Texts<'refund' | 'money' | 'pending'>) =>
          `El reembolso ${refund} devolvió ${money} y faltan ${pending} por devolver; la factura sale cuando termine.`,
        'Si la devolución no va a completarse, corríjala en la tienda.',
      ],
    }),
    'factura-in-process': [
      ({ refund = '' }: { refund?: string }) =>
        `La factura del pedido aún no está autorizada; la nota de crédito del reembolso${refund && ` ${refund}`} sale cuando lo esté.`,
      goesOn,
    ],
    'factura-unsettled': byWhy(
      ['La factura necesita una corrección antes que su nota de crédito.', 'Resuelva la factura.'],
      {
        factura: [
          ({ refund }: { refund: string }) =>
            `La factura del pedido no está autorizada y necesita una corrección; lo que devolvió el reembolso ${refund} se resuelve después de ella.`,
          goesOn,
        ],
        undecided: [
          ({ refund, money }: Texts<'refund' | 'money'>) =>
            `El reembolso ${refund} devolvió ${money} de un pedido del que aún no se sabe si se factura con otro: se resuelve cuando eso se decida.`,
          goesOn,
        ],
      },
    ),
    'factura-content-unknown': [
      'La factura del pedido está autorizada con una clave que se dio a mano, y no se conoce lo que se envió en ella.',
      ({ refund = '' }: { refund?: string }) =>
        `Emita a mano la nota de crédito del reembolso${refund && ` ${refund}`}, salvo que esa factura ya no lo incluya.`,
    ],
    reprocess: [
      'El SRI devolvió un error ajeno al documento; se vuelve a procesar.',
      'Corrija lo que diga la frase; si no dice nada, espere.',
    ],
    refused: byWhy(
      [
        'El servicio no aceptó el documento, con sus propias palabras.',
        'Corrija el dato que nombra y reintente el documento (retry), o cambie el pedido.',
      ],
      {
        factura: ['La factura fue rechazada por el servicio sin un motivo.', checkData],
        'nota-credito': ['La nota de crédito fue rechazada por el servicio sin un motivo.', checkData],
      },
    ),
    'not-authorised': [
      'El SRI no autorizó el documento.',
      'Vea con «facturapuente error CÓDIGO» qué significa el código del SRI; corregida la causa, reintente el documento (retry).',
    ],
    'number-registered': [
      'El SRI o el servicio ya tiene ese número y no se sabe con qué clave.',
      'Búsquelo en el portal del SRI y dé su clave con «facturapuente adopt DOCUMENTO CLAVE»; si la venta no tiene comprobante, «facturapuente new-number DOCUMENTO».',
    ],
    'key-unknown': [
      'Ningún aviso trajo la clave de acceso de un envío que pudo autorizarse, o el servicio responde que no la conoce.',
      'Búsquelo por su número y dé su clave con «facturapuente adopt DOCUMENTO CLAVE»; si la venta no tiene comprobante, «facturapuente new-number DOCUMENTO».',
    ],
    'key-gone': [
      'La clave API con la que se envió ya no está en la configuración.',
      'Añádala otra vez en apiKeys.',
    ],
    unconfirmed: [
      'Desde hace un día el servicio no dice si fue autorizado; se sigue preguntando.',
      'Búsquelo en el portal del SRI; si está autorizado, dé su clave con «facturapuente adopt DOCUMENTO CLAVE».',
    ],
    'rounding-difference': [
      'El servicio redondeó el IVA a su manera: el documento se autorizó por un centavo más o menos.',
      goesOn,
    ],
    'stored-differs': byWhy(
      [
        'El servicio tiene autorizado un documento de esta misma venta con otro comprador u otro total.',
        'Compárelos; si es el correcto, dé su clave con adopt y --unverified. No se emite otro.',
      ],
      {
        found: [
          ({
            kind,
            number,
            key,
            total,
            order,
          }: { kind: Kind } & Texts<'number' | 'key' | 'total' | 'order'>) =>
            `El servicio tiene autorizada ${named(kind)} ${number} de este pedido (clave ${key}, total ${total}), que el registro había perdido, y su comprador o su total no son los que el pedido ${order} tiene ahora.`,
          'No se emite otra: compárelas y, si es la correcta, dé su clave con facturapuente adopt y --unverified.',
        ],
      },
    ),
    'ledger-older': byWhy(
      [
        'Su número es de otro documento de la tienda, que el registro había perdido.',
        'Espere: toma el suyo, si ya lo tenía, o un número nuevo cuando la serie siga.',
      ],
      {
        'had-own': [
          ({ kind }: { kind: Kind }) =>
            `El pedido ya tenía ${named(kind)} autorizada, que el registro había perdido.`,
          final,
        ],
      },
    ),
    'number-conflict': [
      'Otro sistema usó ese número.',
      'Resuelva primero la serie detenida (series-stopped); después reintente el documento (retry), que toma un número nuevo. Si aquel pudo ser suyo, dé su clave con «facturapuente adopt DOCUMENTO CLAVE», o «facturapuente new-number DOCUMENTO» si comprobó que la venta no tiene comprobante.',
    ],
    'series-stopped': [
      'La serie está detenida porque otro sistema usó un número suyo.',
      'Elija un punto de emisión propio, o suba series.first más allá de lo usado y reinicie.',
    ],
    'series-exhausted': [
      'La serie dio su último número, 999999999.',
      'Abra otro punto de emisión en el SRI, escríbalo en la configuración y reinicie.',
    ],
    'document-annulled': byWhy(
      [
        'Alguien lo anuló en el portal del SRI; no se acredita.',
        'Si la venta sigue en pie, emita a mano otro documento.',
      ],
      {
        factura: [
          'La factura de este pedido figura ANULADA en el portal del SRI.',
          'Si la venta sigue en pie, emita a mano otra factura.',
        ],
        refund: [
          ({ refund, money, number }: Texts<'refund' | 'money' | 'number'>) =>
            `La factura ${number} figura ANULADA en el portal del SRI y ya no se acredita: el reembolso ${refund} por ${money} no lleva nota de crédito.`,
          'Si una parte de la venta sigue en pie, emita a mano otra factura por ella.',
        ],
      },
    ),
    manual: byWhy(
      [
        'El documento necesita una decisión y no se sabe más.',
        'Compruebe en el servicio si fue autorizado: si lo fue, dé su clave con «facturapuente adopt DOCUMENTO CLAVE»; si no, reintente el documento (retry).',
      ],
      {
        factura: 'La factura necesita una decisión y no se sabe más.',
        'nota-credito': 'La nota de crédito necesita una decisión y no se sabe más.',
      },
    ),
    replaced: ['Otro documento ocupa su lugar; su número queda como hueco explicado.', final],
    'already-authorised': byWhy(['El documento ya está autorizado.', final], {
      factura: 'La factura de este pedido ya está autorizada.',
      'nota-credito': 'La nota de crédito de este reembolso ya está autorizada.',
    }),
    netted: byWhy(['El reembolso se descontó de la factura, que se emite por lo que queda.', final], {
      sent: ({ refund, number }: { refund: string; number: string }) =>
        `El reembolso ${refund} ya se descontó de la factura ${number}, que se emitió por lo que quedaba.`,
      before: ({ refund, held }: { refund: string; held: boolean }) =>
        `El reembolso ${refund} llegó antes de la factura${held ? ', que está retenida: cuando salga será por lo que queda, y' : ': la factura se emite por lo que queda y'} no hace falta nota de crédito.`,
    }),
    'before-start': [
      ({ refund }: { refund?: string | null }) =>
        refund
          ? `El reembolso ${refund} y su pedido son anteriores a la fecha desde la que se factura (invoiceFrom).`
          : 'El pedido se pagó antes de la fecha desde la que se factura (invoiceFrom).',
      'Nada: es historia.',
    ],
    'fully-refunded': byWhy(['Todo se devolvió antes de facturar.', final], {
      order: 'El pedido fue reembolsado por completo antes de facturarse.',
      refund: ({ refund }: { refund: string }) =>
        `El pedido se devolvió por completo antes de facturarse: el reembolso ${refund} no lleva factura ni nota de crédito.`,
      others: ({ others }: { others: readonly string[] }) =>
        `El pedido vende lo mismo que ${others.join(', ')}, que ${many(others, 'se devolvió', 'se devolvieron')} por completo antes de facturarse: no lleva factura.`,
    }),
    'no-money': byWhy(['No se movió dinero: no se factura ni se acredita nada.', final], {
      free: 'El pedido no cobró nada y por política (policy.freeOrders) no se factura.',
      emptied: ({ owed }: { /** What is left to be given back. */ owed: string }) =>
        `Al pedido se le quitó todo al editarlo después de pagado, y quedan ${owed} por devolver al comprador: no se factura.`,
      refund: ({ refund }: { refund: string }) =>
        `El reembolso ${refund} no devolvió dinero y no lleva nota de crédito.`,
      lines: ({
        refund,
        records,
      }: {
        refund: string /** Those with its money. */;
        records: readonly string[];
      }) =>
        `El reembolso ${refund} solo registró las líneas: su dinero volvió en ${records.length === 1 ? 'el reembolso' : 'los reembolsos'} ${records.join(' y ')} y se resuelve allí.`,
    }),
    'invoiced-with-other': byWhy(
      ['Se factura con el pedido del que sale, o con los que salieron de él (policy.subOrders).', final],
      {
        parent: ({ parent }: { parent: string }) =>
          `Sus líneas se facturan con el pedido ${parent}, del que sale.`,
        children: ({ children }: { children: readonly string[] }) =>
          `Sus líneas se facturan con los pedidos que salieron de él: ${children.join(', ')}.`,
      },
    ),
    'not-invoiced': [
      ({ refund }: { refund?: string }) =>
        `El pedido no lleva factura, así que ${refund === undefined ? 'tampoco' : `el reembolso ${refund} no lleva`} nota de crédito.`,
      final,
    ],
    'outside-factura': byWhy(
      [
        'Se devolvió lo que la factura no incluye: tarjetas de regalo, o lo que sobraba de un pedido editado.',
        final,
      ],
      {
        cards: ({ refund }: { refund: string }) =>
          `El reembolso ${refund} devolvió tarjetas de regalo, que la factura no incluye; no lleva nota de crédito.`,
        overpaid: ({ refund, money }: Texts<'refund' | 'money'>) =>
          `El reembolso ${refund} devolvió ${money} que sobraban después de editar el pedido: la factura no los incluye, y no hay nada que acreditar.`,
      },
    ),
    'only-gift-cards': [
      'El pedido solo vende tarjetas de regalo: es un anticipo, y se factura lo que se compre con ellas.',
      final,
    ],
    'test-order': ['Es un pedido de prueba y no se factura en producción.', final],
    draft: ['El pedido es un borrador.', final],
    cancelled: [
      ({ parent }: { parent?: string | null }) =>
        parent
          ? `El pedido está cancelado, y lo que se cobró es del pedido ${parent}, del que sale: se decide en aquel.`
          : 'El pedido está cancelado y no se factura.',
      final,
    ],
    'buyer-mailed': ['Se envió al comprador el enlace para dar su identificación.', goesOn],
    'buyer-mail-refused': [
      'El correo con el enlace del comprador no se pudo entregar.',
      'Revise su dirección en el pedido, o envíele el enlace por otro medio: lo muestran el panel y «facturapuente identification-link».',
    ],
    'buyer-answered': ['Se dio la identificación del comprador.', goesOn],
  },
} satisfies Group;
