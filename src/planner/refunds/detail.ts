import { baseOf } from '../../../mappers/cents.ts';
import {
  type Balance,
  balanceOf,
  bottlesWorth,
  type GroupLeft,
  type Issued,
} from '../../../mappers/credit/balance.ts';
import {
  atLeastZero,
  fewCents,
  isContradiction,
  movesMoney,
  namedBy,
} from '../../../mappers/credit/claims.ts';
import { creditOf } from '../../../mappers/credit/credit-of.ts';
import { Hold } from '../../../mappers/hold.ts';
import { ivaRow } from '../../../mappers/tables/taxes.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../../domain/money.ts';
import type { CreditPolicy, IvaCode } from '../../domain/money-policy.ts';
import {
  type Charge,
  type LeftOut,
  type Line,
  type Order,
  type Refund,
  sourceOf,
} from '../../domain/order.ts';
import type { Readings } from '../../messages/holds-refund.ts';
import { moneyOn, type OnFactura } from './beside-factura.ts';
import { isAlike, openOf } from './records.ts';

/** USD. A rate with no more than this left counts as refunded: rounding may leave it (ADR 22). */
const roundingRest = '0.02';

export interface Counted extends Issued {
  refund: Refund | null;
}

export type Netted = Issued & { nettedRefunds: readonly string[]; leftOut?: readonly LeftOut[] };

/** `on.money` is at most what is left. @throws Hold when a person has to decide what the money was for. */
export function holdUnclear(
  order: Order,
  given: Refund,
  on: OnFactura,
  factura: Netted,
  left: { credits: readonly Counted[]; balance: Balance },
  { creditNotes }: CreditPolicy,
): void {
  const { balance } = left;
  if (on.unclear) throw giftCardOrGoods(order, given, on.unclear, balance);
  holdWallet(order, given);
  if (balance.owed.plus(on.money).gte(balance.total)) return;
  holdWithoutDetail(order, on.refund, on.money, balance, creditNotes);
  holdBeyondRate(order, on, factura, left);
}

/** Spread over several rates, money without a purpose would make the refunded tax a guess. */
function holdWithoutDetail(
  order: Order,
  refund: Refund,
  money: Amount,
  balance: Balance,
  { amountOnly }: CreditPolicy['creditNotes'],
): void {
  if (!isMixed(balance)) return;
  if (refund.parts === null) throw new Hold('refund-detail-missing', { refund: refund.id });
  if (amountOnly === 'prorate' || isContradiction(refund, decimal(money))) return;
  const named = namedBy(
    refund,
    decimal(money),
    balance.items.map(({ source }) => source),
  );
  if (named) holdLoose(refund, money, named, balance);
  else if (refund.parts.some(movesMoney) || !namesItsLines(refund, money, balance))
    throw withoutLines(order, refund, money, balance);
}

function withoutLines(order: Order, refund: Refund, money: Amount, balance: Balance): Hold {
  const facts = { refund: refund.id, money: toAmount(money), readings: readings(refund, money, balance) };
  const ofOthers = (refund.parts ?? []).some(movesMoney);
  const { platform } = order;
  const others = rivals(order, money);
  return others.length < 2
    ? new Hold('refund-without-lines', {
        why: 'rates',
        ...facts,
        ofOthers,
        edited: isEdited(order),
        platform,
      })
    : new Hold('refund-without-lines', { why: 'rivals', ...facts, ofOthers, others, platform });
}

function holdLoose(
  refund: Refund,
  money: Amount,
  { asked, isAll }: NonNullable<ReturnType<typeof namedBy>>,
  balance: Balance,
): void {
  if (isAll) return;
  const items = balance.items.map((item, at) => ({
    ...item,
    gross: atLeastZero(item.gross.minus(asked[at]?.gross ?? 0)),
  }));
  const groups = balance.groups.map((group) => {
    const own = items.filter((_, at) => group.items.some((one) => one === balance.items[at]));
    return {
      ...group,
      items: own,
      gross: atLeastZero(group.gross.minus(worth(group.items)).plus(worth(own))),
    };
  });
  const [total, owed] = [worth(groups), decimal(0)];
  const rest: Balance = { ...balance, items, groups, total, owed, untouched: false };
  if (!isMixed(rest)) return;
  const loose = toAmount(decimal(money).minus(worth(asked)));
  throw new Hold('refund-without-lines', {
    why: 'rest',
    refund: refund.id,
    money: toAmount(money),
    loose,
    readings: readings({ ...refund, parts: [] }, loose, rest),
  });
}

