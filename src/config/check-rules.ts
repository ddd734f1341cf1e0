import type { IvaRates, TaxCondition, TaxMeaning, TaxRule } from '../domain/money-policy.ts';
import type { TaxFact } from '../domain/platform.ts';
import type { Problem } from './messages.ts';

const remedies: Readonly<Record<TaxFact, string>> = {
  rateId: 'Use title o rate.',
  taxClass: 'Use title, rate o sku.',
  tag: 'Use sku o name, o active productDetails en la conexión si la plataforma lo ofrece.',
  collection: 'Use sku o name, o active productDetails en la conexión si la plataforma lo ofrece.',
};

/** Rules that contradict themselves, that ask for what the store never tells, and that an earlier one overtakes. */
export function checkRules(
  rules: readonly TaxRule[],
  facts: { untold: readonly TaxFact[]; rates: IvaRates },
  path: string,
  problems: Problem[],
): void {
  rules.forEach((rule, at) => {
    const say = (message: string) => problems.push({ path: `${path}.${at}`, message });
    const silent = facts.untold.find((fact) => rule.when[fact] !== undefined);
    if (silent) {
      say(
        `La regla «${rule.name}» nunca se aplicaría: la tienda no dice «${silent}» de sus líneas. ${remedies[silent]}`,
      );
    }
    const contradiction = contradicts(rule, facts.rates);
    if (contradiction) say(contradiction);
    const earlier = rules.slice(0, at).find((other) => overtakes(other, rule));
    if (earlier) {
      say(
        `La regla «${rule.name}» nunca se aplicaría: «${earlier.name}» ya decide lo mismo antes. Cambie el orden o quite una.`,
      );
    }
  });
}

function contradicts({ name, when, means }: TaxRule, rates: IvaRates): string | null {
  const { iva } = means;
  if (when.untaxed && (when.rate || when.rateId || when.title)) {
    return `La regla «${name}» pide a la vez líneas sin impuesto y un impuesto; deje una de las dos condiciones.`;
  }
  if (means.hold !== undefined && Object.keys(means).length > 1) {
    return `La regla «${name}» retiene el pedido y a la vez le asigna algo; deje solo hold.`;
  }
  // With ICE the named tax is the ICE, and `iva` is about the rest of the line.
  if (iva === undefined || (means.ice && hasTaxCondition(when))) return null;
  const due = Number(rates[iva]);
  const stated = when.rate?.find((rate) => Number(rate) !== due);
  if (stated !== undefined) {
    return `La regla «${name}» asigna el IVA ${iva} (${due} %) a un impuesto del ${stated} %.`;
  }
  if (when.untaxed && due !== 0) {
    return `La regla «${name}» asigna el IVA ${iva} (${due} %) a líneas en las que la tienda no cobró impuesto.`;
  }
  return null;
}

const hasTaxCondition = (when: TaxCondition) =>
  when.rate !== undefined || when.rateId !== undefined || when.title !== undefined;

/** Whether `first` matches wherever `second` does and decides everything `second` decides. */
function overtakes(first: TaxRule, second: TaxRule): boolean {
  const decided = Object.keys(second.means) as (keyof TaxMeaning)[];
  if (!decided.every((key) => first.means[key] !== undefined)) return false;
  // The same words can name the ICE in one rule and the IVA in another.
  if ((first.means.ice === undefined) !== (second.means.ice === undefined)) return false;
  return (Object.keys({ ...first.when, abroad: undefined }) as (keyof TaxCondition)[]).every((key) =>
    key === 'abroad' ? covers(placeOf(first), placeOf(second)) : covers(first.when[key], second.when[key]),
  );
}

/** A rule that gives an IVA speaks of sales in Ecuador unless it says otherwise. */
const placeOf = ({ when, means }: TaxRule): boolean | undefined =>
  when.abroad ?? (means.iva === undefined ? undefined : false);

function covers(wide: TaxCondition[keyof TaxCondition], narrow: TaxCondition[keyof TaxCondition]): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  if (typeof wide === 'boolean' || typeof narrow === 'boolean') return wide === narrow;
  return narrow.every((one) => wide.some((pattern) => pattern === one || swallows(pattern, one)));
}

/** A glob swallows another when it matches its text, `*` standing for itself. */
function swallows(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern.toLowerCase() === text.toLowerCase();
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text.toLowerCase());
}
