import { type Amount, type Decimal, decimal, roundsToZero, toAmount } from '../src/domain/money.ts';
import type { IceMeaning, ItemKind, IvaCode, TaxRule } from '../src/domain/money-policy.ts';
import { type Charge, countryName, type Line, type Tax } from '../src/domain/order.ts';
import { cutText, mayNameTip, namesTip } from '../src/domain/text.ts';
import { type FacturaContext, Hold } from './hold.ts';
import { aroundDay, decreeOn } from './tables/holidays.ts';
import { generalIva, type IvaRow, isIvaInForce, ivaDays, ivaRow, ivaTable } from './tables/taxes.ts';
import { deciding, type Facts, firstRule, fold, holdOutOfForce, isForeign, namesTax } from './tax-rules.ts';

/** `tax` is the platform's own, null when the price contains it. */
interface Excise<Meaning> {
  meaning: Meaning;
  tax: Tax | null;
  rule: string;
}

export interface TaxDecision {
  iva: IvaCode;
  by: string;
  stated: Tax | null;
  ice: Excise<IceMeaning> | null;
  irbpnr: Excise<true> | null;
  tipo: { value: 'bien' | 'servicio'; by: string } | null;
  unidad: number | null;
}

/** Never infers from rounded amounts, nor assumes 0 % (ficha técnica SRI, tablas 16 y 17). Throws Hold. */
export function decideTax(
  facts: Facts,
  moves: () => boolean,
  context: Pick<FacturaContext, 'policy' | 'today'>,
): TaxDecision {
  const rules = context.policy.tax.rules;
  const ice = excise(rules, facts, 'ice');
  const irbpnr = excise(rules, facts, 'irbpnr');
  const others = facts.taxes.filter((tax) => tax !== ice?.tax && tax !== irbpnr?.tax);
  const stated = onlyIva(others, moves, facts);
  const rest = { stated, ice, irbpnr, ...kindOf(rules, facts, stated) };
  const about = ice?.tax || irbpnr?.tax ? { ...facts, taxes: others } : facts;
  const decided = ivaByRule(rules, about, stated) ?? ivaByRule(classRules, about, stated);
  if (decided) {
    holdOutOfForce(decided.iva, decided.by, facts.name, context.today);
    return { ...decided, ...rest };
  }
  if (facts.destination.abroad && (stated || moves())) throw saleAbroad(stated ? [stated] : [], facts);
  if (stated) return { iva: byStatedRate(stated, facts, context.today), by: byShop, ...rest };
  // Nothing was paid, so the code changes no amount; the general rate claims no exemption.
  if (!moves()) return { iva: generalIva(context.today), by: 'sin valor: tarifa general', ...rest };
  const kind = kindByName(facts);
  throw new Hold('unmapped-tax', {
    why: 'untaxed',
    item: facts.name,
    taxClass: facts.taxClass || null,
    kind,
    rule: kind === null ? '' : writtenKind(facts, kind),
  });
}

export const byShop = 'tarifa de la tienda';

export function kindByName(item: Pick<Facts, 'kind' | 'kindInShop' | 'name'>): 'gift-card' | 'tip' | null {
  const { kind, kindInShop, name } = item;
  if (kindInShop !== undefined) return null;
  if (kind === 'product') return cardNames.test(fold(name)) ? 'gift-card' : namesTip(name) ? 'tip' : null;
  return kind === 'fee' && mayNameTip(name) ? 'tip' : null;
}

const cardNames =
  /\b(e-?)?gift ?(card|voucher|certificate)s?\b|\b(tarjeta|bono|vale|cheque|certificado|cupon)(s|es)? (de )?regalos?\b/;

export function writtenKind(item: Facts | Line | Charge, kind: ItemKind): string {
  const sku = 'sku' in item ? item.sku : null;
  const when = sku === null ? `name: ${JSON.stringify(shortened(item.name))}` : `sku: ${JSON.stringify(sku)}`;
  return `{ when: { ${when} }, then: { kind: ${kind} } }`;
}

const shortened = (name: string): string => (name.length > 60 ? `${cutText(name, 60)}*` : name);

