import { balanceOf, type ItemLeft } from '../../mappers/credit/balance.ts';
import { oneLine } from '../../mappers/hold.ts';
import { type Decimal, decimal, sum } from '../domain/money.ts';
import { type Charge, type Line, type Order, type Refund, sourceOf } from '../domain/order.ts';
import type { SentContent } from './action.ts';
import { sourcesIn, worth } from './refunds/records.ts';

/**
 * The order with the ids its factura knows: shops give a row that was taken out and put back a new one. A row under an id that the
 * factura lacks is the one it states under an id that the order lacks, when name, code, rate of IVA, and amount or unit price are
 * the same. Of two alike it does not matter which is taken. Applied to its own result it changes nothing. Pure.
 */
export function withRestoredLines(order: Order, sent: SentContent | undefined): Order {
  if (!sent) return order;
  const items = [...order.lines, ...order.charges];
  const there = new Set(items.map(sourceOf));
  const stated = new Set(sourcesIn(sent));
  const unknown = items.filter((item) => !stated.has(sourceOf(item)));
  const { items: all, groups } = balanceOf(sent, []);
  let missing = all.filter(({ source }) => !there.has(source));
  const rateOf = ({ item }: ItemLeft): string =>
    groups.find(({ row }) => row.codigo_porcentaje === String(item.tipo_iva))?.row.tarifa.toString() ?? '';
  const renamed = new Map<string, string>();
  for (const item of unknown) {
    const alike = missing.filter((one) => isNamedAs(one, item) && isRatedAs(rateOf(one), item));
    const found = alike.find((one) => isPricedAs(one, item));
    if (!found) continue;
    renamed.set(sourceOf(item), found.source);
    missing = missing.filter((one) => one !== found);
  }
  return renamed.size === 0 ? order : withSources(order, renamed);
}

const kindOf = (source: string): string => source.slice(0, source.indexOf(':'));
const idOf = (source: string): string => source.slice(source.indexOf(':') + 1);

function isNamedAs({ source, item: stated }: ItemLeft, item: Line | Charge): boolean {
  // A line that is sold once at its sum has its units before its name (mappers/items.ts).
  const name = stated.descripcion.replace(/^\d+(\.\d+)? × /, '');
  if (kindOf(source) !== kindOf(sourceOf(item)) || name !== oneLine(item.name, 300)) return false;
  if (!('quantity' in item)) return true;
  const code = stated.codigo_principal;
  return code === idOf(source) || code === oneLine(item.sku ?? item.productId ?? '', 25);
}

const isRatedAs = (rate: string, { taxes }: Line | Charge): boolean =>
  rate !== '' && sum(taxes.map((tax) => tax.rate ?? '0')).eq(rate);

/** USD. Rounding may bring a line of a document this far from what the shop sold it for. */
const mostRounding = '0.02';

function isPricedAs({ gross, sold }: ItemLeft, item: Line | Charge): boolean {
  const near = (a: Decimal, b: Decimal): boolean => a.minus(b).abs().lte(mostRounding);
  const whole = worth([item]);
  if (near(gross, whole)) return true;
  if (!('quantity' in item) || sold.isZero() || decimal(item.quantity).isZero()) return false;
  // The units of both at one price, whichever are more.
  const units = decimal(item.quantity);
  return units.gt(sold)
    ? near(gross.times(units).div(sold), whole)
    : near(whole.times(sold).div(units), gross);
}

function withSources(order: Order, renamed: ReadonlyMap<string, string>): Order {
  const known = <Item extends Line | Charge>(item: Item): Item => {
    const source = renamed.get(sourceOf(item));
    return source === undefined ? item : { ...item, id: idOf(source) };
  };
  const credited = (refund: Refund): Refund => ({
    ...refund,
    parts: refund.parts?.map((part) => ({ ...part, of: renamed.get(part.of ?? '') ?? part.of })) ?? null,
  });
  return {
    ...order,
    lines: order.lines.map(known),
    charges: order.charges.map(known),
    refunds: order.refunds.map(credited),
  };
}
