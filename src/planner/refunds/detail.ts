import type { Balance, GroupLeft } from '../../../mappers/credit/balance.ts';
import { namedBy } from '../../../mappers/credit/claims.ts';
import { creditOf } from '../../../mappers/credit/credit-of.ts';
import { Hold } from '../../../mappers/hold.ts';
import { baseOf } from '../../../mappers/reach.ts';
import { ivaRow } from '../../../mappers/tables/iva.ts';
import type { CreditPolicy } from '../../domain/credit-policy.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../../domain/money.ts';
import type { IvaCode } from '../../domain/money-policy.ts';
import type { Order } from '../../domain/order.ts';
import type { Refund, RefundPart } from '../../domain/refund.ts';
import type { OnFactura } from './covered.ts';
import { isAlike } from './record-groups.ts';
import { openOf } from './records.ts';
import { type Counted, demandWithinRate, type Netted } from './within-rate.ts';

/** USD. What rounding may leave of a rate whose lines went back (ADR 22): nothing that an amount could be for. */
const fewCents = '0.02';

/**
 * What must be clear of a refund before its money is laid upon a factura, or taken off one that has not left: one rule for
 * both. `on.money` is not more than what is left.
 * @throws Hold where a person has to say what the money was for.
 */
export function demandClear(
  order: Order,
  given: Refund,
  on: OnFactura,
  factura: Netted,
  left: { credits: readonly Counted[]; balance: Balance },
  { creditNotes }: CreditPolicy,
): void {
  const { balance } = left;
  if (on.unclear) throw giftCardOrGoods(order, given, on.unclear, balance);
  demandWallet(order, given);
  // All that is left goes back, whatever it is said to be for.
  if (balance.owed.plus(on.money).gte(balance.total)) return;
  demandDetail(order, on.refund, on.money, balance, creditNotes);
  demandWithinRate(order, on, factura, left);
}

/**
 * Money whose purpose the source does not tell can be prorated only where everything left bears one rate, or the
 * merchant says so once and for all (`amountOnly`): else the tax that goes back would be a guess. `money` is less than
 * what is left.
 * @throws Hold `refund-detail-missing` where the source tells no lines, `refund-without-lines` where it has none.
 */
function demandDetail(
  order: Order,
  refund: Refund,
  money: Amount,
  balance: Balance,
  { amountOnly }: CreditPolicy['creditNotes'],
): void {
  if (!isMixed(balance)) return;
  if (refund.parts === null)
    throw new Hold(
      'refund-detail-missing',
      `La tienda no dice qué líneas cubre el reembolso ${refund.id} y el pedido tiene varias tarifas de IVA. Configure el acceso a la API de la tienda para leer el detalle, o emita el documento a mano.`,
    );
  if (amountOnly === 'prorate') return;
  const named = namedBy(
    refund,
    decimal(money),
    balance.items.map(({ source }) => source),
  );
  if (named) demandNamed(refund, money, named, balance);
  else if (refund.parts.some(movesMoney) || !namesItsLines(refund, money, balance))
    throw new Hold(
      'refund-without-lines',
      `El reembolso ${refund.id} devolvió ${toAmount(money)} sin decir de qué líneas${refund.parts.some(movesMoney) ? ' de la factura' : ''}, y lo que queda por devolver tiene varias tarifas: ${readings(refund, money, balance)}. ${rivals(order, money) ?? `${recordLines(order)}; o decida en ${prorateThem}`}; o emita el documento a mano.`,
    );
}

const prorateThem = 'policy.creditNotes.amountOnly que estos montos se repartan siempre a prorrata';

