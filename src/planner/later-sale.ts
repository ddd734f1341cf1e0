import { balanceOf } from '../../mappers/credit/balance.ts';
import { type Amount, Decimal, decimal, sum, toAmount } from '../domain/money.ts';
import { deletedStatus, type Order, type Refund, type RefundPart, sourceOf } from '../domain/order.ts';
import {
  type Action,
  makeAction,
  manual,
  type PlanInput,
  type PlannedDocument,
  type SentContent,
  type Verdict,
} from './action.ts';
import { addedAndRemoved, mostRounding, partsOfNothing, rateOf } from './edited-rows.ts';
import { acceptable, balanceIn, isPaidStill, refundMissing } from './order-money.ts';
import { annulBy } from './refunds/annulment.ts';
import {
  addedParts,
  addedSince,
  grownBy,
  knownTo,
  moneyLeft,
  returned,
  sourcesIn,
} from './refunds/beside-factura.ts';
import { unclearWallet } from './refunds/detail.ts';
import { type Authorized, authorizedFactura, inOrder, worth } from './refunds/records.ts';
import { takenOver } from './split-orders.ts';

/* Refunds are credited by themselves (refunds/); other changes after a factura are reported, at most one at a time. */

export function laterSale(input: PlanInput, owed: Decimal): Action[] {
  const factura = authorizedFactura(input.documents);
  if (!factura) return [];
  const later =
    keptOf(input, factura) ??
    withoutRefund(input, factura) ??
    edited(input, factura, owed) ??
    noLongerPaid(input, factura);
  return later ? [laterAction(input, later.verdict, later.money)] : [];
}

interface Later {
  verdict: Verdict;
  money: Amount;
}

function keptOf({ order, store }: PlanInput, { sent, annulledAt }: Authorized): Later | null {
  // An order deleted for good cannot be changed any more; the close reports it.
  if (annulledAt || order.settlement !== 'cancelled' || order.status === deletedStatus) return null;
  if (store.policy.cancelledOrders === 'invoice' || order.refunds.some(({ amount }) => amount === null))
    return null;
  const kept = moneyLeft(order).minus(sum(order.refunds.map(({ pending }) => pending)));
  if (kept.lte(0)) return null;
  const inTrash = order.status === 'trash';
  const balance = balanceIn(order, kept);
  // The refund asks for it.
  if (balance?.rest === null && order.refunds.some((refund) => unclearWallet(order, refund) !== null))
    return null;
  const verdict = manual('cancelled-kept', {
    why: 'invoiced',
    number: sent.number,
    trashed: inTrash,
    kept: toAmount(kept),
    balance,
    // Cash on delivery may be invoiced before it is paid.
    recorded: order.paidAt !== null,
    consumer: isFinal(sent),
  });
  return { verdict, money: toAmount(kept) };
}

const returnedNothing = ({ refunds }: Order): boolean =>
  refunds.every(({ amount, ofOverpaid = '0' }) => sum([amount ?? '0', ofOverpaid]).isZero());

const isFinal = ({ comprador }: SentContent): boolean => comprador.tipo_identificacion === '07';

function noLongerPaid({ order, store, now }: PlanInput, { sent, annulledAt }: Authorized): Later | null {
  if (annulledAt || isPaidStill(order) || order.unclearEdit) return null;
  if (order.refunds.some(({ amount }) => amount === null)) return null;
  const left = moneyLeft(order).minus(sum(order.refunds.map(({ pending }) => pending)));
  if (left.lte(0)) return null;
  // Refunds of more than an edited order was owed make it paid in part.
  if (order.settlement === 'partially-paid' && !returnedNothing(order)) return null;
  const consumer = isFinal(sent);
  const { number, issueDate } = sent;
  const verdict = manual('unpaid-after-invoice', {
    why: 'unpaid',
    number,
    status: order.status,
    accepted: acceptable(order),
    consumer,
    missing: order.settlement === 'partially-paid' ? null : toAmount(left),
    annulBy: consumer ? null : annulBy(issueDate, now, store.policy.creditNotes.holidays),
  });
  return { verdict, money: toAmount(left) };
}

