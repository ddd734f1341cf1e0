import type { Day } from '../src/domain/clock.ts';
import { decimal } from '../src/domain/money.ts';
import type {
  IceMeaning,
  ItemKind,
  IvaCode,
  MoneyPolicy,
  TaxCondition,
  TaxMeaning,
  TaxRule,
} from '../src/domain/money-policy.ts';
import {
  type Charge,
  countryCode,
  countryName,
  type Line,
  type Order,
  type Tax,
} from '../src/domain/order.ts';
import { type IceFlaw, type OutOfForce, outOfForce, saysIceFlaw } from '../src/messages/holds-tax.ts';
import { Hold } from './hold.ts';
import { aroundDay } from './tables/holidays.ts';
import { type IvaRow, iceRow, isIvaInForce, ivaDays, ivaRow } from './tables/taxes.ts';

export interface Destination {
  country: string;
  abroad: boolean;
  /** In Spanish: "envío a Canadá". */
  why: string;
}

/** Assumption: without any country a sale is in Ecuador, since shops that sell only there need not ask. */
export function destinationOf({ delivery, buyer }: Pick<Order, 'delivery' | 'buyer'>): Destination {
  if (delivery?.by === 'in-shop') return place('EC', 'se entrega en el local');
  const shipTo = delivery?.by === 'none' ? null : countryCode(delivery?.country);
  if (shipTo) return place(shipTo, `envío a ${countryName(shipTo)}`);
  const billTo = countryCode(buyer.country) ?? countryCode(delivery?.country);
  if (billTo) return place(billTo, `comprador de ${countryName(billTo)}, sin dirección de envío`);
  return place('EC', 'el pedido no dice ningún país');
}

const place = (country: string, why: string): Destination => ({ country, abroad: country !== 'EC', why });

export function isForeign({ title, country }: Tax): boolean {
  if (country !== undefined) return country !== 'EC';
  return foreignTaxes.test(title) || namesCountry(title);
}

/** Names of taxes Ecuador does not have; "IVA", "VAT" and "Tax" are ambiguous, and the destination decides. */
const foreignTaxes =
  /(?<!\p{L})(gst|hst|pst|qst|rst|tps|tvq|tvh|tva|mwst|ust|mehrwertsteuer|umsatzsteuer|btw|moms|mva|alv|kdv|ppn|jct|gct|igv|icms|itbms|itbis|ivu|pdv|sales tax|(state|county|city|local|consumption) tax)(?!\p{L})|消費税|ндс|φπα/iu;

/** "IVA España", "Colombia VAT (19%)". */
const namesCountry = (title: string): boolean => {
  const words = fold(title).split(/[^\p{L}]+/u);
  return words.some((_, at) =>
    [1, 2, 3].some((many) => countries().has(words.slice(at, at + many).join(' '))),
  );
};

let known: ReadonlySet<string> | undefined;
function countries(): ReadonlySet<string> {
  known ??= new Set(['uk', 'usa', ...['es', 'en'].flatMap(namesIn)]);
  return known;
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second));

function namesIn(language: string): string[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return codes
    .flatMap((code) => (code === 'EC' ? [] : [names.of(code)]))
    .flatMap((name) => (name ? [fold(name)] : []));
}

/** People write "Crédito", "CREDITO" and "credito ". */
export function fold(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.trim().replace(/\s+/g, ' ').toLowerCase();
}

export function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = fold(pattern).split('*');
  const folded = fold(text);
  const last = rest.pop();
  if (last === undefined) return folded === first;
  if (!folded.startsWith(first) || folded.length < first.length + last.length || !folded.endsWith(last)) {
    return false;
  }
  let at = first.length;
  for (const part of rest) {
    const found = folded.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= folded.length - last.length;
}

export interface Facts {
  kind: ItemKind;
  kindInShop?: ItemKind | undefined;
  name: string;
  sku: string | null;
  tags: readonly string[];
  collections: readonly string[];
  taxClass: string | null;
  taxes: readonly Tax[];
  destination: Destination;
}

