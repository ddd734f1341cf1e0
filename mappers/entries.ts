import {
  type Amount,
  type Decimal,
  decimal,
  roundCents,
  roundsToZero,
  toAmount,
} from '../src/domain/money.ts';
import {
  chargeKinds,
  type IceMeaning,
  type ItemKind,
  type IvaCode,
  lineKinds,
  type MoneyPolicy,
  type SpecialItem,
  type TaxRule,
} from '../src/domain/money-policy.ts';
import {
  type Charge,
  isStoredValue,
  type LeftOut,
  type Line,
  type Order,
  sourceOf,
  type Tax,
} from '../src/domain/order.ts';
import { dueOf, type FacturaContext, Hold } from './hold.ts';
import { spreadDiscounts } from './payments.ts';
import { irbpnrRate } from './tables/taxes.ts';
import { byShop, decideTax, type Entry, ivaFraction, ivaRate, type TaxDecision, writtenKind } from './tax.ts';
import {
  type Destination,
  deciding,
  destinationOf,
  factsOf,
  firstRule,
  holdOutOfForce,
  iceFlaw,
  namesTax,
} from './tax-rules.ts';

export interface Entries {
  entries: Entry[];
  destination: Destination;
  outside: (LeftOut & { name: string; amount: Amount })[];
}

type TaxContext = Pick<FacturaContext, 'policy' | 'today'>;

/** Throws Hold for what a document line cannot state. */
export function toEntries(order: Order, context: TaxContext): Entries {
  const destination = destinationOf(order);
  const entries: Entry[] = [];
  const discounts: Charge[] = [];
  const cards: (Line | Charge)[] = [];
  for (const item of [...order.lines, ...order.charges]) {
    const net = withoutRest(item.net);
    const below = net.lt(0);
    if (!('quantity' in item) && below) discounts.push(item);
    else if ('quantity' in item || ![item.net, item.subtotal].every(roundsToZero)) {
      if (below) throw negative(item);
      if (isLeftOut(item, order, context)) {
        cards.push(item);
      } else entries.push(toEntry(item, order, net, destination, context));
    }
  }
  if (entries.length === 0) {
    throw new Hold('no-lines', { total: toAmount(order.total) }, '0.00');
  }
  const others = cards.map((card) => leftOut(card, discounts.length > 0, destination, context));
  const reduced = spreadDiscounts([...entries, ...others], discounts, destination, context);
  return {
    entries: reduced.slice(0, entries.length).map(withContainedExcise),
    destination,
    outside: reduced.slice(entries.length).map(({ item, net, iva }) => {
      const amount = toAmount(net.plus(iva));
      const discount = toAmount(decimal(paid(item)).minus(amount));
      return { source: sourceOf(item), name: item.name, amount, discount };
    }),
  };
}

function leftOut(
  item: Line | Charge,
  isDiscounted: boolean,
  destination: Destination,
  context: TaxContext,
): Entry {
  const decision =
    isDiscounted && !roundsToZero(item.tax)
      ? decideTax(factsOf(item, destination), () => true, context)
      : { ...untaxed, iva: 0 as const, by: byPolicy(item) };
  return { ...plainEntry(item, withoutRest(item.net), decision), iva: decimal(item.tax) };
}

function isLeftOut(item: Line | Charge, order: Order, { policy }: TaxContext): boolean {
  if (item.kind !== 'gift-card') return false;
  const { as } = policy.giftCardsSold;
  if (as === 'nothing' && roundsToZero(item.net) && roundsToZero(item.tax)) return true;
  return as === 'exclude' && isStoredValue(item, order);
}