function withoutRefund({ order, documents }: PlanInput, { sent }: Authorized): Later | null {
  const missing = refundMissing(order, sent.number);
  if (!missing || documents.some(isOfDeleted(order))) return null;
  return { verdict: { ...missing, action: 'manual' }, money: toAmount(order.total) };
}

/** A nota de crédito or reduced factura whose refund the shop no longer has is reported by itself. */
function isOfDeleted({ refunds }: Order): (document: PlannedDocument) => boolean {
  const isGone = (id: string): boolean => !refunds.some((refund) => refund.id === id);
  return ({ kind, sourceId, state, sent }) =>
    state !== 'cancelled' &&
    (kind === 'nota-credito' ? isGone(sourceId) : (sent?.nettedRefunds ?? []).some(isGone));
}

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
  const back = since(order, sent).flatMap((refund) => addedParts(order, refund, sent));
  const more = grown.minus(worth(back)).minus(addedAndRemoved(order, sent));
  return more.gt('0.01') ? { verdict: grew(order, sent, toAmount(more)), money: toAmount(more) } : null;
}

const reduced = ({ total }: Order, { number }: SentContent, less: Amount): Verdict =>
  manual('edited-after-invoice', { why: 'reduced', number, total: toAmount(total), less });

function exchange(order: Order, sent: SentContent, added: readonly Changed[], money: Decimal): Verdict {
  return manual('edited-after-invoice', {
    why: 'items',
    number: sent.number,
    items: added.map(({ name }) => name),
    credit: toAmount(money),
    invoice: toAmount(grossOf(added)),
    refunds: since(order, sent).map(({ id }) => id),
  });
}

function otherRate({ number }: SentContent, changed: readonly Rerated[]): Verdict {
  const [credit, invoice] = [changed.map(({ was }) => was), changed.map(({ now }) => now)].map((some) =>
    toAmount(sum(some)),
  ) as [Amount, Amount];
  const items = changed.map(({ name }) => name);
  return manual('edited-after-invoice', { why: 'rate', number, items, credit, invoice });
}

function grew({ refunds, settlement, status }: Order, sent: SentContent, more: Amount): Verdict {
  const { number, nettedRefunds } = sent;
  const gone = nettedRefunds.filter((id) => !refunds.some((refund) => refund.id === id));
  if (gone.length > 0) return manual('refund-deleted', { why: 'netted', number, refunds: gone, more });
  return ['paid', 'partially-refunded', 'refunded'].includes(settlement)
    ? manual('edited-after-invoice', { why: 'paid', number, more })
    : manual('edited-after-invoice', { why: 'unpaid', number, more, status });
}

function laterAction({ order, store, documents }: PlanInput, decided: Verdict, money: Amount): Action {
  const { platform, shop, id: sourceId } = order;
  const { ambiente } = store.issuer;
  const ordinal = documents.filter(({ kind }) => kind === 'factura').length + 1;
  return makeAction({ platform, shop, ambiente, kind: 'factura', sourceId, ordinal }, decided, money);
}

/** USD with taxes, and percent of IVA. */
interface Changed {
  name: string;
  rate: Decimal;
  gross: Decimal;
}

interface Change {
  /** By how much the order charges more than its factura; below zero: less. */
  grown: Decimal;
  /** What the order sells and the factura does not state, less what came back of it. */
  added: Changed[];
  /** What the factura states, and the order neither sells any more nor gave back; all of it where nothing is found. */
  left: Changed[];
  exchanged: Decimal;
}