export function factsOf(item: Line | Charge, destination: Destination): Facts {
  const { kind, kindInShop, name, taxClass, taxes } = item;
  const product = 'quantity' in item ? item : { sku: null, tags: [], collections: [] };
  const { sku, tags, collections } = product;
  return { kind, kindInShop, name, sku, tags, collections, taxClass, taxes, destination };
}

export const namesTax = ({ when }: TaxRule): boolean =>
  when.rateId !== undefined || when.rate !== undefined || when.title !== undefined;

export const deciding = (rules: readonly TaxRule[], ...keys: (keyof TaxMeaning)[]): TaxRule[] =>
  rules.filter(({ means }) => keys.some((key) => means[key] !== undefined));

export const firstRule = (rules: readonly TaxRule[], facts: Facts, tax: Tax | null): TaxRule | undefined =>
  rules.find((rule) => matches(rule, facts, tax));

function matches(rule: TaxRule, facts: Facts, tax: Tax | null): boolean {
  const { when } = rule;
  if (namesTax(rule) && (tax === null || !namedBy(when, tax))) return false;
  if (!appliesTo(rule, facts.destination)) return false;
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

/** A rule that gives an IVA applies to sales in Ecuador unless it states `abroad`; every other rule to all sales. */
function appliesTo({ when, means }: TaxRule, { abroad }: Destination): boolean {
  const wanted = when.abroad ?? (means.iva === undefined ? undefined : false);
  return wanted === undefined || wanted === abroad;
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

/** The tax authority compares the rate with the document's date. A nota de crédito keeps the code of its factura. */
export function holdOutOfForce(iva: IvaCode, by: string, name: string, today: Day): void {
  const row = ivaRow(iva);
  if (isIvaInForce(row, today)) return;
  if (iva === 8)
    throw new Hold('rate-not-decreed', {
      why: 'today',
      by,
      name: row.name,
      item: name,
      today,
      ...aroundDay(today),
    });
  throw new Hold('rate-not-in-force', { why: 'rule', by, item: name, ...outOfForceOn(row, today) });
}

const outOfForceOn = (row: IvaRow, today: Day): OutOfForce => ({
  name: row.name,
  code: row.code,
  days: ivaDays(row)[0] ?? null,
  today,
});

export function iceFlaw(meaning: IceMeaning): IceFlaw | null {
  const row = iceRow(meaning.codigo);
  if ('porUnidad' in meaning) return { kind: 'per-unit', amount: meaning.porUnidad };
  if (row && row.per !== 'percent') return { kind: 'unit-code', name: row.name, partly: row.per !== 'unit' };
  return row || meaning.nombre !== undefined ? null : { kind: 'unknown' };
}

export function unusableRules(
  { tax, tips, duties, giftCardsSold }: Pick<MoneyPolicy, 'tax' | 'tips' | 'duties' | 'giftCardsSold'>,
  today: Day,
): string[] {
  const special = [
    { name: 'policy.tips', policy: tips },
    { name: 'policy.duties', policy: duties },
    { name: 'policy.giftCardsSold', policy: giftCardsSold },
  ].flatMap(({ name, policy }) => (policy.as === 'line' ? [{ name, means: { iva: policy.iva } }] : []));
  return [...tax.rules, ...special].flatMap((rule) => [...unusableIva(rule, today), ...unusableIce(rule)]);
}

/** Rules with code 8 may wait: a decree may name more days. */
function unusableIva({ name, means: { iva } }: Pick<TaxRule, 'name' | 'means'>, today: Day): string[] {
  if (iva === undefined || iva === 8 || isIvaInForce(ivaRow(iva), today)) return [];
  return [`«${name}» da el ${outOfForce(outOfForceOn(ivaRow(iva), today))}`];
}

function unusableIce({ name, means: { ice } }: Pick<TaxRule, 'name' | 'means'>): string[] {
  const flaw = ice && iceFlaw(ice);
  if (!flaw) return [];
  return [`«${name}» da el ICE ${ice.codigo}${flaw.kind === 'unknown' ? ', ' : ' '}${saysIceFlaw(flaw)}`];
}
