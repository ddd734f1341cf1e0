import { type Balance, balanceOf, type Issued } from '../../../mappers/credit/balance.ts';
import { bottlesWorth } from '../../../mappers/credit/bottles.ts';
import { fewCents, namedBy } from '../../../mappers/credit/claims.ts';
import { Hold } from '../../../mappers/hold.ts';
import { type Decimal, decimal, sum, toAmount } from '../../domain/money.ts';
import type { Charge, Line, Order } from '../../domain/order.ts';
import { type Refund, sourceOf } from '../../domain/refund.ts';
import { moneyOn, type OnFactura } from './covered.ts';

/** A nota de crédito that counts, and the refund it is of; null where the shop no longer has it. */
export interface Counted extends Issued {
  refund: Refund | null;
}

/** A factura, and the refunds that were taken off it before it left. */
export type Netted = Issued & { nettedRefunds: readonly string[] };

/**
 * What the refunds of an order name of a rate of IVA, all together, is never more than was sold at it, where the rest would
 * be taken from what bears another rate: the shop contradicts itself. Their words count, not what was
 * credited: money without lines that was spread over a line is no money for that line. So it is the same whether
 * refunds came before the factura or after it. Lines of one rate may give for each other: its tax stays right.
 * @throws Hold `refund-contradiction`.
 */
export function demandWithinRate(
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
  // What is left of a rate gives what is asked of it: nothing is taken from another.
  const codes = [...new Set(own.map((one) => one.code))].filter((code) =>
    worth(own.filter((one) => one.code === code)).gt(groupWorth(balance, code).plus(fewCents)),
  );
  if (codes.length === 0) return;
  const before = credits.flatMap((credit) => (credit.refund ? given(credit.refund) : []));
  const netted = order.refunds.filter(({ id }) => factura.nettedRefunds.includes(id));
  // What they took for nothing they name may have been of any rate, and a discount of the order lowered them all.
  const loose = sum([
    ...netted.flatMap((one) => [moneyOn(factura, order, one).money, worth(given(one)).negated()]),
    ...[...order.lines, ...order.charges].map(({ net, tax }) => less(sum([net, tax]).negated())),
  ]);
  // Of a refund that is gone nobody knows the words: it named what it took.
  const sold = balanceOf(
    factura,
    credits.filter((credit) => credit.refund === null),
  );
  for (const code of codes) {
    const named = [...own, ...before].filter((one) => one.code === code);
    const rounding = fewCents.plus(decimal('0.01').times(named.length));
    if (worth(named).gt(sum([groupWorth(sold, code), loose, rounding])))
      throw beyond(
        refund,
        own.filter((one) => one.code === code),
        balance,
      );
  }
}

/** What is left of a code of IVA, bottles included. */
function groupWorth({ groups }: Balance, code: number | null): Decimal {
  const group = groups.find(({ row }) => Number(row.codigo_porcentaje) === code);
  return sum([group?.gross ?? '0', ...(group?.items ?? []).map((item) => bottlesWorth(item, item.units))]);
}

/** Money a refund names a thing for, and the thing's code of IVA: as the factura has it, else by the order's rate. */
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
    (item) => !known.has(sourceOf(item)) && !decimal(item.net).isNegative(),
  );
  const rowOf = (item: Line | Charge) =>
    groups.find(({ row }) => sum(item.taxes.map(({ rate }) => rate ?? '0')).equals(row.tarifa))?.row;
  const things = [
    ...sold,
    ...others.map((item) => {
      const row = rowOf(item);
      return { source: sourceOf(item), name: item.name, code: row ? Number(row.codigo_porcentaje) : null };
    }),
  ];
  const sources = things.map(({ source }) => source);
  const asked = namedBy(refund, money, sources)?.asked ?? [];
  return things.flatMap((thing, at) => {
    const gross = asked[at]?.gross ?? decimal(0);
    return gross.gt(0) ? [{ ...thing, gross }] : [];
  });
}

function beyond({ id }: Refund, asked: readonly Named[], { items }: Balance): Hold {
  const leftOf = ({ source }: Named) => items.find((item) => item.source === source)?.gross ?? decimal(0);
  const [most] = asked.toSorted((a, b) => b.gross.minus(leftOf(b)).comparedTo(a.gross.minus(leftOf(a))));
  if (!most) throw new RangeError('Nothing is asked for.');
  return new Hold(
    'refund-contradiction',
    `El reembolso ${id} devolvió ${toAmount(most.gross)} por «${most.name}», de lo que quedan ${toAmount(leftOf(most))} por devolver: lo demás se acreditaría a líneas de otra tarifa de IVA. Corrija en la tienda las líneas de los reembolsos de este pedido, o emita la nota de crédito a mano.`,
  );
}

const worth = (named: readonly Named[]): Decimal => sum(named.map(({ gross }) => gross));
const less = (value: Decimal): Decimal => (value.isNegative() ? decimal(0) : value);
