import type { Balance, GroupLeft } from '../../../mappers/credit/balance.ts';
import { creditOf } from '../../../mappers/credit/credit-of.ts';
import { Hold } from '../../../mappers/hold.ts';
import { baseOf } from '../../../mappers/reach.ts';
import { ivaRow } from '../../../mappers/tables/iva.ts';
import type { CreditPolicy } from '../../core/credit-policy.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../../core/money.ts';
import type { IvaCode } from '../../core/money-policy.ts';
import type { Order } from '../../core/order.ts';
import type { Refund } from '../../core/refund.ts';

/** USD. What rounding may leave of a rate whose lines went back (ADR 22): nothing that an amount could be for. */
const fewCents = '0.02';

/**
 * Money whose purpose the source does not tell can be prorated only where everything left bears one rate, or the
 * merchant says so once and for all (`amountOnly`): else the tax that goes back would be a guess. `money` is less than
 * what is left.
 * @throws Hold `refund-detail-missing` where the source tells no lines, `refund-without-lines` where it has none.
 */
export function demandDetail(
  refund: Refund,
  money: Amount,
  balance: Balance,
  { amountOnly }: CreditPolicy['creditNotes'],
): void {
  if (balance.groups.filter(({ gross }) => gross.gt(fewCents)).length <= 1) return;
  if (refund.parts === null)
    throw new Hold(
      'refund-detail-missing',
      `La tienda no dice qué líneas cubre el reembolso ${refund.id} y el pedido tiene varias tarifas de IVA. Configure el acceso a la API de la tienda para leer el detalle, o emita el documento a mano.`,
    );
  if (amountOnly === 'prorate' || namesItsLines(refund, money, balance)) return;
  throw new Hold(
    'refund-without-lines',
    `El reembolso ${refund.id} devolvió ${toAmount(money)} sin decir de qué líneas, y lo que queda por devolver tiene varias tarifas: ${readings(refund, money, balance)}. Registre en la tienda las líneas que volvieron, con un reembolso sin dinero por esa misma suma; o decida en policy.creditNotes.amountOnly que estos montos se repartan siempre a prorrata; o emita el documento a mano.`,
  );
}

/** An amount that may have gone back for a gift card as well as for what the factura sells. */
export const giftCardOrGoods = ({ id, amount }: Refund, cards: { names: string; amount: Amount }): Hold =>
  new Hold(
    'refund-gift-card',
    `El reembolso ${id} devolvió ${toAmount(amount ?? '0')} sin decir de qué líneas, y el pedido vendió ${cards.names}, de la que quedan ${cards.amount} fuera de la factura: si se devolvió la tarjeta de regalo no se acredita nada, y si fue lo facturado, todo. Registre en la tienda las líneas que volvieron, con un reembolso sin dinero por esa misma suma, o emita el documento a mano.`,
  );

/**
 * A sale that a balance with the shop paid in part (`Payment.apart`): the shop's refunds give back the rest only, and do not
 * tell whether the balance went back, too. Lines that are worth more than the money by no more than it, and an amount
 * that is all the shop could give back, may mean either.
 * @throws Hold `refund-wallet`.
 */
export function demandWallet(order: Order, refund: Refund): void {
  const wallet = walletOf(order);
  if (wallet === null) return;
  const parts = refund.parts ?? [];
  const stated = sum(parts.flatMap(({ net, tax }) => [net, tax]));
  const money = decimal(refund.amount ?? '0');
  const over = stated.minus(money).plus(refund.discrepancy);
  const back = sum(order.refunds.map(({ amount }) => amount ?? '0'));
  const all = stated.isZero() && back.gte(decimal(order.total).minus(wallet.amount)) && back.lt(order.total);
  const byLines = stated.gt(0) && over.gt('0.01') && over.lte(wallet.amount);
  if (!all && !byLines) return;
  const most = byLines ? stated : money.plus(wallet.amount);
  throw new Hold(
    'refund-wallet',
    `El reembolso ${refund.id} devolvió ${toAmount(money)}, y ${toAmount(wallet.amount)} del pedido se pagaron con ${wallet.names}, un saldo del que la tienda no dice si también volvió. Emita a mano el documento: si ese saldo no volvió, se devolvieron ${toAmount(money)}; si volvió, ${toAmount(most)}.`,
    toAmount(most),
  );
}

/** What balances with the shop paid of an order that its refunds do not give back; null where none did. */
export function walletOf({ payments }: Order): { names: string; amount: Decimal } | null {
  const apart = payments.filter((payment) => payment.apart);
  if (apart.length === 0) return null;
  const names = apart.map(({ title, gateway }) => `«${title ?? gateway}»`).join(' y ');
  return { names, amount: sum(apart.map(({ amount }) => amount ?? '0')) };
}

/** Parts with money say where it belongs, and so do units that are worth it (claims.ts). */
function namesItsLines({ parts }: Refund, money: Amount, { items }: Balance): boolean {
  if ((parts ?? []).some(({ net, tax }) => !sum([net, tax]).isZero())) return true;
  const named = items.map(({ source, gross, units }) => {
    const back = sum((parts ?? []).flatMap(({ of, quantity }) => (of === source ? [quantity] : [])));
    return units.isZero() ? units : gross.times(back).div(units);
  });
  const worth = sum(named);
  return worth.gt(0) && worth.plus('0.01').gte(money);
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