function changeSince(order: Order, sent: SentContent, owed: Decimal): Change {
  const grown = grownSince(order, sent, owed);
  // Units that came back are still in the lines of an order, unless it was edited.
  const isCurrent = order.overpaid !== undefined;
  const refunds = since(order, sent);
  const rows = addedSince(order, sent).map((item) => ({
    name: item.name,
    rate: rateOf(item),
    gross: worth([item]).minus(isCurrent ? 0 : givenBack(refunds, sourceOf(item))),
  }));
  const before = order.refunds.filter(({ id }) => sent.nettedRefunds.includes(id));
  const sold = new Map([...order.lines, ...order.charges].map((item) => [sourceOf(item), item]));
  const { items, groups } = balanceOf(sent, []);
  const stated = items.map(({ source, item, gross }) => {
    const own = sold.get(source);
    const group = groups.find(({ row }) => row.codigo_porcentaje === String(item.tipo_iva));
    const back = own && !isCurrent ? givenBack(before, source).negated() : givenBack(refunds, source);
    const now = own ? worth([own]).plus(back) : back;
    return { name: item.descripcion, rate: decimal(group?.row.tarifa ?? 0), gross: gross.minus(now) };
  });
  const left = [...stated.filter(({ gross }) => gross.gt(mostRounding)), ...discountsIn(order, sent)];
  const isNamed = before.every(({ parts }) => parts !== null && parts.length > 0);
  const risen = stated.flatMap(({ gross, ...row }) =>
    isNamed && left.length > 0 && gross.lt(`-${mostRounding}`) ? [{ ...row, gross: gross.negated() }] : [],
  );
  const added = [...rows.filter(({ gross }) => gross.gt('0.01')), ...risen];
  return {
    grown,
    added,
    left: left.length > 0 ? left : stated,
    exchanged: grossOf(added).minus(Decimal.max(0, grown)),
  };
}

const grossOf = (some: readonly Changed[]): Decimal => sum(some.map(({ gross }) => gross));
const isOneRate = ([first, ...rest]: readonly Changed[]): boolean =>
  rest.every(({ rate }) => first !== undefined && rate.eq(first.rate));

const discountsIn = ({ charges }: Order, { lineReferences }: SentContent): Changed[] =>
  charges.flatMap((charge) => {
    const isStated = lineReferences.some(({ source }) => source === sourceOf(charge));
    const gross = worth([charge]).negated();
    return isStated || gross.lte(0) ? [] : [{ name: charge.name, rate: rateOf(charge), gross }];
  });

function givenBack(refunds: readonly Refund[], source: string): Decimal {
  return sum(
    refunds.map(({ amount, parts }) => {
      const whole = worth(parts ?? []);
      const own = worth((parts ?? []).filter(({ of }) => of === source));
      return whole.gt(0) && whole.gt(amount ?? whole) ? own.times(amount ?? whole).div(whole) : own;
    }),
  );
}

function grownSince(order: Order, sent: SentContent, owed: Decimal): Decimal {
  // Money owed when the factura was sent, and neither back nor owed now, paid for what an edit added.
  const before = decimal(sent.overpaid ?? '0').minus(returned(order));
  const paid = grownBy(order, sent).plus(Decimal.max(0, before.minus(owed)));
  const { ofLines, others } = takenOut(order, sent);
  const grown = paid.plus(ofLines);
  return grown.plus(Decimal.min(others, Decimal.max(0, grown.negated())));
}

