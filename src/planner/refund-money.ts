import { type Amount, type Decimal, decimal, roundCents, sum, toAmount } from '../domain/money.ts';
import {
  chargeSource,
  type Line,
  type Order,
  type Refund,
  type RefundPart,
  sourceOf,
  worth,
} from '../domain/order.ts';
import type { SentContent } from './action.ts';
import { inOrder } from './refund-records.ts';

export interface MoneyOnFactura {
  money: Amount;
  refund: Refund;
  outside: Amount;
  cardsOrGoods: { names: string; amount: Amount } | null;
}

/** `left`: what can be credited of the factura. An amount without lines counts if it is all that is left. */
export function moneyOn(
  factura: Stated,
  order: Order,
  refund: Refund,
  left: Decimal | null = null,
): MoneyOnFactura {
  const cards = cardsOutside(order, factura);
  const sources = new Set([...cards.map(sourceOf), ...leftOutSources(factura)]);
  const isOutside = ({ of }: RefundPart): boolean => of !== null && sources.has(of);
  const parts = refund.parts === null ? null : refund.parts.filter((part) => !isOutside(part));
  const paidFor = (given: Refund): Decimal =>
    cardsWorth((given.parts ?? []).filter(isOutside), order, factura);
  const stated = paidFor(refund);
  const others = order.refunds.filter(
    ({ id, amount }) => id !== refund.id && !decimal(amount ?? '0').isZero(),
  );
  const open = worthOutside(order, factura).minus(sum(others.map(paidFor)));
  const namesParts = (refund.parts ?? []).some(
    ({ net, tax, quantity }) => !sum([net, tax, quantity]).isZero(),
  );
  const given = decimal(refund.amount ?? '0');
  const on = (off: Decimal, cardsOrGoods: MoneyOnFactura['cardsOrGoods'] = null): MoneyOnFactura => {
    const money = given.minus(off);
    return {
      money: toAmount(money.lt(0) ? '0' : money),
      refund: { ...refund, parts },
      outside: toAmount(off),
      cardsOrGoods,
    };
  };
  if (namesParts || open.lte(0) || left === null) return on(stated);
  if (given.gte(left.plus(open))) return on(open);
  const names = cards.map(({ name }) => `«${name}»`).join(', ');
  return on(stated, { names, amount: toAmount(open) });
}

type Stated = Pick<SentContent, 'lineReferences' | 'leftOut'>;

/** Gift cards that a factura left out, whatever the shop and the rules call them now, and those sold since. */
export const cardsOutside = ({ lines }: Order, { lineReferences, leftOut = [] }: Stated): Line[] =>
  lines.filter((line) => {
    const own = sourceOf(line);
    return (
      leftOut.some(({ source }) => source === own) ||
      (line.kind === 'gift-card' && !lineReferences.some(({ source }) => source === own))
    );
  });

export const leftOutSources = ({ leftOut = [] }: Stated): string[] => leftOut.map(({ source }) => source);

export const worthOutside = (order: Order, factura: Stated): Decimal =>
  sum(cardsOutside(order, factura).map((card) => worth([card]).minus(discountOn(factura, sourceOf(card)))));

const discountOn = ({ leftOut = [] }: Stated, own: string): Amount =>
  leftOut.find(({ source }) => source === own)?.discount ?? '0.00';

function cardsWorth(parts: readonly RefundPart[], { lines }: Order, factura: Stated): Decimal {
  return sum(
    parts.map((part) => {
      const card = lines.find((line) => sourceOf(line) === part.of);
      const discount = discountOn(factura, part.of ?? '');
      if (!card || decimal(discount).isZero() || worth([card]).isZero()) return worth([part]);
      const whole = worth([card]);
      return roundCents(worth([part]).times(whole.minus(discount)).div(whole));
    }),
  );
}

/** The overpaid part moves from `amount` to `ofOverpaid`. Applied to its own result it changes nothing. Pure. */
export function withOverpaidReturned(order: Order, sent: SentContent | undefined): Order {
  const overpaid = decimal((sent ? sent.overpaid : order.overpaid) ?? '0');
  let left = overpaid.minus(returned(order));
  if (left.lte(0)) return order;
  const isNetted = ({ id }: Refund): boolean => sent?.nettedRefunds.includes(id) ?? false;
  const oldestFirst = inOrder(order.refunds);
  const split = new Map<string, Refund>();
  for (const refund of [...oldestFirst.filter(isNetted), ...oldestFirst.filter((one) => !isNetted(one))]) {
    if (refund.amount === null || left.lte(0)) continue;
    const isStated = sent && !isNetted(refund) ? namesSomething : isChargeOf(order);
    const parts = refund.parts?.filter(isStated) ?? null;
    const share = decimal(refund.amount).minus(worth(parts ?? []));
    if (share.lte(0)) continue;
    const taken = share.gt(left) ? left : share;
    left = left.minus(taken);
    split.set(refund.id, without(refund, taken, parts));
  }
  if (split.size === 0) return order;
  return { ...order, refunds: order.refunds.map((refund) => split.get(refund.id) ?? refund) };
}

export function stillOwed(order: Order): Decimal {
  return decimal(order.overpaid ?? '0').minus(returned(withOverpaidReturned(order, undefined)));
}

export const returned = ({ refunds }: Order): Decimal =>
  sum(refunds.map(({ ofOverpaid }) => ofOverpaid ?? '0'));

const namesSomething = ({ of }: RefundPart): boolean => of !== null;

/** Units that came back are no longer in the lines of an edited order, so its refunds name charges only. */
const isChargeOf = ({ charges }: Order): ((part: RefundPart) => boolean) => {
  const sources = new Set(charges.map(({ kind, id }) => chargeSource(kind, id)));
  return ({ of }) => of !== null && sources.has(of);
};

function without(refund: Refund, ofOverpaid: Decimal, parts: RefundPart[] | null): Refund {
  const amount = decimal(refund.amount ?? '0').minus(ofOverpaid);
  const rest = amount.isZero() && parts ? [] : parts;
  const discrepancy = rest?.length ? toAmount(amount.minus(worth(rest))) : '0.00';
  return { ...refund, amount: toAmount(amount), ofOverpaid: toAmount(ofOverpaid), parts: rest, discrepancy };
}

/** With what is owed to the buyer; a refund of unknown amount counts as zero. */
export function moneyLeft({
  total,
  overpaid = '0',
  refunds,
}: Pick<Order, 'total' | 'overpaid' | 'refunds'>): Decimal {
  const back = refunds.flatMap(({ amount, ofOverpaid }) => [amount ?? '0', ofOverpaid ?? '0']);
  return decimal(total).plus(overpaid).minus(sum(back));
}
