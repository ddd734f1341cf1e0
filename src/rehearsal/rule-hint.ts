import type { Line } from '../core/order.ts';

/** A tax rule as an author writes it in the config; which IVA it means only the merchant knows. */
export interface RuleHint {
  when: Readonly<Record<string, string | boolean | readonly string[]>>;
  then: { iva: number };
}

interface Hint {
  /** Products with the same key are helped by one rule. */
  key: string;
  hint: RuleHint;
  /** The rule that helps those before and this one. */
  joined(before: RuleHint): RuleHint;
}

/** IVA 0 %, until the merchant says otherwise; the text beside it names the others. */
const then = { iva: 0 };

/** The rule a product lacks: by its tax class, by the tax the shop names, else by SKU or name. */
export function ruleFor(code: string, { taxes, taxClass, sku, name }: Line): Hint | null {
  if (code !== 'unmapped-tax') return null;
  const [tax] = taxes;
  // What is charged at a percentage Ecuador has not cannot be declared as anything else.
  if (tax?.rate) return null;
  if (tax?.rateId) return one(`rateId ${tax.rateId}`, { rateId: tax.rateId });
  if (tax) return one(`title ${tax.title}`, { title: tax.title });
  if (taxClass) return one(`taxClass ${taxClass}`, { taxClass, untaxed: true });
  return sku === null ? list('name', name) : list('sku', sku);
}

const one = (key: string, when: RuleHint['when']): Hint => ({
  key,
  hint: { when, then },
  joined: (before) => before,
});

/** `*` in a name would be a pattern, which fits the name itself too. */
const list = (by: 'sku' | 'name', value: string): Hint => ({
  key: by,
  hint: { when: { [by]: [value], untaxed: true }, then },
  joined({ when }) {
    const known = when[by];
    const all = new Set([...(Array.isArray(known) ? known : []), value]);
    return { when: { ...when, [by]: [...all] }, then };
  },
});
