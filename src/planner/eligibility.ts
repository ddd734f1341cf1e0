import { ecuadorDay } from '../domain/clock.ts';
import { type Amount, Decimal, decimal, roundsToZero, sum, toAmount } from '../domain/money.ts';
import {
  deletedStatus,
  fingerprintOf,
  hasCents,
  isSameOrder,
  isSameRefund,
  isStoredValue,
  type Order,
  type OrderFingerprint,
  type PaidTotal,
  paidTotalOf,
} from '../domain/order.ts';
import {
  hold,
  type KeyOwner,
  manual,
  nothing,
  type PlanInput,
  type PlannedDocument,
  type Verdict,
  wait,
} from './action.ts';
import { walletOf } from './refunds/detail.ts';
import { returned } from './refunds/overpaid.ts';
import * as say from './refunds/sentences.ts';
import { soldInOtherOrder } from './split-orders.ts';
import { notAccepted, notPaidYet, unpaidAgain } from './unpaid.ts';

/** Decides about an order before its money is mapped; null: map it. */
export function verdictBeforeMapping(input: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  return (
    (current ? byFactura(current, input) : null) ??
    history(input, current) ??
    soldInOtherOrder(input) ??
    byMoney(input, current) ??
    unneeded(input) ??
    reusedId(input) ??
    suspicious(input) ??
    changedAfterPayment(input)
  );
}

