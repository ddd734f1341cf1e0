import { balanceOf, type ItemLeft } from '../../mappers/credit/balance.ts';
import { oneLine } from '../../mappers/hold.ts';
import { type Decimal, decimal, sum } from '../domain/money.ts';
import {
  type Charge,
  type Line,
  type Order,
  type Refund,
  type RefundPart,
  sourceOf,
} from '../domain/order.ts';
import type { SentContent } from './action.ts';
import { sourcesIn } from './refunds/beside-factura.ts';
import { worth } from './refunds/records.ts';

/**
 * The order with the ids its factura knows: shops give a row that was taken out and put back a new one. A row under an id that the
 * factura lacks is the one it states under an id that the order lacks, when name, code, rate of IVA, and amount or unit price are
 * the same. Of two alike it does not matter which is taken. Applied to its own result it changes nothing. Pure.
 */
export function withRestoredLines(order: Order, sent: SentContent): Order {
  const items = [...order.lines, ...order.charges];
  const there = new Set(items.map(sourceOf));
  const stated = new Set(sourcesIn(sent));
  const unknown = items.filter((item) => !stated.has(sourceOf(item)));
  if (unknown.length === 0) return order;
  const { items: all, groups } = balanceOf(sent, []);
  const scale = loweredBy(order, sent);
  let missing = all
    .filter(({ source }) => !there.has(source))
    .map((one) => ({ ...one, gross: one.gross.times(scale) }));
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

/** An amount without lines that the factura was sent without lowered all of its rows alike. */
function loweredBy({ refunds }: Order, { nettedRefunds, total }: SentContent): Decimal {
  const loose = refunds.filter(({ id, parts }) => nettedRefunds.includes(id) && parts?.length === 0);
  const off = sum(loose.map(({ amount }) => amount ?? '0'));
  return decimal(total).gt(0) ? off.plus(total).div(total) : decimal(1);
}

/**
 * The order with the parts of its refunds named as its rows are now: a part of a row that is no longer there is of one with its name
 * and price that no other part names, which was put back in its place. `netted`: the refunds that the order's factura was sent
 * without; the others are of what it states.
 */
export function withRestoredParts(order: Order, netted: readonly string[] | null = null): Order {
  const refunds = order.refunds.filter(({ id }) => netted === null || netted.includes(id));
  const missing = partsOfNothing({ ...order, refunds });
  if (missing.length === 0) return order;
  const named = new Set(order.refunds.flatMap(({ parts }) => (parts ?? []).map(({ of }) => of)));
  const free = [...order.lines, ...order.charges].filter((item) => !named.has(sourceOf(item)));
  const renamed = new Map<string, string>();
  for (const part of missing) {
    const taken = [...renamed.values()];
    const found = free.find((item) => !taken.includes(sourceOf(item)) && isPartOf(part, item));
    if (found && !renamed.has(part.of)) renamed.set(part.of, sourceOf(found));
  }
  return renamed.size === 0 ? order : withSources(order, renamed);
}

/** Parts worth something: a fee that is a payment lowers the total. */
export function partsOfNothing({
  lines,
  charges,
  refunds,
  platform,
}: Order): (RefundPart & { of: string })[] {
  const there = new Set([...lines, ...charges].map(sourceOf));
  // Shopify's fees and duties have no ids of their own in every reading.
  const kinds = platform === 'woocommerce' ? ['line', 'shipping', 'fee'] : ['line', 'shipping'];
  return refunds.flatMap(({ parts }) =>
    (parts ?? []).flatMap((part) => {
      const { of } = part;
      if (of === null || there.has(of) || !kinds.includes(kindOf(of))) return [];
      return worth([part]).gt(0) ? [{ ...part, of }] : [];
    }),
  );
}

function isPartOf(
  { of, name, quantity, ...money }: RefundPart & { of: string },
  item: Line | Charge,
): boolean {
  if (kindOf(of) !== kindOf(sourceOf(item)) || name !== item.name) return false;
  return isAtPrice(worth([money]), decimal(quantity), item);
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

/**
 * USD. Cents of IVA rounded by line move a line of a document this far from what the shop sold it for: 12 under 5 %
 * (mappers/cents.ts). A price that differs by less shows in the totals all the same.
 */
export const mostRounding = '0.12';

const isPricedAs = ({ gross, sold }: ItemLeft, item: Line | Charge): boolean => isAtPrice(gross, sold, item);

function isAtPrice(gross: Decimal, sold: Decimal, item: Line | Charge): boolean {
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
