import { baseOf } from '../../mappers/cents.ts';
import {
  type Balance,
  balanceOf,
  bottlesWorth,
  type GroupLeft,
  type Issued,
} from '../../mappers/credit/balance.ts';
import { atLeastZero, fewCents, isContradiction, movesMoney, namedBy } from '../../mappers/credit/claims.ts';
import { Hold } from '../../mappers/hold.ts';
import { creditOf } from '../../mappers/nota-credito.ts';
import { ivaRow } from '../../mappers/tables/taxes.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../domain/money.ts';
import type { CreditPolicy, IvaCode } from '../domain/money-policy.ts';
import {
  type Charge,
  type LeftOut,
  type Line,
  type Order,
  type Refund,
  sourceOf,
  worth,
} from '../domain/order.ts';
import type { Readings } from '../messages/holds-refund.ts';
import { firstAnswer } from './action.ts';
import { type MoneyOnFactura, moneyOn } from './refund-money.ts';
import { isAlike, openOf } from './refund-records.ts';
import { refundsNetted } from './since-factura.ts';

/** USD. A rate with no more than this left counts as refunded: rounding may leave it (ADR 22). */
const roundingRest = '0.02';

export interface Counted extends Issued {
  refund: Refund | null;
}

export type Netted = Issued & { nettedRefunds: readonly string[]; leftOut?: readonly LeftOut[] };

/** `on.money` is at most what is left. */
interface Purpose {
  order: Order;
  refund: Refund;
  on: MoneyOnFactura;
  factura: Netted;
  credits: readonly Counted[];
  balance: Balance;
}

type Question = (asked: Purpose, policy: CreditPolicy) => Hold | null;

const always: readonly Question[] = [cardsOrGoods, walletMayBeBack];
/** Where all that is left goes back, nothing else can be meant. */
const ofPart: readonly Question[] = [withoutDetail, moneyForNoLine, withoutLines, beyondRate];

/** Why a person has to decide what the money was for: asked after the factura (refunds.ts), and before it of refunds that lower it (map-factura.ts). */
export function unclearPurpose(asked: Purpose, policy: CreditPolicy): Hold | null {
  const { on, balance } = asked;
  const isAllLeft = balance.owed.plus(on.money).gte(balance.total);
  return firstAnswer(always, asked, policy) ?? (isAllLeft ? null : firstAnswer(ofPart, asked, policy));
}

/** Is it for gift cards outside the factura, or for what the factura states? */
function cardsOrGoods({ order, refund, on, balance }: Purpose): Hold | null {
  const { cardsOrGoods: cards } = on;
  if (!cards) return null;
  const { total, owed } = balance;
  const money = decimal(refund.amount ?? '0');
  const [least, left] = [money.minus(cards.amount), total.minus(owed)];
  return new Hold('refund-without-lines', {
    why: 'gift-card',
    refund: refund.id,
    money: toAmount(money),
    cards: cards.names,
    left: cards.amount,
    asCard: least.gt(0) ? toAmount(least) : null,
    asGoods: money.gt(left) ? toAmount(left) : null,
    edited: order.overpaid !== undefined,
    platform: order.platform,
  });
}

