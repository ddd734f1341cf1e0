import { showCents } from './holds-order.ts';
import { byWhy, type Message, type Texts } from './message.ts';

export const inStatus = (status: string): string =>
  status === '' ? ' (la tienda no dice el estado del pago)' : ` (estado «${status}»)`;

export const accept = 'acéptelo con «facturapuente accept» y el id de este documento';

/** A balance that its refunds cannot give back paid part of the money; `rest`: what they can. */
export interface Balance {
  names: string;
  kept: string;
  amount: string;
  /** null: all of it was paid so. */
  rest: string | null;
}

function keptBalance({ names, kept, amount, rest }: Balance): string {
  const paid =
    rest === null ? `los ${amount} que quedan se pagaron` : `quedan ${kept} cobrados, ${amount} de ellos`;
  return `${paid} con ${names}, un saldo de la tienda`;
}

const byPolicy =
  'decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice) o no lleva documento (nothing)';

export interface Status {
  status: string;
}

export interface ReusedId {
  id: string;
  /** "#104, del 22/11/2026 a las 09:39:04": two orders with one number may be of the same day. */
  was: string;
  now: string;
}

export const moneyHolds = {
  'unknown-access-key': byWhy(
    [
      'El pedido ya lleva una clave de acceso que este registro no conoce.',
      'Si es la factura de esta venta, no facture nada más; si es de otra, «accept DOCUMENTO».',
    ],
    {
      unknown: [
        ({ key }: { key: string }) =>
          `El pedido ya lleva la clave de acceso ${key}, que este sistema no registra.`,
        `Búsquela en el portal del SRI: si es la factura de esta venta, no facture nada más; si no, ${accept}, y se factura.`,
      ],
      copied: [
        ({ key, order }: { key: string /** Null: of another shop. */; order: string | null }) =>
          `El pedido ya lleva la clave de acceso ${key}, que es ${order === null ? 'de un pedido de otra tienda' : `del pedido ${order}`} y se copió a este.`,
        `Si este pedido se cobró aparte, ${accept}, y se factura; si es el mismo cobro, no facture nada más.`,
      ],
      'not-a-key': [
        ({ text }: { text: string }) =>
          `El campo de la clave de acceso del pedido dice «${text}», que no es una clave: tiene 49 dígitos.`,
        'Si la venta ya tiene factura, escriba allí su clave; si no, quite ese texto y se factura.',
      ],
    },
  ),
  'order-id-reused': byWhy(
    [
      'La tienda dio a otro pedido el id de uno que este registro ya conoce (restauración de una copia, tienda reinstalada).',
      'Compruebe qué pedidos son. Si es otra venta, «accept DOCUMENTO»; si no, emita a mano.',
    ],
    {
      other: [
        ({ id, was, now }: ReusedId) =>
          `La tienda tiene ahora otro pedido con el id ${id}: este registro lo conoce como ${was}, y el de ahora es ${now}. Suele pasar cuando la tienda se restaura de una copia. No se factura, acredita ni escribe nada por el de ahora, y lo del anterior queda como está.`,
        `Si es otra venta, ${accept}, o factúrela a mano.`,
      ],
    },
  ),
  'order-replaced': [
    'La tienda dio el id de este pedido a otra venta, que una persona aceptó, y ya no tiene este pedido: no hay de qué hacer el documento.',
    'Si la venta existió, emítalo a mano.',
  ],
  'changed-after-payment': byWhy(
    [
      'El total del pedido no es el que tenía cuando se pagó.',
      'Si se cobró el total de ahora, «accept DOCUMENTO»; si no, devuelva el pedido a lo cobrado y registre lo devuelto como reembolso. policy.changedAfterPayment: current lo factura siempre.',
    ],
    {
      edited: [
        ({ paid, now }: Texts<'paid' | 'now'>) =>
          `El pedido cobró ${paid} cuando se pagó y ahora suma ${now}: se editó después del pago.`,
        `Si se cobró la diferencia, o se devolvió fuera de la tienda, ${accept}; si no, devuelva el pedido a lo que se cobró (lo devuelto se registra como reembolso). policy.changedAfterPayment: current factura siempre lo que el pedido suma.`,
      ],
      'without-cents': [
        ({ paid, now }: Texts<'paid' | 'now'>) =>
          `El pedido cobró ${paid} cuando se pagó y la tienda, que muestra sus precios sin centavos, dice ahora ${now}.`,
        showCents,
      ],
    },
  ),
  'cancelled-kept': byWhy(
    [
      'Está cancelado, o se le quitó todo al editarlo, y queda dinero cobrado, antes o después de la factura.',
      'Devuelva el dinero en la tienda, o decida en policy.cancelledOrders si lo cobrado se factura o no lleva documento; si ya se facturó, solo invoice lo deja en pie.',
    ],
    {
      kept: [
        ({ kept }: { kept: string }) => `El pedido está cancelado y quedan ${kept} cobrados.`,
        `Devuelva ese dinero en la tienda, o ${byPolicy}.`,
      ],
      part: [
        ({ price, kept, deposit }: Texts<'price' | 'kept'> & { deposit: boolean }) =>
          `El pedido está cancelado y de los ${price} de su precio entró solo ${deposit ? 'un anticipo, del' : 'una parte, de la'} que quedan ${kept}.`,
        'Devuelva ese dinero en la tienda, o emita a mano el documento por lo que se queda; con policy.cancelledOrders en nothing no lleva ninguno.',
      ],
      balance: [
        (balance: Balance) =>
          `El pedido está cancelado y ${keptBalance(balance)} que sus reembolsos no devuelven.`,
        ({ rest }: Balance) =>
          `Devuelva en la tienda los otros ${rest}; lo que pase con el saldo se pregunta después. O ${byPolicy}.`,
      ],
      'only-balance': [
        (balance: Balance) => `El pedido está cancelado y ${keptBalance(balance)} del que no dice si volvió.`,
        'Si volvió, no lleva documento; si no, emita a mano el documento por lo que se queda; con policy.cancelledOrders en nothing no lleva ninguno.',
      ],
      'beside-others': [
        ({ kept, others }: Texts<'kept' | 'others'>) =>
          `El pedido está cancelado y quedan ${kept} cobrados, además de lo de los pedidos que salieron de él (${others}).`,
        'Devuelva ese dinero en la tienda, o emita a mano el documento por lo que se queda.',
      ],
      edited: [
        ({ owed }: { owed: string }) =>
          `El pedido está cancelado y se editó después de pagado: de lo cobrado quedan ${owed} que no son de nada que venda, y no se pueden facturar.`,
        'Devuélvalos en la tienda, y lo demás se factura; o emita a mano el documento por lo que se queda.',
      ],
      emptied: [
        ({ owed }: { owed: string }) =>
          `Al pedido se le quitó todo al editarlo después de pagado, y quedan ${owed} por devolver al comprador.`,
        'Devuelva ese dinero en la tienda, con lo que no lleva factura; si la venta sigue en pie, agregue de nuevo al pedido lo que se vendió.',
      ],
      invoiced: [
        ({
          number,
          trashed,
          kept,
          recorded,
          balance,
        }: Texts<'number' | 'kept'> & {
          trashed: boolean /** Whether the shop says that it was paid. */;
          recorded: boolean;
          balance: Balance | null;
        }) => {
          const money = balance
            ? keptBalance(balance)
            : `quedan ${kept} ${recorded ? 'cobrados' : 'que la tienda no registra como cobrados'}`;
          return `El pedido ${trashed ? 'se envió a la papelera' : 'se canceló'} después de su factura ${number}, que sigue en pie, y ${money}.`;
        },
        ({
          trashed,
          balance,
          consumer,
        }: {
          trashed: boolean;
          balance: Balance | null;
          /** A factura of consumidor final cannot be credited. */
          consumer: boolean;
        }) =>
          `${trashed ? 'Restáurelo; si' : 'Si'} ${undone(balance, consumer)}${trashed ? '' : '; si queda como venta, ponga policy.cancelledOrders en invoice'}.`,
      ],
    },
  ),
  'status-not-accepted': byWhy(
    [
      'Está pagado, en un estado que no está en paidStatuses.',
      'Agregue ese estado a paidStatuses en la conexión de la tienda, o cambie el estado del pedido. Uno de pedidos sin pagar (on-hold, pending, failed), o que dice que se pagó una parte, no se agrega.',
    ],
    {
      status: [
        ({ status }: Status) =>
          `El pedido tiene fecha de pago y el estado «${status}» no está en paidStatuses: no se factura mientras siga en él.`,
        ({ status }: Status) =>
          `Agregue «${status}» a paidStatuses en la conexión de la tienda, o cambie el estado del pedido.`,
      ],
      deposit: [
        ({ status, paid, of }: Status & Texts<'paid' | 'of'>) =>
          `El pedido es el anticipo de ${paid} de una venta de ${of}, cuyo resto será otro pedido, y su estado «${status}» no está en paidStatuses.`,
        ({ status }: Status) =>
          `Para facturar los anticipos cuando entran, agregue «${status}» a paidStatuses en la conexión de la tienda; si no, su factura sale cuando la tienda lo pase a un estado de paidStatuses.`,
      ],
      part: [
        ({ status }: Status) =>
          `El pedido tiene fecha de pago y el estado «${status}», que dice que se pagó solo una parte: no se factura mientras siga en él.`,
        ({ status }: Status) =>
          `Cuando se pague el resto, cámbielo a un estado de paidStatuses; no agregue «${status}» a paidStatuses, salvo que el total de esos pedidos sea lo que ya entró.`,
      ],
      unpaid: [
        ({ status }: Status) =>
          `El pedido tiene fecha de pago y ahora está en «${status}», el estado de un pedido sin pagar.`,
        ({ status }: Status) =>
          `Si el dinero sigue en la tienda, páselo a Procesando o Completado; si volvió o nunca entró, registre su reembolso: cancelarlo no basta, porque WooCommerce conserva la fecha de pago. No agregue «${status}» a paidStatuses.`,
      ],
    },
  ),
  'payment-date-missing': byWhy(
    [
      'Está en un estado de pagado y la tienda no registra la fecha del pago (contra entrega).',
      'Si está pagado, páselo a pendiente de pago y después a Completado; o agregue la forma de pago a invoiceUnpaidMethods en la conexión.',
    ],
    {
      method: [
        ({ status, method }: Status & { method: string }) =>
          `El pedido está en el estado «${status}» y la tienda no registra la fecha de su pago con «${method}».`,
        ({ status, method, setting }: Status & Texts<'method' | 'setting'>) =>
          `${status === 'processing' ? 'Cuando se cobre, páselo' : 'Si está pagado, páselo a pendiente de pago y después'} a Completado, con lo que WooCommerce guarda la fecha; o agregue «${method}» a ${setting} en la conexión para facturar sin esperar esa fecha.`,
      ],
      'no-method': [
        ({ status }: Status) =>
          `El pedido está en el estado «${status}» y la tienda no registra ni la fecha ni el medio de su pago.`,
        'Si está pagado, páselo a pendiente de pago y después a Completado, con lo que WooCommerce guarda la fecha; si no, déjelo en pendiente.',
      ],
    },
  ),
  'refund-missing': byWhy(
    [
      'Figura como reembolsado, entero o en parte, y sus reembolsos no lo dicen.',
      'Registre el reembolso que falta, o devuélvale su estado de pagado.',
      'Devuelva el dinero con un reembolso de la tienda, no solo cambiando el estado.',
    ],
    {
      whole: [
        ({ status, back, total }: Status & Texts<'back' | 'total'>) =>
          `El pedido figura como reembolsado (estado «${status}»), pero sus reembolsos suman ${back} de los ${total} cobrados.`,
        (of: OfFactura) => registerIt(of),
      ],
      part: [
        ({ status }: Status) =>
          `El pedido figura como reembolsado en parte (estado «${status}»), pero la tienda no tiene ningún reembolso de dinero suyo.`,
        (of: OfFactura) => registerIt(of),
      ],
    },
  ),
  unplanned: [
    'La tienda tiene el pedido y el registro todavía no lo planificó.',
    'Espere a la próxima búsqueda, o ejecute «facturapuente sync».',
  ],
} satisfies Readonly<Record<string, Message>>;

export interface OfFactura {
  factura: string | null;
}

const registerIt = ({ factura }: OfFactura): string =>
  `Registre en la tienda el reembolso que falta, ${factura === null ? 'o devuelva al pedido su estado de pagado para facturar lo que queda' : `para que salga la nota de crédito de la factura ${factura}, o devuelva al pedido su estado de pagado`}.`;

export function undone(balance: Balance | null, consumer: boolean): string {
  if (!balance)
    return `la venta se deshizo, registre en la tienda el reembolso de ese dinero${consumer ? '' : ', del que sale la nota de crédito'}`;
  return balance.rest === null
    ? `ese saldo volvió al comprador, emita a mano la nota de crédito de esos ${balance.amount}`
    : `la venta se deshizo, registre en la tienda el reembolso de los otros ${balance.rest}; lo que pase con el saldo se pregunta después`;
}