/** The order's factura that counts: one that is not cancelled. */
export function currentFactura(documents: readonly PlannedDocument[]): PlannedDocument | undefined {
  return documents.find(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
}

/** Of a factura that was sent, or whose number is known. */
function byFactura(current: PlannedDocument, { order }: PlanInput): Verdict | null {
  if (current.state === 'authorized' && current.annulledAt)
    return nothing(
      'factura-annulled',
      'La factura de este pedido figura ANULADA en el portal del SRI. Si la venta sigue en pie, emita a mano otra factura.',
    );
  // Everything went back, and the number was never registered: there is nothing to correct it for.
  if (current.state === 'rejected' && moneyLeft(order).lte(0)) return say.nothingLeft;
  return byDocument(current);
}

/** A document that has been sent, or may have been, is not planned again. Null for any other. */
export function byDocument({
  kind,
  state,
  code,
  reason,
}: Pick<PlannedDocument, 'kind' | 'state' | 'code' | 'reason'>): Verdict | null {
  const isFactura = kind === 'factura';
  const name = isFactura ? 'La factura' : 'La nota de crédito';
  const ofSource = isFactura ? `${name} de este pedido` : `${name} de este reembolso`;
  switch (state) {
    case 'authorized':
      return nothing(isFactura ? 'already-invoiced' : 'already-credited', `${ofSource} ya está autorizada.`);
    case 'sending':
    case 'processing':
      return wait('in-process', `${ofSource} está en proceso de autorización.`);
    case 'uncertain':
      return wait('uncertain', `${name} fue enviada y se está averiguando si el servicio la recibió.`);
    case 'rejected':
      return hold(
        code ?? 'rejected',
        reason ??
          `${name} fue rechazada por el servicio sin un motivo. Revise los datos del pedido y del emisor.`,
      );
    case 'manual':
      return manual(
        code ?? 'manual',
        reason ?? `${name} necesita una decisión. Compruebe en el servicio si fue autorizada.`,
      );
    default:
      return null;
  }
}

/** Sales paid before `invoiceFrom` that have no document yet. */
function history({ order, invoiceFrom }: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  const unsettled = order.settlement === 'unpaid' || order.settlement === 'partially-paid';
  const waits = unsettled && order.notAccepted?.waits !== false;
  const paidAt = new Date(order.paidAt ?? order.placedAt);
  if (current || waits || paidAt >= invoiceFrom) return null;
  return nothing(
    'before-start',
    'El pedido se pagó antes de la fecha desde la que se factura (invoiceFrom).',
  );
}

function unneeded({ order, store }: PlanInput): Verdict | null {
  if (roundsToZero(order.total) && store.policy.freeOrders === 'nothing') {
    return nothing('free', 'El pedido no cobró nada y por política no se factura.');
  }
  const { as } = store.policy.giftCardsSold;
  if ((as === 'nothing' || as === 'exclude') && onlyGiftCards(order)) {
    return nothing(
      'only-gift-cards',
      'El pedido solo vende tarjetas de regalo: es un anticipo, y se factura lo que se compre con ellas.',
    );
  }
  if (!roundsToZero(order.total) && !isNegative(order) && moneyLeft(order).lte(0)) return say.nothingLeft;
  if (order.test && store.issuer.ambiente === 2) {
    return nothing('test-order', 'Es un pedido de prueba y no se factura en producción.');
  }
  return null;
}

/** Apart from gift cards and discounts on them, nothing was charged; and no tax at all. */
function onlyGiftCards(order: Order): boolean {
  const { lines, charges } = order;
  const cards = lines.filter(({ kind }) => kind === 'gift-card');
  const rest = [...lines.filter(({ kind }) => kind !== 'gift-card'), ...charges];
  return (
    cards.length > 0 &&
    cards.every((card) => isStoredValue(card, order)) &&
    rest.every(({ net, tax }) => roundsToZero(net) && roundsToZero(tax))
  );
}

function whose({ keyOwners = [] }: PlanInput, accessKey: string): string {
  const owner = keyOwners.find((one) => one.accessKey === accessKey);
  if (!owner) return 'que este sistema no registra. Compruebe si ya fue facturado antes de continuar.';
  const of = owner.orderName === null ? 'de un pedido de otra tienda' : `del pedido ${owner.orderName}`;
  return `que es ${of} y se copió a este. Si este pedido se cobró aparte, quite de él los campos de facturapuente para que se facture; si es el mismo cobro, no facture nada más.`;
}

/** An access key on the order that no document of ours has: the sale may already be invoiced. */
export function unknownKey({ order, documents, keyOwners = [] }: PlanInput): string | undefined {
  const known = [...documents, ...keyOwners.filter(isCopied(order))];
  const ours = new Set(known.map(({ accessKey }) => accessKey));
  return order.accessKeys.find((key) => !ours.has(key));
}

/** A renewal or duplicate paid by itself, at another instant: the key came with copied meta data. */
const isCopied =
  ({ paidAt }: Order) =>
  (owner: KeyOwner): boolean =>
    owner.orderName !== null && owner.paidAt !== null && paidAt !== null && owner.paidAt !== paidAt;

/** The shop reused the id of another order. */
function reusedId({ order, reused }: PlanInput): Verdict | null {
  if (!reused) return null;
  return hold(
    'order-id-reused',
    `La tienda tiene ahora otro pedido con el id ${order.id}: este registro lo conoce como ${dated(reused)}, y el de ahora es ${dated(fingerprintOf(order))}. Suele pasar cuando la tienda se restaura de una copia. No se factura, acredita ni escribe nada por el de ahora, y lo del anterior queda como está. Si es otra venta, acéptelo con «facturapuente retry», --accept y el id de este documento, o factúrela a mano.`,
  );
}

/** "#104, del 22/11/2026 a las 09:39:04": two orders with one number may be of the same day. */
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

/** What was charged is the total at the time of payment; refunds do not change it. */
function changedAfterPayment({ order, paid, store }: PlanInput): Verdict | null {
  if (!paid || store.policy.changedAfterPayment === 'current') return null;
  const { total, currency } = paid;
  // What an edit took out and the shop gave back explains a lower total.
  const less = Decimal.max(0, Decimal.min(returned(order), decimal(total).minus(order.total)));
  const now = decimal(order.total).plus(less);
  if (currency === order.currency && now.minus(total).abs().lt('0.01')) return null;
  if (!hasCents(order.total))
    return hold(
      'changed-after-payment',
      `El pedido cobró ${toAmount(total)} ${currency} cuando se pagó y la tienda, que muestra sus precios sin centavos, dice ahora ${order.total} ${order.currency}. Ponga en 2 el número de decimales de los precios en la tienda (WooCommerce → Ajustes → General) y guarde el pedido otra vez.`,
    );
  return hold(
    'changed-after-payment',
    `El pedido cobró ${toAmount(total)} ${currency} cuando se pagó y ahora suma ${toAmount(order.total)} ${order.currency}: se editó después del pago. Si se cobró la diferencia, o se devolvió fuera de la tienda, acéptelo con «facturapuente retry», --accept y el id de este documento; si no, devuelva el pedido a lo que se cobró (lo devuelto se registra como reembolso). policy.changedAfterPayment: current factura siempre lo que el pedido suma.`,
  );
}

function suspicious(input: PlanInput): Verdict | null {
  const { order } = input;
  const key = unknownKey(input);
  if (key) {
    return hold('unknown-access-key', `El pedido ya lleva la clave de acceso ${key}, ${whose(input, key)}`);
  }
  if (order.currency !== 'USD') {
    return hold(
      'currency',
      `El pedido cobró ${toAmount(order.total)} ${order.currency} y solo se factura en dólares de los Estados Unidos. Venda en USD en la tienda, o emita esta factura a mano por su valor en dólares.`,
    );
  }
  return null;
}

/** The order's status and its money together: not paid (yet), nothing left, or a contradiction. Null: paid. */
function byMoney(input: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  const { order } = input;
  switch (order.settlement) {
    case 'draft':
      return nothing('draft', 'El pedido es un borrador.');
    case 'cancelled':
      return cancelled(input);
    case 'refunded':
      return refundMissing(order) ?? (isNegative(order) ? null : say.nothingLeft);
    case 'partially-refunded':
      return refundMissing(order);
    case 'unpaid':
    case 'partially-paid':
      // A document that waits for its account would leave for money that was not received.
      if (current?.state === 'ready') return hold(order.settlement, unpaidAgain(order));
      return order.notAccepted
        ? (unneeded(input) ?? notAccepted(order, order.notAccepted))
        : notPaidYet(order, order.settlement);
    default:
      return null;
  }
}

/** The total, or the deposit where the rest never came in. */
const received = ({ total, deposit }: Order): Amount =>
  deposit?.total === 'order' ? (deposit.paid ?? total) : total;

/** Orders that can no longer be changed in the shop; WooCommerce empties its trash after a month. */
const thrownAway = [deletedStatus, 'trash'];

/** Cancelling moves no money: what was paid and not given back is held until the merchant says what it is. */
function cancelled({ order, store }: PlanInput): Verdict | null {
  const noDocument = nothing('cancelled', 'El pedido está cancelado y no se factura.');
  const { cancelledOrders } = store.policy;
  if (order.paidAt === null || thrownAway.includes(order.status) || cancelledOrders === 'nothing')
    return noDocument;
  const unknown = order.refunds.find(({ amount }) => amount === null);
  if (unknown) return say.unknownMoney(unknown);
  const kept = moneyLeft({ ...order, total: received(order) });
  if (kept.lte(0)) return roundsToZero(order.total) ? noDocument : say.nothingLeft;
  const moving = order.refunds.find(({ pending }) => !decimal(pending).isZero());
  if (moving) return say.pendingMoney(moving);
  if (order.deposit?.total === 'order')
    return hold(
      'cancelled-kept',
      `El pedido está cancelado y de los ${order.deposit.of} de su precio entró solo un anticipo, del que quedan ${toAmount(kept)}. Devuelva ese dinero en la tienda, o emita a mano el documento por lo que se queda; con policy.cancelledOrders en nothing no lleva ninguno.`,
    );
  if (cancelledOrders === 'invoice') return null;
  return hold(
    'cancelled-kept',
    `El pedido está cancelado y quedan ${toAmount(kept)} cobrados. Devuelva ese dinero en la tienda, o decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice) o no lleva documento (nothing).`,
  );
}

/** The same after the factura was sent; money on its way back is reported with its refund. */
export function keptAfter({ order, store }: PlanInput, factura: string): Verdict | null {
  // One that was deleted for good cannot be changed any more; the close reports it.
  if (order.settlement !== 'cancelled' || order.status === deletedStatus) return null;
  if (store.policy.cancelledOrders === 'invoice' || order.refunds.some(({ amount }) => amount === null))
    return null;
  const kept = moneyLeft(order).minus(sum(order.refunds.map(({ pending }) => pending)));
  if (kept.lte(0)) return null;
  const inTrash = order.status === 'trash';
  // Cash on delivery may be invoiced before it is paid.
  const money = `quedan ${toAmount(kept)} ${order.paidAt === null ? 'que la tienda no registra como cobrados' : 'cobrados'}`;
  return manual(
    'cancelled-kept',
    `El pedido ${inTrash ? 'se envió a la papelera' : 'se canceló'} después de su factura ${factura}, que sigue en pie, y ${money}. ${inTrash ? 'Restáurelo; si' : 'Si'} la venta se deshizo, registre en la tienda el reembolso de ese dinero, del que sale la nota de crédito${inTrash ? '' : '; si queda como venta, ponga policy.cancelledOrders en invoice'}.`,
  );
}

/**
 * The status says refunded and the refunds do not add up to it: it stays when a refund is deleted (measured on WooCommerce
 * 11.0.1), and a merchant may set it by hand. A refund of unknown amount may be what is missing. `factura`: its number
 * once sent.
 */
export function refundMissing(order: Order, factura: string | null = null): Verdict | null {
  const { total, refunds, status, settlement } = order;
  if (settlement !== 'refunded' && settlement !== 'partially-refunded') return null;
  if (refunds.some(({ amount }) => amount === null)) return null;
  const back = toAmount(sum(refunds.flatMap(({ amount, pending }) => [amount ?? '0', pending])));
  const least = settlement === 'refunded' ? toAmount(received(order)) : '0.01';
  if (decimal(back).gte(least) || (settlement === 'partially-refunded' && returned(order).gt(0))) return null;
  const wallet = walletOf(order);
  if (wallet && settlement === 'refunded' && (!wallet.isKnown || wallet.amount.plus(back).gte(total)))
    return hold(
      'refund-wallet',
      `El pedido figura como reembolsado (estado «${status}»): volvieron ${back} y los otros ${toAmount(decimal(total).minus(back))} se pagaron con ${wallet.names}, un saldo del que la tienda no dice si también volvió. Si volvió, no hay nada más que facturar; si no, emita a mano el documento por lo que quedó.`,
    );
  const [is, reported] =
    settlement === 'refunded'
      ? ['reembolsado', `sus reembolsos suman ${back} de los ${toAmount(total)} cobrados`]
      : ['reembolsado en parte', 'la tienda no tiene ningún reembolso de dinero suyo'];
  return hold(
    'refund-missing',
    `El pedido figura como ${is} (estado «${status}»), pero ${reported}. Registre en la tienda el reembolso que falta, ${factura === null ? 'o devuelva al pedido su estado de pagado para facturar lo que queda' : `para que salga la nota de crédito de la factura ${factura}, o devuelva al pedido su estado de pagado`}.`,
  );
}

/** Negative fees above what is sold: a mistake that the mapper reports. */
const isNegative = ({ total }: Order): boolean => decimal(total).lt(0);

/** What the buyer paid and did not get back, what is owed to him included; a refund of unknown amount counts as zero. */
export function moneyLeft({ total, overpaid = '0', refunds }: Order): Decimal {
  const back = refunds.flatMap(({ amount, ofOverpaid }) => [amount ?? '0', ofOverpaid ?? '0']);
  return decimal(total).plus(overpaid).minus(sum(back));
}

/** An order as the ledger has it; `snapshot` is the order as last read. */
export interface KnownOrder {
  snapshot: Order;
  fingerprint: OrderFingerprint | null;
  paid: PaidTotal | null;
}

/** What a reading of an order means beside what is known of its id. */
export interface Bound {
  /** What the id means from now on, and the total the order was paid with. */
  fingerprint: OrderFingerprint;
  paid: PaidTotal | null;
  /** The order the id belongs to, when the reading is another order and that one still matters; else null. */
  reused: OrderFingerprint | null;
  /** The id belonged to another order that does not matter: a draft, or one that was never paid. */
  taken: boolean;
}

/**
 * Compares a reading with what its id meant when it was first read. Another order takes over the id only when nothing came of
 * the one before: it has no document and was never paid, or was deleted. `whenPaid`: the order as the shop sent it when it
 * was paid, when that was kept.
 */
export function boundTo(
  order: Order,
  known: KnownOrder | undefined,
  documents: readonly PlannedDocument[],
  whenPaid: Order | null,
): Bound {
  const now = fingerprintOf(order);
  const first = { fingerprint: now, paid: paidTotalOf(whenPaid ?? order), reused: null, taken: false };
  if (!known) return first;
  const was = known.fingerprint ?? fingerprintOf(known.snapshot);
  if (isSameOrder(was, now)) {
    const fingerprint = { ...was, key: was.key ?? now.key };
    return { fingerprint, paid: paidSince(known, order, whenPaid), reused: null, taken: false };
  }
  const { paidAt, status } = known.snapshot;
  const matters =
    (paidAt !== null && status !== deletedStatus) ||
    documents.some(({ state, fingerprint }) => state !== 'cancelled' && !isOf(fingerprint, now));
  if (!matters) return { ...first, taken: true };
  return { fingerprint: was, paid: known.paid, reused: was, taken: false };
}

const isOf = (fingerprint: OrderFingerprint | null | undefined, order: OrderFingerprint): boolean =>
  fingerprint != null && isSameOrder(fingerprint, order);

/** What was charged stands, until the shop states a later payment. */
function paidSince({ paid, snapshot }: KnownOrder, order: Order, whenPaid: Order | null): PaidTotal | null {
  const now = paidTotalOf(order);
  if (!now || !paid) return paid ?? paidTotalOf(whenPaid ?? order);
  const cameLater = (now.at !== null && now.at !== paid.at) || snapshot.settlement === 'partially-paid';
  return cameLater ? now : paid;
}

type Made = Pick<PlannedDocument, 'orderId' | 'kind' | 'sourceId' | 'fingerprint'>;

/** Whether a document was made for this order, whatever its refunds; one without a fingerprint was. */
export function isOfThatOrder(order: Order): (document: Made) => boolean {
  const now = fingerprintOf(order);
  return ({ orderId, fingerprint }) =>
    (orderId === undefined || orderId === order.id) && (!fingerprint || isSameOrder(fingerprint, now));
}

/** Whether a document was made for this order or refund, not for one that had its id before. */
export function isDocumentOf(order: Order): (document: Made) => boolean {
  const isOfOrder = isOfThatOrder(order);
  return (document) => {
    const { kind, sourceId, fingerprint } = document;
    if (kind !== 'nota-credito' || !fingerprint || !isOfOrder(document)) return isOfOrder(document);
    const refund = order.refunds.find(({ id }) => id === sourceId);
    return refund === undefined || isSameRefund(fingerprint, refund);
  };
}