/** Did a balance with the shop (`Payment.apart`) go back, too? Refunds do not state it. */
function walletMayBeBack({ order, refund }: Purpose): Hold | null {
  const unclear = unclearWallet(order, refund);
  if (!unclear) return null;
  const { wallet, most } = unclear;
  const { names } = wallet;
  return new Hold(
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

/** Are the lines unknown where several rates are left? */
function withoutDetail({ on: { refund }, balance }: Purpose): Hold | null {
  return refund.parts === null && isMixed(balance)
    ? new Hold('refund-detail-missing', { refund: refund.id })
    : null;
}

/** Spread over several rates, money without a purpose would make the refunded tax a guess. */
const isGuess = ({ on: { refund, money }, balance }: Purpose, { creditNotes }: CreditPolicy): boolean =>
  isMixed(balance) &&
  refund.parts !== null &&
  creditNotes.amountOnly !== 'prorate' &&
  !isContradiction(refund, decimal(money));

const namedLines = ({ on: { refund, money }, balance }: Purpose) =>
  namedBy(
    refund,
    decimal(money),
    balance.items.map(({ source }) => source),
  );

/** Is a part of it for no line of the factura, and are several rates left beside the named lines? */
function moneyForNoLine(asked: Purpose, policy: CreditPolicy): Hold | null {
  const named = isGuess(asked, policy) ? namedLines(asked) : null;
  if (!named || named.isAll) return null;
  const { asked: lines } = named;
  const { on, balance } = asked;
  const items = balance.items.map((item, at) => ({
    ...item,
    gross: atLeastZero(item.gross.minus(lines[at]?.gross ?? 0)),
  }));
  const groups = balance.groups.map((group) => {
    const own = items.filter((_, at) => group.items.some((one) => one === balance.items[at]));
    return {
      ...group,
      items: own,
      gross: atLeastZero(group.gross.minus(grossOf(group.items)).plus(grossOf(own))),
    };
  });
  const [total, owed] = [grossOf(groups), decimal(0)];
  const rest: Balance = { ...balance, items, groups, total, owed, untouched: false };
  if (!isMixed(rest)) return null;
  const { refund, money } = on;
  const loose = toAmount(decimal(money).minus(grossOf(lines)));
  return new Hold('refund-without-lines', {
    why: 'rest',
    refund: refund.id,
    money: toAmount(money),
    loose,
    readings: readings({ ...refund, parts: [] }, loose, rest),
  });
}

/** Does it name no line of the factura? Units without money may name them. */
function withoutLines(asked: Purpose, policy: CreditPolicy): Hold | null {
  const { order, on, balance } = asked;
  const { refund, money } = on;
  if (!isGuess(asked, policy) || namedLines(asked)) return null;
  const ofOthers = (refund.parts ?? []).some(movesMoney);
  if (!ofOthers && namesItsUnits(refund, money, balance)) return null;
  const facts = { refund: refund.id, money: toAmount(money), readings: readings(refund, money, balance) };
  const { platform } = order;
  const others = recordsAlike(order, money);
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

const isMixed = ({ groups }: Balance): boolean =>
  groups.filter(({ gross }) => gross.gt(roundingRest)).length > 1;
const grossOf = (some: readonly { gross: Decimal }[]): Decimal => sum(some.map(({ gross }) => gross));

/** Records of lines with the sum of the money: where there are several, any of them may be what it paid for. */
const recordsAlike = (order: Order, money: Amount): { refund: string; worth: Amount }[] =>
  order.refunds
    .filter(({ moneyIn }) => moneyIn === undefined)
    .flatMap((refund) => openOf(refund, order))
    .filter(({ kind, left }) => kind === 'lines' && isAlike(left, decimal(money)))
    .map(({ refund, left }) => ({ refund: refund.id, worth: toAmount(left) }));

/** Records of an edited order are not matched: Shopify records no lines that an edit took out. */
const isEdited = ({ overpaid, removed }: Order): boolean => overpaid !== undefined || removed !== undefined;

export function unclearWallet(order: Order, refund: Refund): { wallet: Wallet; most: Decimal } | null {
  const wallet = walletOf(order);
  if (wallet === null) return null;
  const parts = refund.parts ?? [];
  const stated = worth(parts);
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

function namesItsUnits({ parts }: Refund, money: Amount, { items }: Balance): boolean {
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

/** Do all refunds name more of a rate than was sold at it? */
function beyondRate({ order, on, factura, credits, balance }: Purpose): Hold | null {
  const { refund, money } = on;
  const given = (one: Refund): Named[] => {
    const of = moneyOn(factura, order, one);
    return namedOf(order, balance, of.refund, decimal(of.money));
  };
  const own = namedOf(order, balance, refund, decimal(money));
  const ofCode = (named: readonly Named[], code: number | null) => named.filter((one) => one.code === code);
  const codes = [...new Set(own.map((one) => one.code))].filter((code) =>
    grossOf(ofCode(own, code)).gt(groupWorth(balance, code).plus(fewCents)),
  );
  if (codes.length === 0) return null;
  const before = credits.flatMap((credit) => (credit.refund ? given(credit.refund) : []));
  const netted = refundsNetted(order, factura);
  // Money of netted refunds that names nothing may be of any rate, and a discount of the order lowered all rates.
  const loose = sum([
    ...netted.flatMap((one) => [moneyOn(factura, order, one).money, grossOf(given(one)).negated()]),
    ...[...order.lines, ...order.charges].map((item) => atLeastZero(worth([item]).negated())),
  ]);
  // A deleted refund no longer names anything: it counts as what it took.
  const deleted = credits.filter((credit) => credit.refund === null);
  const sold = balanceOf(factura, deleted);
  for (const code of codes) {
    const named = ofCode([...own, ...before], code);
    const rounding = fewCents.plus(decimal('0.01').times(named.length));
    if (grossOf(named).gt(sum([groupWorth(sold, code), loose, rounding])))
      return mostBeyond(refund, ofCode(own, code), balance);
  }
  return null;
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

function mostBeyond({ id }: Refund, asked: readonly Named[], { items }: Balance): Hold {
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
