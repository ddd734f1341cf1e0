import type { CreditCalculation } from '../../../mappers/calculation.ts';
import { type Day, ecuadorDay } from '../../domain/clock.ts';
import type { Document } from '../../domain/document.ts';
import { type Amount, decimal, sum, toAmount } from '../../domain/money.ts';
import { creditRounding } from '../../domain/money-policy.ts';
import type { Refund, RefundPart } from '../../domain/order.ts';
import { hold, manual, nothing, type PlannedDocument, type Verdict, wait } from '../action.ts';
import { annulmentAdvice, annulmentDeadline, inWords } from './annulment.ts';

/* What the merchant reads about a refund that becomes no nota de crédito by itself: why, and what to do. */

export const noMoney = ({ id }: Refund): Verdict =>
  nothing('no-money', `El reembolso ${id} no devolvió dinero y no lleva nota de crédito.`);

/** `records`: those with the money. */
export const moneyElsewhere = ({ id }: Refund, records: readonly string[]): Verdict =>
  nothing(
    'money-in-another-record',
    `El reembolso ${id} solo registró las líneas: su dinero volvió en ${records.length === 1 ? 'el reembolso' : 'los reembolsos'} ${records.join(' y ')} y se resuelve allí.`,
  );

export const overpaidReturned = ({ id }: Refund, money: Amount): Verdict =>
  nothing(
    'overpaid-returned',
    `El reembolso ${id} devolvió ${money} que sobraban después de editar el pedido: la factura no los incluye, y no hay nada que acreditar.`,
  );

/** `where`: the order that is invoiced for its lines, as a sentence. */
export const ofOtherOrder = ({ id }: Refund, money: Amount, where: string): Verdict =>
  manual(
    'refund-of-split-order',
    `El reembolso ${id} devolvió ${money}. ${where} Si es de lo que esa factura vende y no está también allí, registre allí el reembolso, sin devolver otra vez el dinero, y sale su nota de crédito; si no, no hay nada que hacer.`,
  );

/** Its order is held until somebody says whether it is invoiced. */
export const ofUndecided = ({ id }: Refund, money: Amount): Verdict =>
  wait(
    'factura-unsettled',
    `El reembolso ${id} devolvió ${money} de un pedido del que aún no se sabe si se factura con otro: se resuelve cuando eso se decida.`,
  );

export const pendingMoney = ({ id, pending }: Refund): Verdict =>
  wait(
    'refund-pending',
    `La devolución de ${pending} del reembolso ${id} todavía está en camino; la nota de crédito sale cuando el dinero se devuelva.`,
  );

export const unknownMoney = ({ id }: Refund): Verdict =>
  hold(
    'refund-amount-unknown',
    `La tienda no indica cuánto devolvió el reembolso ${id} en dólares. Revise el reembolso en la tienda o emita la nota de crédito a mano.`,
  );

export const netted = ({ id }: Refund, number: string): Verdict =>
  nothing(
    'netted',
    `El reembolso ${id} ya se descontó de la factura ${number}, que se emitió por lo que quedaba.`,
  );

export const beforeInvoice = ({ id }: Refund, isHeld: boolean): Verdict =>
  nothing(
    'before-invoice',
    isHeld
      ? `El reembolso ${id} llegó antes de la factura, que está retenida: cuando salga será por lo que queda, y no hace falta nota de crédito.`
      : `El reembolso ${id} llegó antes de la factura: la factura se emite por lo que queda y no hace falta nota de crédito.`,
  );

export const reusedId = (
  { id, at }: Refund,
  { orderName = '', fingerprint }: Pick<PlannedDocument, 'orderName' | 'fingerprint'>,
): Verdict =>
  hold(
    'refund-id-reused',
    `El id ${id} de este reembolso${dayOf(at)} ya es de otro, del pedido ${orderName}${dayOf(fingerprint?.refundAt)}. Suele pasar cuando la tienda se restaura de una copia. No se acredita nada por este reembolso mientras no lo decida una persona: si es otra devolución, acéptelo con «facturapuente retry», --accept y el id de este documento, o emita la nota de crédito a mano.`,
  );

const dayOf = (at: string | null | undefined): string =>
  at ? ` (${ecuadorDay(new Date(at)).split('-').reverse().join('/')})` : '';

