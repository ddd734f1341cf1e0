import { type Amount, type Decimal, sum, toAmount } from '../domain/money.ts';
import { deletedStatus, type Order } from '../domain/order.ts';
import {
  type Action,
  makeAction,
  manual,
  type PlanInput,
  type PlannedDocument,
  type SentContent,
  type Verdict,
} from './action.ts';
import {
  type Changed,
  changeSince,
  grossOf,
  isAllBack,
  isOneRate,
  type Rerated,
  rerated,
  since,
} from './changes.ts';
import { balanceIn, moneyLeft, refundMissing } from './kept-money.ts';
import { addedParts } from './refunds/beside-factura.ts';
import { unclearWallet } from './refunds/detail.ts';
import { type Authorized, authorizedFactura, worth } from './refunds/records.ts';
import { addedAndRemoved } from './refunds/removed.ts';
import { takenOver } from './split-orders.ts';

/*
 * What became of an order after its factura, which stays. Refunds are credited by themselves (refunds/); what an edit, a status
 * or a cancellation changed is said to a person, at most one thing at a time.
 */

/** `owed`: what the shop still owes the buyer (refunds/overpaid.ts). */
export function laterSale(input: PlanInput, owed: Decimal): Action[] {
  const factura = authorizedFactura(input.documents);
  if (!factura) return [];
  const later = keptOf(input, factura) ?? withoutRefund(input, factura) ?? edited(input, factura, owed);
  return later ? [laterAction(input, later.verdict, later.money)] : [];
}

interface Later {
  verdict: Verdict;
  /** What it is about. */
  money: Amount;
}

/** Cancelled with its money kept; money on its way back is reported with its refund. */
function keptOf({ order, store }: PlanInput, { sent, annulledAt }: Authorized): Later | null {
  // One that was deleted for good cannot be changed any more; the close reports it.
  if (annulledAt || order.settlement !== 'cancelled' || order.status === deletedStatus) return null;
  if (store.policy.cancelledOrders === 'invoice' || order.refunds.some(({ amount }) => amount === null))
    return null;
  const kept = moneyLeft(order).minus(sum(order.refunds.map(({ pending }) => pending)));
  if (kept.lte(0)) return null;
  const inTrash = order.status === 'trash';
  const balance = balanceIn(order, kept);
  // The refund asks for it.
  if (balance?.rest.isZero() && order.refunds.some((refund) => unclearWallet(order, refund) !== null))
    return null;
  // Cash on delivery may be invoiced before it is paid.
  const money =
    balance?.says ??
    `quedan ${toAmount(kept)} ${order.paidAt === null ? 'que la tienda no registra como cobrados' : 'cobrados'}`;
  const verdict = manual(
    'cancelled-kept',
    `El pedido ${inTrash ? 'se envió a la papelera' : 'se canceló'} después de su factura ${sent.number}, que sigue en pie, y ${money}. ${inTrash ? 'Restáurelo; si' : 'Si'} ${undone(balance)}${inTrash ? '' : '; si queda como venta, ponga policy.cancelledOrders en invoice'}.`,
  );
  return { verdict, money: toAmount(kept) };
}

/** What follows when the sale was undone. */
function undone(balance: ReturnType<typeof balanceIn>): string {
  if (!balance)
    return 'la venta se deshizo, registre en la tienda el reembolso de ese dinero, del que sale la nota de crédito';
  return balance.rest.isZero()
    ? `ese saldo volvió al comprador, emita a mano la nota de crédito de esos ${balance.amount}`
    : `la venta se deshizo, registre en la tienda el reembolso de los otros ${toAmount(balance.rest)}; lo que pase con el saldo se pregunta después`;
}

/** Its status says refunded, and no refund does. */
function withoutRefund({ order, documents }: PlanInput, { sent }: Authorized): Later | null {
  const missing = refundMissing(order, sent.number);
  if (!missing || documents.some(isOfDeleted(order))) return null;
  return { verdict: { ...missing, action: 'manual' }, money: toAmount(order.total) };
}

/** A nota de crédito or reduced factura whose refund the shop no longer has; that is reported by itself. */
function isOfDeleted({ refunds }: Order): (document: PlannedDocument) => boolean {
  const isGone = (id: string): boolean => !refunds.some((refund) => refund.id === id);
  return ({ kind, sourceId, state, sent }) =>
    state !== 'cancelled' &&
    (kind === 'nota-credito' ? isGone(sourceId) : (sent?.nettedRefunds ?? []).some(isGone));
}