/** Goodwill, and lines the factura has not: what is left once the named lines are back may bear one rate, or nobody knows which. */
function demandNamed(
  refund: Refund,
  money: Amount,
  { asked, isAll }: NonNullable<ReturnType<typeof namedBy>>,
  balance: Balance,
): void {
  if (isAll) return;
  const items = balance.items.map((item, at) => ({ ...item, gross: less(item.gross, asked[at]?.gross) }));
  const groups = balance.groups.map((group) => {
    const own = items.filter((_, at) => group.items.some((one) => one === balance.items[at]));
    return { ...group, items: own, gross: less(group.gross, worth(group.items).minus(worth(own))) };
  });
  const rest: Balance = {
    ...balance,
    items,
    groups,
    total: worth(groups),
    owed: decimal(0),
    untouched: false,
  };
  if (!isMixed(rest)) return;
  const loose = toAmount(decimal(money).minus(worth(asked)));
  throw new Hold(
    'refund-without-lines',
    `El reembolso ${refund.id} devolvió ${toAmount(money)}, de los que ${loose} no son de ninguna línea de la factura, y lo que queda por devolver tiene varias tarifas: ${readings({ ...refund, parts: [] }, loose, rest)}. Decida en ${prorateThem}; o emita el documento a mano.`,
  );
}

const isMixed = ({ groups }: Balance): boolean => groups.filter(({ gross }) => gross.gt(fewCents)).length > 1;
const worth = (some: readonly { gross: Decimal }[]): Decimal => sum(some.map(({ gross }) => gross));
const movesMoney = ({ net, tax }: RefundPart): boolean => !sum([net, tax]).isZero();
const less = (value: Decimal, by: Decimal = decimal(0)): Decimal =>
  by.gt(value) ? decimal(0) : value.minus(by);

/** Where several records of lines have the sum of the money, and nobody knows which of them it paid: which they are. */
function rivals(order: Order, money: Amount): string | null {
  const some = order.refunds
    .filter(({ moneyIn }) => moneyIn === undefined)
    .flatMap((refund) => openOf(refund, order))
    .filter(({ kind, left }) => kind === 'lines' && isAlike(left, decimal(money)));
  if (some.length < 2) return null;
  const names = some.map(({ refund, left }) => `${refund.id} (${toAmount(left)})`);
  const all = `${names.slice(0, -1).join(', ')} y ${names.at(-1)}`;
  const cure =
    order.platform === 'woocommerce'
      ? 'Elimine en la tienda los que no correspondan'
      : 'Registre en la tienda también el dinero de los otros, cuando vuelva';
  return `Los reembolsos ${all} registran líneas de esa suma sin dinero, de tarifas distintas, y no se sabe cuál de ellos pagó. ${cure}`;
}

/** How a shop records lines alone: WooCommerce takes their units, and no money with them. */
const recordLines = ({ platform }: Order): string =>
  platform === 'woocommerce'
    ? 'Registre en la tienda las unidades que volvieron en otro reembolso, con monto 0.00, si valen esa misma suma'
    : 'Registre en la tienda las líneas que volvieron, con un reembolso sin dinero por esa misma suma';

/** An amount that may have gone back for a gift card as well as for what the factura sells, of which so much is left. */
function giftCardOrGoods(
  order: Order,
  { id, amount }: Refund,
  cards: NonNullable<OnFactura['unclear']>,
  { total, owed }: Balance,
): Hold {
  const money = decimal(amount ?? '0');
  const [least, left] = [money.minus(cards.amount), total.minus(owed)];
  const asCard = least.gt(0)
    ? `se acreditan los ${toAmount(least)} que ella no cubre`
    : 'no se acredita nada';
  const asGoods = money.gt(left) ? `los ${toAmount(left)} que quedan de ello` : 'todo';
  return new Hold(
    'refund-gift-card',
    `El reembolso ${id} devolvió ${toAmount(money)} sin decir de qué líneas, y el pedido vendió ${cards.names}, de la que quedan ${cards.amount} fuera de la factura: si se devolvió la tarjeta de regalo ${asCard}, y si fue lo facturado, ${asGoods}. ${recordLines(order)}, o emita el documento a mano.`,
  );
}

/**
 * A sale that a balance with the shop paid in part (`Payment.apart`): the shop's refunds give back the rest only, and do not
 * tell whether the balance went back, too. Lines that are worth more than the money by no more than it, and an amount
 * that is all the shop could give back, may mean either.
 * @throws Hold `refund-wallet`.
 */