/** Of a nota de crédito that is emitted; when it is a cent off the money, why, and what becomes of the cent. */
export function credited(
  { id, amount }: Refund,
  { money, outside }: { money: Amount; outside: Amount },
  { number }: { number: string },
  { document, byLine }: Pick<CreditCalculation, 'document' | 'byLine'>,
): string {
  return [
    decimal(outside).isZero()
      ? `El reembolso ${id} devolvió ${money} y se acredita a la factura ${number}.`
      : `El reembolso ${id} devolvió ${toAmount(amount ?? money)}: ${outside} de tarjetas de regalo, que la factura ${number} no incluye, y ${money} que se le acreditan.`,
    creditRounding(money, document),
    byLine && `Si el servicio suma el IVA línea por línea, saldrá por ${byLine}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Used for the order itself, too. */
export const nothingLeft: Verdict = nothing(
  'fully-refunded',
  'El pedido fue reembolsado por completo antes de facturarse.',
);

export const nothingToInvoice = ({ id }: Refund): Verdict =>
  nothing(
    'fully-refunded',
    `El pedido se devolvió por completo antes de facturarse: el reembolso ${id} no lleva factura ni nota de crédito.`,
  );

export const notInvoiced = ({ id }: Refund): Verdict =>
  nothing('not-invoiced', `El pedido no lleva factura, así que el reembolso ${id} no lleva nota de crédito.`);

export const inProcess = ({ id }: Refund): Verdict =>
  wait(
    'factura-in-process',
    `La factura del pedido aún no está autorizada; la nota de crédito del reembolso ${id} sale cuando lo esté.`,
  );

export const unsettled = ({ id }: Refund): Verdict =>
  wait(
    'factura-unsettled',
    `La factura del pedido no está autorizada y necesita una corrección; lo que devolvió el reembolso ${id} se resuelve después de ella.`,
  );

export const contentUnknown = ({ id }: Refund): Verdict =>
  manual(
    'factura-content-unknown',
    `La factura del pedido está autorizada con una clave que se dio a mano, y no se conoce lo que se envió en ella: emita a mano la nota de crédito del reembolso ${id}, salvo que esa factura ya no lo incluya.`,
  );

export const deleted = (id: string, number: string | null): Verdict =>
  number === null
    ? nothing(
        'refund-deleted',
        `El reembolso ${id} se eliminó en la tienda antes de emitir su nota de crédito.`,
      )
    : manual(
        'refund-deleted',
        `El reembolso ${id} se eliminó en la tienda, pero su nota de crédito ${number} ya fue emitida. Si el dinero no se devolvió, anule la nota de crédito en el portal del SRI con la aceptación del comprador, o emita otra factura.`,
      );

/** `money`: what the shop says now; `credited`: what it had given back when the nota de crédito was made. */
export const failed = (id: string, money: Amount, credited: Amount, number: string): Verdict =>
  manual(
    'refund-deleted',
    `El reembolso ${id} figura ahora con ${money} devueltos y su nota de crédito ${number} se emitió por ${credited}: la devolución falló en la tienda. Si ese dinero volverá al comprador, devuélvalo otra vez por fuera de la tienda, sin registrar otro reembolso; si no, anule la nota de crédito en el portal del SRI con la aceptación del comprador, o emita otra factura por la diferencia.`,
  );

export const finalConsumer = (
  { id }: Refund,
  money: Amount,
  factura: { number: string; issueDate: Day },
  holidays: readonly Day[],
): Verdict =>
  manual(
    'final-consumer',
    `La factura ${factura.number} es de consumidor final y desde 2026 el SRI no admite para ella nota de crédito ni anulación, tampoco en línea dentro del plazo que para otras facturas de ese mes vence el ${inWords(annulmentDeadline(factura.issueDate, holidays))} (resoluciones NAC-DGERCGC25-00000014 y NAC-DGERCGC25-00000017). Registre la devolución de ${money} del reembolso ${id} con su contador, y pida la cédula o el RUC en las próximas ventas.`,
  );

/** `issuer`: who issued the factura; `now`: the store's issuer of today. */
export const otherIssuer = (
  { id }: Refund,
  money: Amount,
  factura: { number: string },
  issuer: Pick<Document, 'ruc' | 'ambiente'>,
  now: { ruc: string },
): Verdict =>
  manual(
    'other-issuer',
    issuer.ruc === now.ruc && issuer.ambiente === 1
      ? `La factura ${factura.number} es de pruebas (ambiente 1) y no tiene valor tributario: el reembolso ${id} no lleva nota de crédito. Si la venta debía facturarse, emita a mano la factura por lo que quedó de ella.`
      : `La factura ${factura.number} se emitió con el RUC ${issuer.ruc} en ambiente ${issuer.ambiente}, que ya no es el emisor de la tienda. Emita a mano, con ese emisor, la nota de crédito de ${money} por el reembolso ${id}.`,
  );

export const forgotten = ({ id }: Refund, money: Amount, factura: { number: string }): Verdict =>
  manual(
    'buyer-forgotten',
    `El reembolso ${id} devolvió ${money} y aquí ya no se guarda quién compró con la factura ${factura.number}, porque terminó su plazo de conservación o se pidió borrarlo. Consulte con su contador si todavía procede una nota de crédito y, si procede, emítala a mano con los datos de la factura autorizada.`,
  );

export const annulled = ({ id }: Refund, money: Amount, factura: { number: string }): Verdict =>
  manual(
    'factura-annulled',
    `La factura ${factura.number} figura ANULADA en el portal del SRI y ya no se acredita: el reembolso ${id} por ${money} no lleva nota de crédito. Si una parte de la venta sigue en pie, emita a mano otra factura por ella.`,
  );

export const notInvoicedLines = (
  { id }: Refund,
  money: Amount,
  added: readonly RefundPart[],
  factura: { number: string },
  isRemoved = false,
): Verdict => {
  const names = namesOf(added);
  return manual(
    'refund-not-invoiced',
    `El reembolso ${id} devolvió ${money} e incluye ${names}, que ${isRemoved ? `ya no está en el pedido ni estuvo en la factura ${factura.number}. Si reemplazó algo de ella, acredítelo a mano. Si no` : `se agregó al pedido después de la factura ${factura.number} y no está en ella. Si lo agregado no`} se facturó, no lleva documento; si se facturó aparte, emita a mano la nota de crédito de esa factura.${restByHand(added, money, factura.number)}`,
  );
};

/** Something came in for what the factura states, and it is not of its rate, or worth more. */
export const exchangedLines = (
  { id }: Refund,
  money: Amount,
  foreign: readonly RefundPart[],
  { number }: { number: string },
): Verdict =>
  manual(
    'refund-not-invoiced',
    `El reembolso ${id} devolvió ${money} e incluye ${namesOf(foreign)}, que no está en la factura ${number}: entró al editar el pedido, y lo que se quitó es de otra tarifa de IVA o vale menos. Emita a mano la nota de crédito: de la factura que se emitió por lo que entró, si la hay; si no, de lo que se quitó de la factura ${number}, con su tarifa.${restByHand(foreign, money, number)}`,
  );

/** The shop changed the rate of something on the factura. */
export const ofOtherRate = (
  { id }: Refund,
  money: Amount,
  changed: readonly { name: string }[],
  { number }: { number: string },
): Verdict =>
  hold(
    'refund-contradiction',
    `El reembolso ${id} devolvió ${money}, y ${namesOf(changed)} lleva ahora en el pedido otra tarifa de IVA que en la factura ${number}. Si ese dinero es el IVA de más, ya va en la nota de crédito y la factura que se emiten a mano por ese cambio; si es otra devolución, emita a mano su nota de crédito.`,
  );

const restByHand = (some: readonly RefundPart[], money: Amount, number: string): string =>
  sum(some.flatMap(({ net, tax }) => [net, tax])).gte(money)
    ? ''
    : ` Lo demás de este reembolso acredítelo a mano sobre la factura ${number}.`;

const namesOf = (some: readonly { name: string }[]): string => some.map(({ name }) => `«${name}»`).join(', ');

export const overCredit = (
  { id }: Refund,
  money: Amount,
  left: Amount,
  factura: { number: string; issueDate: Day },
  at: { now: Date; holidays: readonly Day[]; untouched: boolean },
): Verdict =>
  manual(
    'over-credit',
    `El reembolso ${id} devolvió ${money} y ${
      decimal(left).isZero()
        ? `la factura ${factura.number} ya está acreditada por completo. Revise con su contador ese dinero, que ya no cabe en una nota de crédito.`
        : `de la factura ${factura.number} solo queda ${left} por acreditar. Emita a mano una nota de crédito por hasta ${left} y revise con su contador el resto.`
    }${at.untouched ? annulmentAdvice(factura.issueDate, at.now, at.holidays) : ''}`,
  );

export const elsewhere = (
  { id }: Refund,
  money: Amount,
  issued: Day,
  at: { now: Date; holidays: readonly Day[] },
): Verdict =>
  manual(
    'invoiced-elsewhere',
    `El pedido se facturó fuera de este sistema. Emita la nota de crédito de ${money} por el reembolso ${id} en el sistema que emitió la factura.${annulmentAdvice(issued, at.now, at.holidays, ' y la factura no es de consumidor final')}`,
  );

export const history = ({ id }: Refund): Verdict =>
  nothing(
    'before-start',
    `El reembolso ${id} y su pedido son anteriores a la fecha desde la que se factura (invoiceFrom).`,
  );

export const outside = ({ id }: Refund): Verdict =>
  nothing(
    'outside-factura',
    `El reembolso ${id} devolvió tarjetas de regalo, que la factura no incluye; no lleva nota de crédito.`,
  );