function toEntry(
  item: Line | Charge,
  order: Order,
  net: Decimal,
  destination: Destination,
  context: TaxContext,
): Entry {
  // Floats of shops leave up to a cent of tax on a free line, of either sign (woocommerce#28613).
  const below = item.taxes.find(({ amount }) => decimal(amount).lt(roundsToZero(net) ? '-0.01' : '-0.005'));
  if (below) {
    throw new Hold('tax-contradiction', {
      why: 'negative',
      item: item.name,
      tax: below.title,
      amount: below.amount,
    });
  }
  const fallback = specialIva(item, order, context);
  const moves = () => !roundsToZero(net) || item.taxes.some(({ amount }) => !roundsToZero(amount));
  const decision: TaxDecision =
    fallback !== null && item.taxes.length === 0
      ? { ...untaxed, iva: fallback, by: byPolicy(item) }
      : decideTax(factsOf(item, destination), moves, context);
  return agreed(withStatedExcise(plainEntry(item, net, decision)));
}

const plainEntry = (item: Line | Charge, net: Decimal, decision: TaxDecision): Entry => ({
  item,
  decision,
  quantity: 'quantity' in item && item.quantity !== '1' ? decimal(item.quantity) : one,
  subtotal: item.subtotal === item.net ? net : withoutRest(item.subtotal),
  net,
  iva: decimal(decision.stated?.amount ?? 0),
  ice: null,
  irbpnr: null,
  notes: [],
});

function withoutRest(amount: Amount): Decimal {
  const exact = decimal(amount);
  return exact.lt(0) && roundsToZero(exact) ? decimal(0) : exact;
}

const untaxed = { stated: null, ice: null, irbpnr: null, tipo: null, unidad: null };
const one = decimal(1);
const twoCents = decimal('0.02');

function agreed(entry: Entry): Entry {
  const base = entry.ice ? entry.net.plus(entry.ice.amount) : entry.net;
  const due = base.times(ivaFraction(entry.decision.iva));
  const apart = entry.iva.minus(due).abs();
  if (apart.lte(twoCents)) return entry;
  const perUnit = decimal('0.005').times(entry.quantity);
  if (apart.lte(perUnit.gt('0.25') ? '0.25' : perUnit)) return entry;
  throw new Hold('tax-contradiction', {
    why: 'line',
    item: entry.item.name,
    rate: ivaRate(entry.decision.iva),
    charged: toAmount(entry.iva),
    base: toAmount(base),
    ...dueOf(entry.iva, due),
    by: settingOf(entry),
  });
}

function settingOf({ item, decision }: Entry): string | null {
  if (decision.by === byShop) return null;
  return (decision.by === byPolicy(item) && special[item.kind]) || '';
}

const byPolicy = ({ kind }: Line | Charge): string => `política de ${words[kind]}`;

const special: Partial<Record<ItemKind, string>> = {
  tip: 'policy.tips',
  duty: 'policy.duties',
  'gift-card': 'policy.giftCardsSold',
};

const words = {
  product: 'productos',
  'gift-card': 'tarjetas de regalo',
  tip: 'propinas',
  shipping: 'envíos',
  fee: 'recargos',
  duty: 'aranceles',
} as const;

function specialIva(item: Line | Charge, order: Order, { policy, today }: TaxContext): IvaCode | null {
  const inForce = (iva: IvaCode): IvaCode => {
    holdOutOfForce(iva, byPolicy(item), item.name, today);
    return iva;
  };
  const choose = (special: SpecialItem, hold: () => Hold): IvaCode => {
    if (special.as === 'hold') throw hold();
    return inForce(special.iva);
  };
  switch (item.kind) {
    case 'tip':
      return choose(policy.tips, () => tip(item));
    case 'duty':
      return choose(policy.duties, () => duty(item));
    case 'gift-card':
      if (policy.giftCardsSold.as === 'line') return inForce(policy.giftCardsSold.iva);
      throw giftCard(item, order);
    default:
      return null;
  }
}

const paid = ({ net, tax }: Line | Charge): Amount => toAmount(decimal(net).plus(tax));

function tip(item: Line | Charge): Hold {
  const isTaxed = !roundsToZero(item.tax);
  const other = item.kindInShop ? '' : writtenKind(item, 'quantity' in item ? 'product' : 'fee');
  return new Hold('tip', {
    item: item.name,
    amount: paid(item),
    tax: isTaxed ? toAmount(item.tax) : null,
    rule: isTaxed ? other : null,
  });
}