function ivaByRule(rules: readonly TaxRule[], facts: Facts, stated: Tax | null) {
  const rule = firstRule(deciding(rules, 'iva', 'hold'), facts, stated);
  if (!rule) return null;
  if (rule.means.iva === undefined) {
    throw new Hold('held-by-rule', { item: facts.name, rule: rule.name, words: rule.means.hold ?? null });
  }
  const { iva } = rule.means;
  const isCharged = stated !== null && !roundsToZero(stated.amount);
  if (isCharged && !rule.when.title && !rule.when.rateId && isForeign(stated))
    throw foreignTax(stated, facts);
  if (isCharged && stated.rate && !decimal(stated.rate).equals(ivaRate(iva))) {
    throw new Hold('tax-contradiction', {
      why: 'rule',
      rule: rule.name,
      item: facts.name,
      iva: ivaRow(iva).name,
      amount: toAmount(stated.amount),
      tax: stated.title,
      rate: stated.rate,
    });
  }
  return { iva, by: rule.name };
}

function excise<Key extends 'ice' | 'irbpnr'>(rules: readonly TaxRule[], facts: Facts, key: Key) {
  type Meaning = NonNullable<TaxRule['means'][Key]>;
  const about = deciding(rules, key);
  for (const tax of facts.taxes) {
    const rule = about.find((one) => namesTax(one) && firstRule([one], facts, tax));
    if (rule) return { meaning: rule.means[key] as Meaning, tax, rule: rule.name };
  }
  const contained = about.filter((one) => !namesTax(one));
  const rule = firstRule(contained, facts, null);
  return rule ? { meaning: rule.means[key] as Meaning, tax: null, rule: rule.name } : null;
}

/** A line has at most one IVA; rates that charged nothing, to the cent, do not count beside one that did. */
function onlyIva(taxes: readonly Tax[], moves: () => boolean, facts: Facts): Tax | null {
  const inCents = taxes.filter(({ amount }) => !roundsToZero(amount));
  const isCheap = inCents.length === 0 && moves();
  const charged = isCheap ? taxes.filter(({ amount }) => !decimal(amount).isZero()) : inCents;
  if (charged.length > 1) {
    if (facts.destination.abroad) throw saleAbroad(charged, facts);
    const named = charged.map(({ title, amount }) => ({ tax: title, amount: toAmount(amount) }));
    throw new Hold('several-taxes', { item: facts.name, taxes: named });
  }
  return charged[0] ?? taxes[0] ?? null;
}

function kindOf(
  rules: readonly TaxRule[],
  facts: Facts,
  tax: Tax | null,
): Pick<TaxDecision, 'tipo' | 'unidad'> {
  const tipo = firstRule(deciding(rules, 'tipo'), facts, tax);
  const unidad = firstRule(deciding(rules, 'unidad'), facts, tax);
  return {
    tipo: tipo?.means.tipo ? { value: tipo.means.tipo, by: tipo.name } : null,
    unidad: unidad?.means.unidad ?? null,
  };
}

export const ivaRate = (code: IvaCode): Amount => ivaRow(code).rate;

const fractions = new Map(ivaTable.map(({ code, rate }) => [code, decimal(rate).div(100)]));

/** The rate as a fraction: 0.15. */
export const ivaFraction = (code: IvaCode): Decimal => fractions.get(code) ?? decimal(0);

/** Usual tax classes of Ecuadorian shops, as the platforms slug them; every rule of the merchant goes before. */
const classRules: readonly TaxRule[] = [
  {
    name: 'clase de tarifa 0 %',
    when: { taxClass: ['iva-0', 'zero-rate', 'tasa-cero', 'tarifa-0', 'tarifa-cero'] },
    means: { iva: 0 },
  },
  { name: 'clase exenta', when: { taxClass: ['exento', 'exento-de-iva'] }, means: { iva: 7 } },
  { name: 'clase no objeto', when: { taxClass: ['no-objeto', 'no-objeto-de-iva'] }, means: { iva: 6 } },
];

const rowsByRate = new Map(ivaTable.filter(({ byRate }) => byRate).map((row) => [row.rate, row]));
/** Ecuador has or had these rates, but they choose no code by themselves; 13 % was never charged. */
const otherRates = new Map(
  ivaTable.filter(({ until, only }) => until !== null || only !== null).map((row) => [row.rate, row]),
);