const isMixed = ({ groups }: Balance): boolean =>
  groups.filter(({ gross }) => gross.gt(roundingRest)).length > 1;
const worth = (some: readonly { gross: Decimal }[]): Decimal => sum(some.map(({ gross }) => gross));

/** Records of lines with the sum of the money: where there are several, any of them may be what it paid for. */
const rivals = (order: Order, money: Amount): { refund: string; worth: Amount }[] =>
  order.refunds
    .filter(({ moneyIn }) => moneyIn === undefined)
    .flatMap((refund) => openOf(refund, order))
    .filter(({ kind, left }) => kind === 'lines' && isAlike(left, decimal(money)))
    .map(({ refund, left }) => ({ refund: refund.id, worth: toAmount(left) }));

/** Records of an edited order are not matched: Shopify records no lines that an edit took out. */
const isEdited = ({ overpaid, removed }: Order): boolean => overpaid !== undefined || removed !== undefined;

function giftCardOrGoods(
  order: Order,
  { id, amount }: Refund,
  cards: NonNullable<OnFactura['unclear']>,
  { total, owed }: Balance,
): Hold {
  const money = decimal(amount ?? '0');
  const [least, left] = [money.minus(cards.amount), total.minus(owed)];
  return new Hold('refund-without-lines', {
    why: 'gift-card',
    refund: id,
    money: toAmount(money),
    cards: cards.names,
    left: cards.amount,
    asCard: least.gt(0) ? toAmount(least) : null,
    asGoods: money.gt(left) ? toAmount(left) : null,
    edited: order.overpaid !== undefined,
    platform: order.platform,
  });
}

/** Refunds do not state whether a balance with the shop (`Payment.apart`) went back. @throws Hold `refund-wallet`. */
function holdWallet(order: Order, refund: Refund): void {
  const unclear = unclearWallet(order, refund);
  if (!unclear) return;
  const { wallet, most } = unclear;
  const { names } = wallet;
  throw new Hold(
    'refund-wallet',
    {
      why: 'refund',
      refund: refund.id,
      money: toAmount(refund.amount ?? '0'),
      names,
      paid: wallet.isKnown ? toAmount(wallet.amount) : null,
      most: toAmount(most),
    },
    toAmount(most),
  );
}

export function unclearWallet(order: Order, refund: Refund): { wallet: Wallet; most: Decimal } | null {
  const wallet = walletOf(order);
  if (wallet === null) return null;
  const parts = refund.parts ?? [];
  const stated = sum(parts.flatMap(({ net, tax }) => [net, tax]));
  const money = decimal(refund.amount ?? '0');
  const over = stated.minus(money).plus(refund.discrepancy);
  const back = sum(order.refunds.map(({ amount }) => amount ?? '0'));
  const all = stated.isZero() && back.gte(decimal(order.total).minus(wallet.amount)) && back.lt(order.total);
  const byLines = stated.gt(0) && over.gt('0.01') && (!wallet.isKnown || over.lte(wallet.amount));
  return all || byLines ? { wallet, most: byLines ? stated : money.plus(wallet.amount) } : null;
}

interface Wallet {
  names: string;
  amount: Decimal;
  isKnown: boolean;
}

/** Refunds of the order do not give these balances back. */
export function walletOf({ payments }: Order): Wallet | null {
  const apart = payments.filter((payment) => payment.apart);
  if (apart.length === 0) return null;
  const names = apart.map(({ title, gateway }) => `«${title ?? gateway}»`).join(' y ');
  const isKnown = apart.every(({ amount }) => amount !== null);
  return { names, amount: sum(apart.map(({ amount }) => amount ?? '0')), isKnown };
}

function namesItsLines({ parts }: Refund, money: Amount, { items }: Balance): boolean {
  const named = items.map(({ source, gross, units }) => {
    const back = sum((parts ?? []).flatMap(({ of, quantity }) => (of === source ? [quantity] : [])));
    return units.isZero() ? units : gross.times(back).div(units);
  });
  return sum(named).gt(0) && sum(named).plus('0.01').gte(money);
}

function readings(refund: Refund, money: Amount, balance: Balance): Readings {
  const { credit } = creditOf(balance, refund, money, 'stated');
  const shares = credit.groups.filter(({ base, iva }) => base.plus(iva).gt(0));
  return {
    shares: shares.map(({ group, base, iva }) => credited(group, base, iva)),
    single: balance.groups
      .filter(({ gross }) => gross.gte(money))
      .map((group) => credited(group, ...ofOneRate(decimal(money), group))),
  };
}