const duty = (item: Line | Charge) => new Hold('duties', { item: item.name, amount: paid(item) });

function giftCard(item: Line | Charge, order: Order): Hold {
  const spentAs = 'spentAs' in item ? item.spentAs : undefined;
  const card = { item: item.name, amount: paid(item) };
  if (spentAs === 'discount') return new Hold('gift-card-sold', { why: 'discount', ...card });
  if (spentAs === 'unknown')
    return new Hold('gift-card-sold', { why: 'unknown', ...card, rule: writtenKind(item, 'gift-card') });
  if (isStoredValue(item, order))
    return new Hold('gift-card-sold', { why: 'advance', ...card, amount: toAmount(item.net) });
  if (roundsToZero(item.tax)) return new Hold('gift-card-sold', { why: 'advance', ...card });
  // A refund of Shopify names units, and no tax without them.
  const back = order.platform !== 'shopify';
  return new Hold('gift-card-sold', { why: 'taxed', ...card, tax: toAmount(item.tax), back });
}

const negative = (item: Line | Charge) =>
  new Hold('negative-amount', { why: 'line', item: item.name, amount: toAmount(item.net) });

/** ICE is part of the base of IVA, IRBPNR is not (ficha técnica, tabla 21). */
function withStatedExcise(entry: Entry): Entry {
  const { ice, irbpnr } = entry.decision;
  const bottled = irbpnr?.tax ? { ...entry, irbpnr: statedIrbpnr(entry, irbpnr.tax) } : entry;
  if (ice) holdIce(entry, ice);
  return ice?.tax ? { ...bottled, ice: statedIce(entry, inPercent(ice.meaning), ice.tax) } : bottled;
}

function withContainedExcise(entry: Entry): Entry {
  const { ice, irbpnr } = entry.decision;
  const bottled = irbpnr && !irbpnr.tax ? withContainedIrbpnr(entry) : entry;
  return ice && !ice.tax ? withContainedIce(bottled, inPercent(ice.meaning)) : bottled;
}

type Ice = NonNullable<Entry['ice']>;

function bottlesTax({ quantity, item }: Entry): Decimal {
  if (!quantity.isInteger()) {
    throw new Hold('irbpnr-quantity', { item: item.name, quantity: quantity.toFixed() });
  }
  return quantity.times(irbpnrRate);
}

function statedIrbpnr(entry: Entry, tax: Tax): Decimal {
  const amount = bottlesTax(entry);
  if (roundCents(decimal(tax.amount)).equals(amount)) return amount;
  throw new Hold('tax-contradiction', {
    why: 'irbpnr',
    item: entry.item.name,
    charged: toAmount(tax.amount),
    bottles: entry.quantity.toFixed(),
    ...dueOf(decimal(tax.amount), amount),
  });
}

function withContainedIrbpnr(entry: Entry): Entry {
  const amount = bottlesTax(entry);
  if (roundsToZero(entry.net)) return { ...entry, irbpnr: decimal(0) };
  // The shop taxed the deposit too: the payment is split again, with IVA on the rest only.
  const rest = entry.net.plus(entry.iva).minus(amount);
  if (rest.lte(0)) throw tooCheap(entry, amount);
  const net = rest.div(ivaFraction(entry.decision.iva).plus(1));
  return { ...entry, ...scaled(entry, net), iva: rest.minus(net), irbpnr: amount };
}

function withContainedIce(entry: Entry, { codigo, tarifa }: Omit<Ice, 'amount'>): Entry {
  const net = entry.net.div(decimal(tarifa).div(100).plus(1));
  return { ...entry, ...scaled(entry, net), ice: { codigo, tarifa, amount: entry.net.minus(net) } };
}

function statedIce(entry: Entry, { codigo, tarifa }: Omit<Ice, 'amount'>, tax: Tax): Ice {
  const amount = decimal(tax.amount);
  const due = entry.net.times(decimal(tarifa).div(100));
  if (amount.minus(due).abs().gt('0.02') || (due.isZero() && !roundsToZero(amount))) {
    throw new Hold('tax-contradiction', {
      why: 'ice',
      item: entry.item.name,
      charged: toAmount(amount),
      rate: tarifa,
      ...dueOf(amount, due),
    });
  }
  return { codigo, tarifa, amount };
}