/** An edit to less, to something of another rate of IVA, or to more. */
function edited(
  { order, documents, relatives = [] }: PlanInput,
  { sent, annulledAt }: Authorized,
  owed: Decimal,
): Later | null {
  if (annulledAt || order.status === deletedStatus || order.unclearEdit) return null;
  const changed = rerated(order, sent);
  if (changed.length > 0 && !isAllBack(order))
    return { verdict: otherRate(sent, changed), money: toAmount(sum(changed.map(({ was }) => was))) };
  const { grown, added, left, exchanged } = changeSince(order, sent, owed);
  // The factura bills what orders that were split from this one sell now.
  const moved = takenOver(order, documents, relatives, sent);
  if (
    grown.lt('-0.01') &&
    grown
      .plus(moved)
      .abs()
      .gt(moved.isZero() ? '0.01' : '0.02')
  ) {
    const verdict = reduced(order, sent, toAmount(grown.negated()));
    return { verdict, money: toAmount(order.total) };
  }
  if (isAllBack(order)) return null;
  if (exchanged.gt('0.01') && !isOneRate([...left, ...added]))
    return { verdict: exchange(order, sent, added, exchanged), money: toAmount(grossOf(added)) };
  // What was added and went back needs no factura.
  const back = since(order, sent).flatMap((refund) => addedParts(order, refund, sent));
  const more = grown.minus(worth(back)).minus(addedAndRemoved(order, sent));
  return more.gt('0.01') ? { verdict: grew(order, sent, toAmount(more)), money: toAmount(more) } : null;
}

const reduced = ({ total }: Order, { number }: SentContent, less: Amount): Verdict =>
  manual(
    'reduced-after-invoice',
    `El pedido se editó después de la factura ${number} y suma ahora ${toAmount(total)}: la factura dice ${less} más. Devuelva el pedido en la tienda a lo que se cobró; si ese dinero se devolvió, registre después su reembolso, del que sale la nota de crédito.`,
  );

/** The nota de crédito by hand is for nothing that refunds gave back: those have their own. */
function exchange(order: Order, sent: SentContent, added: readonly Changed[], money: Decimal): Verdict {
  const names = added.map(({ name }) => `«${name}»`).join(', ');
  const refunds = since(order, sent);
  const apart =
    refunds.length === 0
      ? ''
      : ` Lo que devolvió ${refunds.length === 1 ? `el reembolso ${refunds[0]?.id}` : `cada reembolso (${refunds.map(({ id }) => id).join(', ')})`} va aparte, en su propia nota de crédito: no lo incluya en esta.`;
  return manual(
    'exchanged-after-invoice',
    `El pedido se editó después de la factura ${sent.number}: ${names} se pagó con ${toAmount(money)} de lo que se quitó, y no todo lleva la misma tarifa de IVA. Emita a mano una nota de crédito por esos ${toAmount(money)} de lo que se quitó y una factura por los ${toAmount(grossOf(added))} de lo que se agregó.${apart}`,
  );
}

function otherRate({ number }: SentContent, changed: readonly Rerated[]): Verdict {
  const names = changed.map(({ name }) => `«${name}»`).join(', ');
  const [was, now] = (['was', 'now'] as const).map((at) => toAmount(sum(changed.map((one) => one[at]))));
  return manual(
    'exchanged-after-invoice',
    `En el pedido se cambió después de la factura ${number} la tarifa de IVA de ${names}: ella dice ${was} y el pedido ${now}. Si la tarifa de ahora es la correcta, emita a mano una nota de crédito por esos ${was} y una factura por los ${now}; si no, devuelva a ${names} en la tienda el impuesto que tenía.`,
  );
}

function grew(order: Order, sent: SentContent, more: Amount): Verdict {
  const gone = sent.nettedRefunds.filter((id) => !order.refunds.some((refund) => refund.id === id));
  if (gone.length > 0)
    return manual(
      'netted-refund-deleted',
      `La factura ${sent.number} descontó ${gone.length === 1 ? `el reembolso ${gone[0]}, que la tienda ya no tiene` : `los reembolsos ${gone.join(', ')}, que la tienda ya no tiene`}. Si ese dinero no se devolvió, emita a mano una factura complementaria por ${more}.`,
    );
  return manual(
    'added-after-invoice',
    ['paid', 'partially-refunded', 'refunded'].includes(order.settlement)
      ? `El pedido cobró ${more} más después de la factura ${sent.number}: emita a mano una factura complementaria por lo que se agregó.`
      : `El pedido se editó después de la factura ${sent.number} y suma ${more} más, que la tienda no registra como cobrados (estado «${order.status}»). Cuando se cobren, emita a mano una factura complementaria por lo que se agregó; si no se van a cobrar, quite del pedido lo que se agregó.`,
  );
}

function laterAction({ order, store, documents }: PlanInput, decided: Verdict, money: Amount): Action {
  const { platform, shop, id: sourceId } = order;
  const { ambiente } = store.issuer;
  const ordinal = documents.filter(({ kind }) => kind === 'factura').length + 1;
  return makeAction({ platform, shop, ambiente, kind: 'factura', sourceId, ordinal }, decided, money);
}
