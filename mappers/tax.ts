import { type Amount, type Decimal, decimal, toAmount } from '../src/domain/money.ts';
import type { IceMeaning, IvaCode, TaxRule } from '../src/domain/money-policy.ts';
import type { Tax } from '../src/domain/order.ts';
import type { MappingContext } from './context.ts';
import { Hold } from './hold.ts';
import { refuseOutOfForce } from './in-force.ts';
import { type Facts, firstRule, namesTax } from './rules.ts';
import { byStatedRate, refuseForeign, saleAbroad } from './stated-rate.ts';
import { generalIva, ivaRow, ivaTable } from './tables/iva.ts';

/** A tax on a line and the rule that says so; `tax` is the platform's own, null where the price contains it. */
interface Excise<Meaning> {
  meaning: Meaning;
  tax: Tax | null;
  rule: string;
}

export interface TaxDecision {
  iva: IvaCode;
  /** What chose it: a rule's name, or the platform's stated rate. */
  by: string;
  /** The platform's IVA; null where it states none. */
  stated: Tax | null;
  ice: Excise<IceMeaning> | null;
  irbpnr: Excise<true> | null;
  tipo: { value: 'bien' | 'servicio'; by: string } | null;
  unidad: number | null;
}

/**
 * What each tax of an item is (ficha técnica SRI, tablas 16 and 17): the merchant's rules, then, in sales of Ecuador,
 * the usual class names and the platform's stated rate. Nothing is inferred from rounded amounts; what no rule covers
 * and what contradicts itself is held, never 0 %.
 */
export function decideTax(facts: Facts, moves: () => boolean, context: MappingContext): TaxDecision {
  const rules = context.policy.tax.rules;
  const ice = excise(rules, facts, 'ice');
  const irbpnr = excise(rules, facts, 'irbpnr');
  const others = facts.taxes.filter((tax) => tax !== ice?.tax && tax !== irbpnr?.tax);
  const stated = onlyIva(others, facts);
  const rest = { stated, ice, irbpnr, ...kindOf(rules, facts, stated) };
  const about = ice?.tax || irbpnr?.tax ? { ...facts, taxes: others } : facts;
  const decided = ivaByRule(rules, about, stated) ?? ivaByRule(classRules, about, stated);
  if (decided) {
    refuseOutOfForce(decided.iva, decided.by, facts.name, context.today);
    return { ...decided, ...rest };
  }
  if (facts.destination.abroad && (stated || moves())) throw saleAbroad(stated ? [stated] : [], facts);
  if (stated) return { iva: byStatedRate(stated, facts, context.today), by: 'tarifa de la tienda', ...rest };
  // Nothing was paid for it, so its code changes no amount; the general rate claims no exemption.
  if (!moves()) return { iva: generalIva(context.today), by: 'sin valor: tarifa general', ...rest };
  const where = facts.taxClass ? ` (clase de impuesto «${facts.taxClass}»)` : '';
  throw new Hold(
    'unmapped-tax',
    `«${facts.name}»${where} no lleva impuesto en la tienda y ninguna regla dice si es IVA 0 %, exento o no objeto. Indíquelo en policy.tax de la tienda.`,
  );
}

const isZero = (amount: Amount): boolean => !/[1-9]/.test(amount);

function ivaByRule(rules: readonly TaxRule[], facts: Facts, stated: Tax | null) {
  const rule = firstRule(
    rules,
    (means) => means.iva !== undefined || means.hold !== undefined,
    facts,
    stated,
  );
  if (!rule) return null;
  if (rule.means.iva === undefined) {
    throw new Hold('held-by-rule', rule.means.hold ?? `«${facts.name}» se retiene por «${rule.name}».`);
  }
  const { iva } = rule.means;
  if (!rule.when.title && !rule.when.rateId) refuseForeign(stated, facts);
  if (stated?.rate && !isZero(stated.amount) && !decimal(stated.rate).equals(ivaRate(iva))) {
    throw new Hold(
      'tax-contradiction',
      `La regla «${rule.name}» dice que «${facts.name}» lleva ${ivaRow(iva).name}, pero la tienda cobró ${toAmount(stated.amount)} por «${stated.title}» del ${stated.rate} %. Corrija la regla en policy.tax o el impuesto en la tienda.`,
    );
  }
  return { iva, by: rule.name };
}

/** The item's ICE or IRBPNR: a stated tax a rule names as such, else a rule on the item: the price contains it. */
function excise<Key extends 'ice' | 'irbpnr'>(rules: readonly TaxRule[], facts: Facts, key: Key) {
  type Meaning = NonNullable<TaxRule['means'][Key]>;
  const about = rules.filter((rule) => rule.means[key] !== undefined);
  if (about.length === 0) return null;
  for (const tax of facts.taxes) {
    const rule = about.find((one) => namesTax(one) && firstRule([one], () => true, facts, tax));
    if (rule) return { meaning: rule.means[key] as Meaning, tax, rule: rule.name };
  }
  const rule = firstRule(
    about.filter((one) => !namesTax(one)),
    () => true,
    facts,
    null,
  );
  return rule ? { meaning: rule.means[key] as Meaning, tax: null, rule: rule.name } : null;
}

/** At most one IVA on a line; rates that took nothing do not count beside one that did. */
function onlyIva(taxes: readonly Tax[], facts: Facts): Tax | null {
  const charged = taxes.filter((tax) => !isZero(tax.amount));
  if (charged.length > 1) {
    if (facts.destination.abroad) throw saleAbroad(charged, facts);
    const titles = charged.map((tax) => `«${tax.title}» de ${toAmount(tax.amount)}`).join(' y ');
    throw new Hold(
      'several-taxes',
      `«${facts.name}» lleva varios impuestos (${titles}) y solo se puede facturar un IVA por línea. Si uno es ICE o IRBPNR, indíquelo en policy.tax.rules; si no, deje solo el IVA en la tienda.`,
    );
  }
  return charged[0] ?? taxes[0] ?? null;
}

function kindOf(
  rules: readonly TaxRule[],
  facts: Facts,
  tax: Tax | null,
): Pick<TaxDecision, 'tipo' | 'unidad'> {
  const tipo = firstRule(rules, (means) => means.tipo !== undefined, facts, tax);
  const unidad = firstRule(rules, (means) => means.unidad !== undefined, facts, tax);
  return {
    tipo: tipo?.means.tipo ? { value: tipo.means.tipo, by: tipo.name } : null,
    unidad: unidad?.means.unidad ?? null,
  };
}

export const ivaRate = (code: IvaCode): Amount => ivaRow(code).rate;

const fractions = new Map(ivaTable.map(({ code, rate }) => [code, decimal(rate).div(100)]));

/** The rate as a fraction: 0.15. */
export const ivaFraction = (code: IvaCode): Decimal => fractions.get(code) ?? decimal(0);

/**
 * What the tax classes of an Ecuadorian shop are usually called (SRI table 17: 0 = 0 %, 6 = no objeto de
 * impuesto, 7 = exento); classes as the platforms slug them. They stand after every rule of the merchant.
 */
const classRules: readonly TaxRule[] = [
  {
    name: 'clase de tarifa 0 %',
    when: { taxClass: ['iva-0', 'zero-rate', 'tasa-cero', 'tarifa-0', 'tarifa-cero'] },
    means: { iva: 0 },
  },
  { name: 'clase exenta', when: { taxClass: ['exento', 'exento-de-iva'] }, means: { iva: 7 } },
  { name: 'clase no objeto', when: { taxClass: ['no-objeto', 'no-objeto-de-iva'] }, means: { iva: 6 } },
];