/** A rate does not state whose tax it is nor for what: 5 % is also Canada's GST, 8 % also Japan's. */
function byStatedRate(stated: Tax, facts: Facts, today: string): IvaCode {
  const { rate } = stated;
  if (isForeign(stated)) throw foreignTax(stated, facts);
  const of = { tax: stated.title, item: facts.name, amount: toAmount(stated.amount) };
  if (rate === null) throw new Hold('unmapped-tax', { why: 'no-rate', ...of });
  const percent = decimal(rate).toFixed();
  const row = rowsByRate.get(percent) ?? otherRates.get(percent);
  if (!row) throw new Hold('unmapped-tax', { why: 'other-rate', ...of, rate });
  if (row.code !== 8 && !isIvaInForce(row, today)) {
    const { item, amount } = of;
    const days = ivaDays(row)[0] ?? null;
    throw new Hold('rate-not-in-force', { why: 'shop', name: row.name, item, amount, days, today });
  }
  if (!row.byRate) throw onlyByRule(row, { ...of, rate }, facts, today);
  return row.code;
}

/** Only the merchant and his accountant know the IVA code of a sale that goes abroad. */
function saleAbroad(stated: readonly Tax[], { name, destination, taxes }: Facts): Hold {
  const where = { item: name, destination: destination.why };
  const charged = stated.filter(({ amount }) => !roundsToZero(amount));
  const [only, ...others] = charged;
  if (only) {
    const named = charged.map(({ title, rate, amount }) => ({ tax: title, rate, amount: toAmount(amount) }));
    const home = others.length > 0 || isForeign(only) ? undefined : homeRow(only.rate);
    const rule = home ? written({ abroad: true, rate: home.rate }, home.code) : null;
    return new Hold('sale-abroad', { why: 'charged', ...where, taxes: named, rule });
  }
  const [zero] = taxes;
  const isRate = zero !== undefined && zero.rate !== null && decimal(zero.rate).isZero();
  const when = zero ? (isRate ? { rate: '0' } : {}) : { untaxed: true };
  return new Hold('sale-abroad', {
    why: 'untaxed',
    ...where,
    zero: zero ? { tax: zero.title, isRate } : null,
    rule: written({ abroad: true, ...when }, 0),
  });
}

function foreignTax({ title, rate, amount, country }: Tax, { name, destination }: Facts): Hold {
  const code = homeRow(rate)?.code;
  const abroad = destination.abroad ? { abroad: true } : {};
  return new Hold('foreign-tax', {
    why: 'charged',
    tax: title,
    item: name,
    amount: toAmount(amount),
    country: country === undefined ? null : countryName(country),
    destination: destination.why,
    abroad: destination.abroad,
    rule: code === undefined ? null : written({ ...abroad, title }, code),
  });
}

const homeRow = (rate: string | null): IvaRow | undefined =>
  rate === null ? undefined : rowsByRate.get(decimal(rate).toFixed());

function onlyByRule(
  row: IvaRow,
  of: { tax: string; item: string; amount: Amount; rate: Amount },
  { name, sku }: Facts,
  today: string,
): Hold {
  // A whole establishment charges 8 %; 5 % is of some of its goods.
  const byName = row.code === 8 ? {} : { name: shortened(name) };
  const which = sku === null ? byName : { sku };
  const day = { today, decree: decreeOn(today)?.decree ?? null, ...aroundDay(today) };
  return new Hold('unmapped-tax', {
    why: 'by-rule',
    ...of,
    only: row.only,
    day: row.code === 8 ? day : null,
    rule: written({ ...which, rate: row.rate }, row.code),
  });
}

function written(when: Readonly<Record<string, string | boolean>>, iva: IvaCode): string {
  const conditions = Object.entries(when).map(
    ([key, value]) => `${key}: ${['title', 'sku', 'name'].includes(key) ? JSON.stringify(value) : value}`,
  );
  return `{ when: { ${conditions.join(', ')} }, then: { iva: ${iva} } }`;
}

/** A line or charge with its tax code, before cents are settled. Amounts are exact, not rounded. */
export interface Entry {
  item: Line | Charge;
  decision: TaxDecision;
  quantity: Decimal;
  /** Both without any tax, before and after discounts. */
  subtotal: Decimal;
  net: Decimal;
  iva: Decimal;
  ice: { codigo: number; tarifa: Amount; amount: Decimal } | null;
  irbpnr: Decimal | null;
  notes: string[];
}