/** What went back and was then removed: neither the order's total nor the factura's notas de crédito lack it. */
function takenOut(order: Order, sent: SentContent): { ofLines: Decimal; others: Decimal } {
  if (order.settlement === 'cancelled' || isAllBack(order))
    return { ofLines: decimal(0), others: Decimal.max(0, moneyLeft(order).negated()) };
  const there = new Set([...order.lines, ...order.charges].map(sourceOf));
  const isGone = ({ of }: RefundPart): boolean => of !== null && !there.has(of);
  const later = since(order, sent);
  const before = order.refunds.filter(({ id }) => sent.nettedRefunds.includes(id));
  const stated = new Set(sourcesIn(sent));
  const [known, others] = [
    [...before.flatMap(partsIn), ...later.flatMap(partsIn).filter(({ of }) => stated.has(of ?? ''))],
    later.flatMap(partsIn).filter(({ of }) => !stated.has(of ?? '')),
  ].map((parts) => worth(parts.filter(isGone))) as [Decimal, Decimal];
  const amounts = sum(later.flatMap(({ parts, amount }) => (parts?.length === 0 ? [amount ?? '0'] : [])));
  // Units that came back are not in the lines of an edited order, whose total does not contain them.
  return order.overpaid === undefined
    ? { ofLines: known, others: amounts.plus(others) }
    : { ofLines: decimal(0), others: sum([amounts, known, others]) };
}

const partsIn = ({ parts }: Refund): RefundPart[] => parts ?? [];

/** WooCommerce compares what came back with a total that no longer has the rows it came back for. */
export function isAllBack(order: Order): boolean {
  if (order.settlement !== 'refunded') return false;
  return (
    order.status.includes('refunded') ||
    moneyLeft(order)
      .plus(worth(partsOfNothing(order)))
      .lte(0)
  );
}

const since = ({ refunds }: Order, { nettedRefunds }: SentContent): Refund[] =>
  refunds.filter(({ id, amount }) => !decimal(amount ?? '1').isZero() && !nettedRefunds.includes(id));

/** Empty where what was taken out is worth as much at the same rate: then the parts came in for that. */
export function foreignParts(order: Order, refund: Refund, sent: SentContent): RefundPart[] {
  const known = knownTo(sent, order);
  const items = new Map([...order.lines, ...order.charges].map((item) => [sourceOf(item), item]));
  const parts = (refund.parts ?? []).filter(
    ({ of, ...money }) => of !== null && !known.has(of) && isThing(of) && worth([money]).gt(0),
  );
  if (parts.length === 0) return [];
  const before = inOrder(order.refunds);
  const upTo = before.slice(0, before.findIndex(({ id }) => id === refund.id) + 1);
  const { left } = changeSince({ ...order, refunds: upTo }, sent, decimal(0));
  const isOf = (part: RefundPart, rate: Decimal): boolean => {
    const item = items.get(part.of ?? '');
    return item ? rateOf(item).eq(rate) : isTaxedAt(part, rate);
  };
  const isExchanged =
    left.every(({ rate }) => parts.every((part) => isOf(part, rate))) &&
    worth(parts).lte(grossOf(left).plus(mostRounding));
  return isExchanged ? [] : parts;
}

/** The shop changed the rate in place: the net is the factura's, the tax is not. */
export function rerated({ lines, charges }: Order, sent: SentContent): Rerated[] {
  const sold = new Map([...lines, ...charges].map((item) => [sourceOf(item), item]));
  const { items, groups } = balanceOf(sent, []);
  return items.flatMap(({ source, item, gross, base }) => {
    const own = sold.get(source);
    const rate = groups.find(({ row }) => row.codigo_porcentaje === String(item.tipo_iva))?.row.tarifa;
    if (!own || rate === undefined || rateOf(own).eq(rate)) return [];
    const isSameNet = base.minus(own.net).abs().lte('0.02');
    const isSameWorth = gross
      .minus(worth([own]))
      .abs()
      .lte(mostRounding);
    return isSameNet && !isSameWorth ? [{ source, name: own.name, was: gross, now: worth([own]) }] : [];
  });
}

interface Rerated {
  source: string;
  name: string;
  /** With IVA, on the factura and in the order. */
  was: Decimal;
  now: Decimal;
}

/** Fees and duties of Shopify have no ids of their own in every reading. */
const isThing = (source: string): boolean => /^(line|shipping):/.test(source);

const isTaxedAt = ({ net, tax }: RefundPart, rate: Decimal): boolean =>
  decimal(net).times(rate).div(100).minus(tax).abs().lte('0.02');