function demandWallet(order: Order, refund: Refund): void {
  const wallet = walletOf(order);
  if (wallet === null) return;
  const parts = refund.parts ?? [];
  const stated = sum(parts.flatMap(({ net, tax }) => [net, tax]));
  const money = decimal(refund.amount ?? '0');
  const over = stated.minus(money).plus(refund.discrepancy);
  const back = sum(order.refunds.map(({ amount }) => amount ?? '0'));
  const all = stated.isZero() && back.gte(decimal(order.total).minus(wallet.amount)) && back.lt(order.total);
  const byLines = stated.gt(0) && over.gt('0.01') && (!wallet.isKnown || over.lte(wallet.amount));
  if (!all && !byLines) return;
  const paid = wallet.isKnown
    ? `${toAmount(wallet.amount)} del pedido se pagaron`
    : 'una parte del pedido cuyo monto no se puede leer se pagó';
  const most = byLines ? stated : money.plus(wallet.amount);
  throw new Hold(
    'refund-wallet',
    `El reembolso ${refund.id} devolvió ${toAmount(money)}, y ${paid} con ${wallet.names}, un saldo del que la tienda no dice si también volvió. Emita a mano el documento: si ese saldo no volvió, se devolvieron ${toAmount(money)}; si volvió, ${toAmount(most)}.`,
    toAmount(most),
  );
}

/**
 * What balances with the shop paid of an order that its refunds do not give back; null where none did. `amount`: of those
 * that can be read; `isKnown` where all can.
 */
export function walletOf({ payments }: Order): { names: string; amount: Decimal; isKnown: boolean } | null {
  const apart = payments.filter((payment) => payment.apart);
  if (apart.length === 0) return null;
  const names = apart.map(({ title, gateway }) => `«${title ?? gateway}»`).join(' y ');
  const isKnown = apart.every(({ amount }) => amount !== null);
  return { names, amount: sum(apart.map(({ amount }) => amount ?? '0')), isKnown };
}

/** Units without money say where it belongs where they are worth it (claims.ts). */
function namesItsLines({ parts }: Refund, money: Amount, { items }: Balance): boolean {
  const named = items.map(({ source, gross, units }) => {
    const back = sum((parts ?? []).flatMap(({ of, quantity }) => (of === source ? [quantity] : [])));
    return units.isZero() ? units : gross.times(back).div(units);
  });
  return sum(named).gt(0) && sum(named).plus('0.01').gte(money);
}

/** What the money would credit by each way to read it: a share of every rate, or all of one rate that has so much left. */
function readings(refund: Refund, money: Amount, balance: Balance): string {
  const { credit } = creditOf(balance, refund, money, 'stated');
  const shares = credit.groups.filter(({ base, iva }) => base.plus(iva).gt(0));
  const prorated = shares
    .map(({ group, base, iva }) => `${credited(base, iva)} con ${nameOf(group)}`)
    .join(' y ');
  const single = balance.groups
    .filter(({ gross }) => gross.gte(money))
    .map(
      (group) => `si todo fue por lo de ${nameOf(group)}, ${credited(...ofOneRate(decimal(money), group))}`,
    );
  return [`a prorrata se acreditarían ${prorated}`, ...single].join('; ');
}

function ofOneRate(money: Decimal, { row }: GroupLeft): [base: Decimal, iva: Decimal] {
  const cents = money.times(100).toNumber();
  const base = baseOf(cents, row.tarifa) ?? Math.round((cents * 100) / (100 + row.tarifa));
  return [decimal(base).div(100), decimal(cents - base).div(100)];
}

const credited = (base: Decimal, iva: Decimal): string =>
  iva.isZero() ? toAmount(base) : `${toAmount(base)} + ${toAmount(iva)}`;

const nameOf = ({ row }: GroupLeft): string => ivaRow(Number(row.codigo_porcentaje) as IvaCode).name;
