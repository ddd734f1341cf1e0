import { ivaTable } from '../../../mappers/tables/taxes.ts';
import { kindByName } from '../../../mappers/tax.ts';
import { decimal } from '../../domain/money.ts';
import type { IvaCode } from '../../domain/money-policy.ts';
import type { Line } from '../../domain/order.ts';

/** The merchant decides the IVA code. */
export interface RuleHint {
  when: Readonly<Record<string, string | boolean | readonly string[]>>;
  then: { iva: IvaCode };
}

interface Hint {
  key: string;
  hint: RuleHint;
  joined(before: RuleHint): RuleHint;
}

const then: RuleHint['then'] = { iva: 0 };

export function ruleFor(code: string, line: Line): Hint | null {
  const { taxes, taxClass, sku, name } = line;
  if (code !== 'unmapped-tax') return null;
  const [tax] = taxes;
  // The sentence of the hold has the rule of a gift card, which bears no IVA.
  if (!tax && kindByName(line) !== null) return null;
  // A charged percentage can only be declared by the code of that percentage.
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

/** A `*` in a name acts as a pattern, which matches the name too. */
const list = (by: 'sku' | 'name', value: string): Hint => ({
  key: by,
  hint: { when: { [by]: [value], untaxed: true }, then },
  joined({ when }) {
    const known = when[by];
    const all = new Set([...(Array.isArray(known) ? known : []), value]);
    return { when: { ...when, [by]: [...all] }, then };
  },
});
