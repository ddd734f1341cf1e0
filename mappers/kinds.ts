import {
  chargeKinds,
  type ItemKind,
  lineKinds,
  type MoneyPolicy,
  type TaxRule,
} from '../src/domain/money-policy.ts';
import type { Charge, Line, Order } from '../src/domain/order.ts';
import { type Destination, deciding, destinationOf, factsOf, firstRule, namesTax } from './tax-rules.ts';

/**
 * The order with the kinds that the merchant's rules give its items (`then.kind`). The rules are asked about the kinds the shop
 * has, so the result is the same however often it is applied.
 */
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
  // The merchant says that it is a deposit, and so that it pays for what is bought with it.
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