function scaled({ subtotal, net }: Entry, newNet: Decimal): Pick<Entry, 'subtotal' | 'net'> {
  return { net: newNet, subtotal: net.isZero() ? subtotal : subtotal.times(newNet).div(net) };
}

const tooCheap = ({ item, net, iva }: Entry, amount: Decimal) =>
  new Hold('tax-contradiction', {
    why: 'too-cheap',
    item: item.name,
    paid: toAmount(net.plus(iva)),
    irbpnr: toAmount(amount),
  });

function inPercent(meaning: IceMeaning): Omit<Ice, 'amount'> {
  if ('tarifa' in meaning) return meaning;
  throw new TypeError('ICE per unit is held before it is computed.');
}

/** A factura's line cannot state ICE per unit (docs/assumptions.md, A20). */
function holdIce({ item, quantity }: Entry, { meaning, rule }: NonNullable<TaxDecision['ice']>): void {
  const flaw = iceFlaw(meaning);
  if (!flaw) return;
  const { codigo } = meaning;
  if ('tarifa' in meaning && flaw.kind === 'unknown')
    throw new Hold('ice', { why: 'unknown', rule, item: item.name, ice: codigo, rate: meaning.tarifa });
  const due = 'porUnidad' in meaning ? toAmount(quantity.times(meaning.porUnidad)) : null;
  throw new Hold('ice', {
    why: 'flaw',
    item: item.name,
    ice: codigo,
    flaw,
    due,
    quantity: quantity.toFixed(),
  });
}

/** Rules test the kinds the shop states, so the result is the same however often it is applied. */
export function withKinds(order: Order, { tax }: Pick<MoneyPolicy, 'tax'>): Order {
  const rules = deciding(tax.rules, 'kind');
  const ruled = [...order.lines, ...order.charges].some(({ kindInShop }) => kindInShop !== undefined);
  if (rules.length === 0 && !ruled) return order;
  const destination = destinationOf(order);
  return {
    ...order,
    lines: order.lines.map((line) => ruledLine(line, rules, destination)),
    charges: order.charges.map((charge) => ruledCharge(charge, rules, destination)),
  };
}

function ruledLine(line: Line, rules: readonly TaxRule[], destination: Destination): Line {
  const { kindInShop, ...rest } = line;
  const read: Line = { ...rest, kind: oneOf(lineKinds, kindInShop) ?? line.kind };
  const kind = oneOf(lineKinds, kindByRule(read, lineKinds, rules, destination));
  if (kind === undefined) return read;
  // A deposit by the merchant's rule pays for what is bought with it.
  const { spentAs: _, ...item } = read;
  return { ...item, kind, kindInShop: read.kind };
}

function ruledCharge(charge: Charge, rules: readonly TaxRule[], destination: Destination): Charge {
  const { kindInShop, ...rest } = charge;
  const read: Charge = { ...rest, kind: oneOf(chargeKinds, kindInShop) ?? charge.kind };
  const kind = oneOf(chargeKinds, kindByRule(read, chargeKinds, rules, destination));
  return kind === undefined ? read : { ...read, kind, kindInShop: read.kind, row: read.row ?? read.kind };
}

function kindByRule(
  item: Line | Charge,
  kinds: readonly ItemKind[],
  rules: readonly TaxRule[],
  destination: Destination,
): ItemKind | undefined {
  const facts = factsOf(item, destination);
  const rule = rules.find(
    (one) =>
      one.means.kind !== undefined &&
      kinds.includes(one.means.kind) &&
      (namesTax(one) ? item.taxes : [null]).some((tax) => firstRule([one], facts, tax)),
  );
  return rule?.means.kind;
}

const oneOf = <Kind extends ItemKind>(kinds: readonly Kind[], kind: ItemKind | undefined): Kind | undefined =>
  kinds.find((one) => one === kind);
