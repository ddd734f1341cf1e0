import { decimal } from '../src/domain/money.ts';
import type { ItemKind, TaxCondition, TaxMeaning, TaxRule } from '../src/domain/money-policy.ts';
import type { Charge, Line, Tax } from '../src/domain/order.ts';
import type { Destination } from './destination.ts';
import { fits } from './glob.ts';

/** What a rule may ask of a line or charge. */
export interface Facts {
  kind: ItemKind;
  name: string;
  sku: string | null;
  tags: readonly string[];
  collections: readonly string[];
  taxClass: string | null;
  taxes: readonly Tax[];
  destination: Destination;
}

export function factsOf(item: Line | Charge, destination: Destination): Facts {
  const { kind, name, taxClass, taxes } = item;
  const product = 'quantity' in item ? item : { sku: null, tags: [], collections: [] };
  const { sku, tags, collections } = product;
  return { kind, name, sku, tags, collections, taxClass, taxes, destination };
}

/** Whether a rule is about one named tax rather than about the item. */
export const namesTax = ({ when }: TaxRule): boolean =>
  when.rateId !== undefined || when.rate !== undefined || when.title !== undefined;

/** The first rule that decides `key` and matches the item and, where it names one, this tax. */
export function firstRule(
  rules: readonly TaxRule[],
  decides: (meaning: TaxMeaning) => boolean,
  facts: Facts,
  tax: Tax | null,
): TaxRule | undefined {
  return rules.find((rule) => decides(rule.means) && matches(rule, facts, tax));
}

function matches(rule: TaxRule, facts: Facts, tax: Tax | null): boolean {
  const { when } = rule;
  if (namesTax(rule) && (tax === null || !namedBy(when, tax))) return false;
  if (!speaksOf(rule, facts.destination)) return false;
  if (when.untaxed !== undefined && when.untaxed !== (facts.taxes.length === 0)) return false;
  if (when.kind && !when.kind.includes(facts.kind)) return false;
  if (when.taxClass && (facts.taxClass === null || !when.taxClass.includes(facts.taxClass))) return false;
  return (
    anyFits(when.sku, facts.sku === null ? [] : [facts.sku]) &&
    anyFits(when.name, [facts.name]) &&
    anyFits(when.tag, facts.tags) &&
    anyFits(when.collection, facts.collections)
  );
}

/** A rule that gives an IVA speaks of sales in Ecuador, unless it says `abroad`; every other of all sales. */
function speaksOf({ when, means }: TaxRule, { abroad }: Destination): boolean {
  const asked = when.abroad ?? (means.iva === undefined ? undefined : false);
  return asked === undefined || asked === abroad;
}

function namedBy({ rateId, rate, title }: TaxCondition, tax: Tax): boolean {
  if (rateId && (tax.rateId === null || !rateId.includes(tax.rateId))) return false;
  const stated = tax.rate;
  if (rate && (stated === null || !rate.some((one) => decimal(one).equals(stated)))) return false;
  return anyFits(title, [tax.title]);
}

function anyFits(patterns: readonly string[] | undefined, texts: readonly string[]): boolean {
  return patterns === undefined || patterns.some((pattern) => texts.some((text) => fits(pattern, text)));
}
