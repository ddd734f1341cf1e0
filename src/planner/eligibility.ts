import { ecuadorDay } from '../domain/calendar.ts';
import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { fingerprintOf, type OrderFingerprint } from '../domain/order-fingerprint.ts';
import type { KeyOwner, PlanInput, PlannedDocument } from './input.ts';
import { type Verdict, verdict } from './make-action.ts';
import { nothingLeft } from './refunds/sentences.ts';
import { byMoney, isNegative, moneyLeft } from './settled.ts';

/**
 * What can be said about an order before its money is mapped: documents that are on their way or done, orders
 * that need none, and orders a person must look at. Null = go on to map it.
 */
export function verdictBeforeMapping(input: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  return (
    (current ? byDocument(current, input) : null) ??
    history(input, current) ??
    byMoney(input, current) ??
    unneeded(input) ??
    reusedId(input) ??
    suspicious(input) ??
    changedAfterPayment(input)
  );
}

/** The order's factura that counts: cancelled ones keep their identity, but nothing more. */
export function currentFactura(documents: readonly PlannedDocument[]): PlannedDocument | undefined {
  return documents.find(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
}

/** A document that has a number or may have left is never planned anew. */
function byDocument(current: PlannedDocument, { order }: PlanInput): Verdict | null {
  switch (current.state) {
    case 'authorized':
      if (current.annulledAt)
        return verdict(
          'nothing',
          'factura-annulled',
          'La factura de este pedido figura ANULADA en el portal del SRI. Si la venta sigue en pie, emita a mano otra factura.',
        );
      return verdict('nothing', 'already-invoiced', 'La factura de este pedido ya está autorizada.');
    case 'sending':
    case 'processing':
      return verdict('wait', 'in-process', 'La factura de este pedido está en proceso de autorización.');
    case 'uncertain':
      return verdict(
        'wait',
        'uncertain',
        'La factura fue enviada y se está averiguando si el servicio la recibió.',
      );
    case 'rejected':
      // Everything went back, and its number was never registered: nothing is left to correct it for.
      if (moneyLeft(order).lte(0)) return nothingLeft;
      return verdict(
        'hold',
        current.code ?? 'rejected',
        current.reason ??
          'El servicio rechazó la factura sin dar un motivo. Revise los datos del pedido y del emisor.',
      );
    case 'manual':
      return verdict(
        'manual',
        current.code ?? 'manual',
        current.reason ?? 'La factura necesita una decisión. Compruebe en el servicio si fue autorizada.',
      );
    default:
      return null;
  }
}

/** Only sales nobody has taken up yet are history: a held one was paid in our time. */
function history({ order, invoiceFrom }: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  const unsettled = order.settlement === 'unpaid' || order.settlement === 'partially-paid';
  const waits = unsettled && order.notAccepted?.waits !== false;
  const paidAt = new Date(order.paidAt ?? order.placedAt);
  if (current || waits || paidAt >= invoiceFrom) return null;
  return verdict(
    'nothing',
    'before-start',
    'El pedido se pagó antes de la fecha desde la que se factura (invoiceFrom).',
  );
}

function unneeded({ order, store }: PlanInput): Verdict | null {
  if (decimal(order.total).isZero() && store.policy.freeOrders === 'nothing') {
    return verdict('nothing', 'free', 'El pedido no cobró nada y por política no se factura.');
  }
  const { as } = store.policy.giftCardsSold;
  if ((as === 'nothing' || as === 'exclude') && onlyGiftCards(order)) {
    return verdict(
      'nothing',
      'only-gift-cards',
      'El pedido solo vende tarjetas de regalo: es un anticipo, y se factura lo que se compre con ellas.',
    );
  }
  if (!decimal(order.total).isZero() && !isNegative(order) && moneyLeft(order).lte(0)) return nothingLeft;
  if (order.test && store.issuer.ambiente === 2) {
    return verdict('nothing', 'test-order', 'Es un pedido de prueba y no se factura en producción.');
  }
  return null;
}

/** Nothing else was charged, discounts on them aside, and no tax. */
function onlyGiftCards({ lines, charges }: Order): boolean {
  const cards = lines.filter(({ kind }) => kind === 'gift-card');
  const rest = [...lines.filter(({ kind }) => kind !== 'gift-card'), ...charges];
  return (
    cards.length > 0 &&
    cards.every(({ tax }) => isZero(tax)) &&
    rest.every(({ net, tax }) => isZero(net) && isZero(tax))
  );
}

const isZero = (amount: Amount): boolean => decimal(amount).isZero();

function whose({ keyOwners = [] }: PlanInput, accessKey: string): string {
  const owner = keyOwners.find((one) => one.accessKey === accessKey);
  if (!owner) return 'que este sistema no registra. Compruebe si ya fue facturado antes de continuar.';
  const of = owner.orderName === null ? 'de un pedido de otra tienda' : `del pedido ${owner.orderName}`;
  return `que es ${of} y se copió a este. Si este pedido se cobró aparte, quite de él los campos de facturapuente para que se facture; si es el mismo cobro, no facture nada más.`;
}

/** An access key of ours on the order that is no document's of it: somebody may have invoiced it already. */
export function foreignKey(input: PlanInput): string | undefined {
  const { order, documents, keyOwners = [] } = input;
  const known = [...documents, ...keyOwners.filter(isCopied(order))];
  const ours = new Set(known.map(({ accessKey }) => accessKey));
  return order.accessKeys.find((key) => !ours.has(key));
}

/**
 * A renewal or a duplicate that was paid by itself is a sale of its own: the key came with the meta data of the other
 * order. One that has the other one's payment, to the second, may be the same sale written twice.
 */
const isCopied =
  ({ paidAt }: Order) =>
  (owner: KeyOwner): boolean =>
    owner.orderName !== null && owner.paidAt !== null && paidAt !== null && owner.paidAt !== paidAt;

/** The shop gave the id of an order again: nobody may take the one for the other. */
function reusedId({ order, reused }: PlanInput): Verdict | null {
  if (!reused) return null;
  return verdict(
    'hold',
    'order-id-reused',
    `La tienda tiene ahora otro pedido con el id ${order.id}: este registro lo conoce como ${dated(reused)}, y el de ahora es ${dated(fingerprintOf(order))}. Suele pasar cuando la tienda se restaura de una copia. No se factura, acredita ni escribe nada por el de ahora, y lo del anterior queda como está. Si es otra venta, acéptelo con «facturapuente retry», --accept y el id de este documento, o factúrela a mano.`,
  );
}

/** "#104, del 22/11/2026 a las 09:39:04": two orders of one number may be of one day. */
function dated({ name, placedAt }: OrderFingerprint): string {
  const at = new Date(placedAt);
  const [year, month, day] = ecuadorDay(at).split('-');
  const time = new Intl.DateTimeFormat('es-EC', {
    timeZone: 'America/Guayaquil',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return `${name}, del ${day}/${month}/${year} a las ${time.format(at)}`;
}

/** What was charged is what the order said when it was paid; refunds leave the total as it is. */
function changedAfterPayment({ order, paid, store }: PlanInput): Verdict | null {
  if (!paid || store.policy.changedAfterPayment === 'current') return null;
  const { total, currency } = paid;
  if (currency === order.currency && decimal(order.total).minus(total).abs().lt('0.01')) return null;
  return verdict(
    'hold',
    'changed-after-payment',
    `El pedido cobró ${toAmount(total)} ${currency} cuando se pagó y ahora suma ${toAmount(order.total)} ${order.currency}: se editó después del pago. Si se cobró la diferencia, o se devolvió fuera de la tienda, acéptelo con «facturapuente retry», --accept y el id de este documento; si no, devuelva el pedido a lo que se cobró (lo devuelto se registra como reembolso). policy.changedAfterPayment: current factura siempre lo que el pedido suma.`,
  );
}

function suspicious(input: PlanInput): Verdict | null {
  const { order } = input;
  const foreign = foreignKey(input);
  if (foreign) {
    return verdict(
      'hold',
      'foreign-access-key',
      `El pedido ya lleva la clave de acceso ${foreign}, ${whose(input, foreign)}`,
    );
  }
  if (order.currency !== 'USD') {
    return verdict(
      'hold',
      'currency',
      `El pedido cobró ${toAmount(order.total)} ${order.currency} y solo se factura en dólares de los Estados Unidos. Venda en USD en la tienda, o emita esta factura a mano por su valor en dólares.`,
    );
  }
  return null;
}
