import { ivaTable } from '../../../mappers/tables/iva.ts';
import { decimal } from '../../domain/money.ts';
import type { IvaCode } from '../../domain/money-policy.ts';
import type { Line } from '../../domain/order.ts';

/** A tax rule as an author writes it in the config; which IVA it means only the merchant knows. */
export interface RuleHint {
  when: Readonly<Record<string, string | boolean | readonly string[]>>;
  then: { iva: IvaCode };
}

interface Hint {
  /** Products with the same key are helped by one rule. */
  key: string;
  hint: RuleHint;
  /** The rule that helps those before and this one. */
  joined(before: RuleHint): RuleHint;
}

/** IVA 0 %, until the merchant says otherwise; the text beside it names the others. */
const then: RuleHint['then'] = { iva: 0 };

/** The rule a product lacks: by its tax class, by the tax the shop names, else by SKU or name. */
export function ruleFor(code: string, { taxes, taxClass, sku, name }: Line): Hint | null {
  if (code !== 'unmapped-tax') return null;
  const [tax] = taxes;
  // Of what is charged at a percentage only the code of that percentage can be declared, where a rule may give it.
  if (tax?.rate) return ofRate(tax.rate);
  if (tax?.rateId) return one(`rateId ${tax.rateId}`, { rateId: tax.rateId });
  if (tax) return one(`title ${tax.title}`, { title: tax.title });
  if (taxClass) return one(`taxClass ${taxClass}`, { taxClass, untaxed: true });
  return sku === null ? list('name', name) : list('sku', sku);
}

function ofRate(rate: string): Hint | null {
  const row = ivaTable.find(({ only, rate: percent }) => only !== null && decimal(percent).equals(rate));
  if (!row) return null;
  return one(`rate ${row.rate}`, { rate: row.rate }, { iva: row.code });
}

const one = (key: string, when: RuleHint['when'], means = then): Hint => ({
  key,
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  hint: { when, then: means },
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