function ofOneRate(money: Decimal, { row }: GroupLeft): [base: Decimal, iva: Decimal] {
  const cents = money.times(100).toNumber();
  const base = baseOf(cents, row.tarifa) ?? Math.round((cents * 100) / (100 + row.tarifa));
  return [decimal(base).div(100), decimal(cents - base).div(100)];
}

const credited = ({ row }: GroupLeft, base: Decimal, iva: Decimal): Readings['shares'][number] => ({
  base: toAmount(base),
  iva: iva.isZero() ? null : toAmount(iva),
  rate: ivaRow(Number(row.codigo_porcentaje) as IvaCode).name,
});

/** @throws Hold `refund-contradiction` where all refunds name more of a rate than was sold at it. */
function holdBeyondRate(
  order: Order,
  { refund, money }: Pick<OnFactura, 'refund' | 'money'>,
  factura: Netted,
  { credits, balance }: { credits: readonly Counted[]; balance: Balance },
): void {
  const given = (one: Refund): Named[] => {
    const on = moneyOn(factura, order, one);
    return namedOf(order, balance, on.refund, decimal(on.money));
  };
  const own = namedOf(order, balance, refund, decimal(money));
  const ofCode = (named: readonly Named[], code: number | null) => named.filter((one) => one.code === code);
  const codes = [...new Set(own.map((one) => one.code))].filter((code) =>
    worth(ofCode(own, code)).gt(groupWorth(balance, code).plus(fewCents)),
  );
  if (codes.length === 0) return;
  const before = credits.flatMap((credit) => (credit.refund ? given(credit.refund) : []));
  const netted = order.refunds.filter(({ id }) => factura.nettedRefunds.includes(id));
  // Money of netted refunds that names nothing may be of any rate, and a discount of the order lowered all rates.
  const loose = sum([
    ...netted.flatMap((one) => [moneyOn(factura, order, one).money, worth(given(one)).negated()]),
    ...[...order.lines, ...order.charges].map(({ net, tax }) => atLeastZero(sum([net, tax]).negated())),
  ]);
  // A deleted refund no longer names anything: it counts as what it took.
  const deleted = credits.filter((credit) => credit.refund === null);
  const sold = balanceOf(factura, deleted);
  for (const code of codes) {
    const named = ofCode([...own, ...before], code);
    const rounding = fewCents.plus(decimal('0.01').times(named.length));
    if (worth(named).gt(sum([groupWorth(sold, code), loose, rounding])))
      throw beyondRate(refund, ofCode(own, code), balance);
  }
}

function groupWorth({ groups }: Balance, code: number | null): Decimal {
  const group = groups.find(({ row }) => Number(row.codigo_porcentaje) === code);
  return sum([group?.gross ?? '0', ...(group?.items ?? []).map((item) => bottlesWorth(item, item.units))]);
}

interface Named {
  source: string;
  name: string;
  code: number | null;
  gross: Decimal;
}

function namedOf(order: Order, { items, groups }: Balance, refund: Refund, money: Decimal): Named[] {
  const sold = items.map(({ source, item }) => ({ source, name: item.descripcion, code: item.tipo_iva }));
  const known = new Set(sold.map(({ source }) => source));
  const others = [...order.lines, ...order.charges].filter(
    (item) => !known.has(sourceOf(item)) && decimal(item.net).gte(0),
  );
  const codeOf = (item: Line | Charge): number | null => {
    const rate = sum(item.taxes.map((tax) => tax.rate ?? '0'));
    const group = groups.find(({ row }) => rate.equals(row.tarifa));
    return group ? Number(group.row.codigo_porcentaje) : null;
  };
  const things = [
    ...sold,
    ...others.map((item) => ({ source: sourceOf(item), name: item.name, code: codeOf(item) })),
  ];
  const sources = things.map(({ source }) => source);
  const asked = namedBy(refund, money, sources)?.asked ?? [];
  return things.flatMap((thing, at) => {
    const gross = asked[at]?.gross ?? decimal(0);
    return gross.gt(0) ? [{ ...thing, gross }] : [];
  });
}

function beyondRate({ id }: Refund, asked: readonly Named[], { items }: Balance): Hold {
  const leftOf = ({ source }: Named) => items.find((item) => item.source === source)?.gross ?? decimal(0);
  const [most] = asked.toSorted((a, b) => b.gross.minus(leftOf(b)).comparedTo(a.gross.minus(leftOf(a))));
  if (!most) throw new RangeError('Nothing is asked for.');
  const { name, gross } = most;
  return new Hold('refund-contradiction', {
    why: 'beyond-rate',
    refund: id,
    money: toAmount(gross),
    item: name,
    left: toAmount(leftOf(most)),
  });
}
