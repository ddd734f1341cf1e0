import { balanceOf, type ItemLeft } from '../../mappers/credit/balance.ts';
import { oneLine } from '../../mappers/hold.ts';
import { Decimal, decimal, sum, toAmount } from '../domain/money.ts';
import type { CreditPolicy } from '../domain/money-policy.ts';
import {
  type Charge,
  type Line,
  type Order,
  type Refund,
  type RefundPart,
  sourceOf,
  worth,
} from '../domain/order.ts';
import type { SentContent } from './action.ts';
import { inOrder, isAlike } from './refund-records.ts';
import {
  addedSince,
  kindOf,
  knownSources,
  mostRounding,
  partsOfMissingRows,
  rateOf,
  statedRate,
  statedSources,
} from './since-factura.ts';

/** Shops give a row that was taken out and put back a new id. Applied to its own result it changes nothing. */
export function withRestoredLines(order: Order, sent: SentContent): Order {
  const items = [...order.lines, ...order.charges];
  const there = new Set(items.map(sourceOf));
  const stated = new Set(statedSources(sent));
  const unknown = items.filter((item) => !stated.has(sourceOf(item)));
  if (unknown.length === 0) return order;
  const { items: all, groups } = balanceOf(sent, []);
  const scale = loweredBy(order, sent);
  let missing = all
    .filter(({ source }) => !there.has(source))
    .map((one) => ({ ...one, gross: one.gross.times(scale) }));
  const renamed = new Map<string, string>();
  for (const item of unknown) {
    const alike = missing.filter(
      (one) => isNamedAs(one, item) && isRatedAs(statedRate(one.item, groups), item),
    );
    const found = alike.find((one) => isPricedAs(one, item));
    if (!found) continue;
    renamed.set(sourceOf(item), found.source);
    missing = missing.filter((one) => one !== found);
  }
  return renamed.size === 0 ? order : withSources(order, renamed);
}

function loweredBy({ refunds }: Order, { nettedRefunds, total }: SentContent): Decimal {
  const loose = refunds.filter(({ id, parts }) => nettedRefunds.includes(id) && parts?.length === 0);
  const off = sum(loose.map(({ amount }) => amount ?? '0'));
  return decimal(total).gt(0) ? off.plus(total).div(total) : decimal(1);
}

export function withRestoredParts(order: Order, netted: readonly string[] | null = null): Order {
  const refunds = order.refunds.filter(({ id }) => netted === null || netted.includes(id));
  const missing = partsOfMissingRows({ ...order, refunds });
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

function isPartOf(
  { of, name, quantity, ...money }: RefundPart & { of: string },
  item: Line | Charge,
): boolean {
  if (kindOf(of) !== kindOf(sourceOf(item)) || name !== item.name) return false;
  return isAtPrice(worth([money]), decimal(quantity), item);
}

const idOf = (source: string): string => source.slice(source.indexOf(':') + 1);

function isNamedAs({ source, item: stated }: ItemLeft, item: Line | Charge): boolean {
  const name = stated.descripcion.replace(/^\d+(\.\d+)? × /, '');
  if (kindOf(source) !== kindOf(sourceOf(item)) || name !== oneLine(item.name, 300)) return false;
  if (!('quantity' in item)) return true;
  const code = stated.codigo_principal;
  return code === idOf(source) || code === oneLine(item.sku ?? item.productId ?? '', 25);
}

const isRatedAs = (rate: number | undefined, item: Line | Charge): boolean =>
  rate !== undefined && rateOf(item).eq(rate);

const isPricedAs = ({ gross, sold }: ItemLeft, item: Line | Charge): boolean => isAtPrice(gross, sold, item);

function isAtPrice(gross: Decimal, sold: Decimal, item: Line | Charge): boolean {
  const near = (a: Decimal, b: Decimal): boolean => a.minus(b).abs().lte(mostRounding);
  const whole = worth([item]);
  if (near(gross, whole)) return true;
  if (!('quantity' in item) || sold.isZero() || decimal(item.quantity).isZero()) return false;
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

type Item = Line | Charge;

/** Shopify refunds no lines that an edit took out: their money goes back by amount. */
export function withRemovedNamed(
  order: Order,
  sent: SentContent | undefined,
  { creditNotes: { amountOnly } }: CreditPolicy,
): Order {
  let open = (order.removed ?? []).filter(({ kind }) => kind !== 'gift-card');
  if (open.length === 0 || isExchanged(order, sent)) return order;
  const rates = new Set([...order.lines, ...order.charges, ...open].map((item) => rateOf(item).toString()));
  const isMixed = rates.size > 1;
  const isWhole = order.overpaid === undefined;
  const known = sent && knownSources(order, sent);
  const named = new Map<string, RefundPart[]>();
  for (const refund of inOrder(order.refunds)) {
    if (!isUnnamed(refund)) continue;
    const money = decimal(refund.amount ?? '0');
    const isAdded = (item: Item): boolean => known !== undefined && !known.has(sourceOf(item));
    const added = isWhole || isMixed ? open.filter(isAdded) : [];
    const of = ofWorth(added, money);
    const stated = ofWorth(
      open.filter((item) => !isAdded(item)),
      money,
    );
    if (of || (!stated && isWhole && added.length > 0)) {
      const share = Decimal.min(1, money.div(worth(of ?? added)));
      named.set(
        refund.id,
        (of ?? added).map((item) => partOf(item, share)),
      );
      open = open.flatMap((item) => ((of ?? added).includes(item) ? restOf(item, share) : [item]));
    } else if (stated) {
      if (isMixed && amountOnly !== 'prorate')
        named.set(
          refund.id,
          stated.map((item) => partOf(item, decimal(1))),
        );
      open = open.filter((item) => !stated.includes(item));
    }
  }
  if (named.size === 0) return order;
  const refunds = order.refunds.map((refund) => withParts(refund, named.get(refund.id)));
  return { ...order, refunds, removed: open };
}

function isExchanged(order: Order, sent: SentContent | undefined): boolean {
  if (order.overpaid === undefined) return false;
  return !sent || decimal(sent.overpaid ?? '0').gt(0) || addedSince(order, sent).length > 0;
}

function isUnnamed({ amount, pending, parts }: Refund): boolean {
  if (amount === null || parts === null || !decimal(pending).isZero()) return false;
  return decimal(amount).gt(0) && parts.every(({ net, tax, quantity }) => sum([net, tax, quantity]).isZero());
}

function ofWorth(items: readonly Item[], money: Decimal): readonly Item[] | null {
  const alike = items.filter((item) => isAlike(worth([item]), money));
  if (alike.length > 0)
    return new Set(alike.map((item) => rateOf(item).toString())).size === 1 ? alike.slice(0, 1) : null;
  return items.length > 1 && isAlike(worth(items), money) ? items : null;
}

function partOf(item: Item, share: Decimal): RefundPart {
  const [net, tax] = [toAmount(share.times(item.net)), toAmount(share.times(item.tax))];
  const units = 'quantity' in item && share.eq(1) ? item.quantity : '0';
  return { of: sourceOf(item), name: item.name, quantity: units, net, tax };
}

function restOf(item: Item, share: Decimal): Item[] {
  if (share.eq(1)) return [];
  const { net, tax } = partOf(item, share);
  return [
    { ...item, net: toAmount(decimal(item.net).minus(net)), tax: toAmount(decimal(item.tax).minus(tax)) },
  ];
}

function withParts(refund: Refund, parts: RefundPart[] | undefined): Refund {
  if (!parts) return refund;
  return { ...refund, parts, discrepancy: toAmount(decimal(refund.amount ?? '0').minus(worth(parts))) };
}
