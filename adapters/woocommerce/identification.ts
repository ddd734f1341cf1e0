import { decode } from 'html-entities';
import { bareText } from '../../src/domain/identification.ts';
import type { IdCandidate } from '../../src/domain/order.ts';
import { chosenType, loneNumber, readIdType, wordsOf } from '../../src/domain/stated-identification.ts';
import { limitText } from '../../src/domain/text.ts';
import type { WooMeta, WooOrder } from './payload.ts';

/**
 * Where Ecuadorian shops keep cédula or RUC; WooCommerce has no field of its own (measured on WooCommerce 11.0.1).
 * An entry is a meta key; case, accents and signs between its words do not count: "Cédula / RUC" is `cedula_ruc`. One
 * that ends in `/*` stands for all block checkout fields below it whose name speaks of an identification, `_billing_*`
 * for all such fields of the classic checkout. `billing.company` counts only where its digits look like one.
 */
export const defaultIdSources: readonly string[] = [
  // Contífico's plugin
  '_billing_tax_id',
  // Checkout fields of themes and plugins (Dátil, Bukets, Servientrega), with and without the core's prefix
  ...spellings('cedula'),
  ...spellings('ruc'),
  ...spellings('identificacion'),
  ...spellings('numero_identificacion'),
  ...spellings('ci_ruc'),
  ...spellings('cedula_ruc'),
  ...spellings('ruc_cedula'),
  'C.I. / RUC',
  '_wc_billing/*',
  '_wc_other/*',
  ...spellings('pasaporte'),
  ...spellings('documento'),
  ...spellings('numero_documento'),
  ...spellings('dni'),
  ...spellings('dni_ruc'),
  ...spellings('nit'),
  ...spellings('vat'),
  '_billing_vat_number',
  '_billing_*',
  // Of who receives the parcel: better than nobody, after everyone else
  '_wc_shipping/*',
  '_shipping_identificacion',
  'billing.company',
];

/** The core saves a checkout field `billing_x` as `_billing_x`; others leave out the prefix. */
function spellings(name: string): string[] {
  return [`_billing_${name}`, name];
}

/** What Dátil's plugin writes where the buyer wrote nothing. */
const blank = '99999999999';

const idWords = ['identificacion', 'identification', 'cedula', 'ruc', 'ci', 'dni', 'documento', 'pasaporte'];
const typeWords = ['tipo', 'type'];

/** The part of an order where an identification may stand. */
type IdBearing = Pick<WooOrder, 'meta_data'> & { billing: Pick<WooOrder['billing'], 'company'> };

/** Every identification on the order, in the order of `sources`; the same value twice at one source is one. */
export function readIds(order: IdBearing, sources: readonly string[]): IdCandidate[] {
  const found = new Map<string, IdCandidate>();
  const metas = order.meta_data.map((meta) => ({ meta, name: nameOf(meta.key) }));
  const places = new Map(order.meta_data.map(({ key }, at) => [key, at] as const).reverse());
  for (const source of sources) {
    for (const candidate of readSource(order, { metas, places }, source)) {
      found.set(`${candidate.source} ${candidate.value}`, candidate);
    }
  }
  return [...found.values()];
}

/** A meta row and its key as `nameOf` reads it. */
interface Named {
  meta: WooMeta;
  name: string;
}

/** "_billing_Cédula" and "billing_cedula" are one name. */
const nameOf = (key: string): string => wordsOf(key).join(' ') || key;

/** `places`: where the first meta of each key stands. */
interface Metas {
  metas: readonly Named[];
  places: ReadonlyMap<string, number>;
}

function readSource(order: IdBearing, { metas, places }: Metas, source: string): IdCandidate[] {
  if (source === 'billing.company') {
    const number = loneNumber(order.billing.company);
    if (number === null) return [];
    const { labelled, type } = number;
    return [
      { value: order.billing.company.trim(), source, type, ...(!labelled && { elsewhere: true as const }) },
    ];
  }
  return metas.filter(matcherOf(source)).flatMap(({ meta }) => {
    const value = idText(meta);
    return value === null || value === blank
      ? []
      : [{ value, source: `meta ${meta.key}`, type: statedType({ metas, places }, meta.key, value) }];
  });
}

function matcherOf(source: string): (one: Named) => boolean {
  const group = source.slice(0, -1);
  if (source.endsWith('/*')) return ({ meta }) => isIdField(meta.key, group);
  const name = nameOf(source);
  if (!source.endsWith('_*')) return (one) => one.name === name;
  return (one) =>
    one.name.startsWith(`${name} `) && speaksOfId(one.name.split(' ')) && isWritten(idText(one.meta) ?? '');
}

/** Of a field nobody named: long enough and with digits, unlike a ticked box, a name or the address of a photograph. */
function isWritten(value: string): boolean {
  return /\d/.test(value) && bareText(value).length >= 6 && !value.includes('://');
}

/** `_wc_billing/<namespace>/<field>`: the field's words decide; `tipo-identificacion` is no identification. */
function isIdField(key: string, group: string): boolean {
  return key.startsWith(group) && speaksOfId(wordsOf(key.slice(key.lastIndexOf('/') + 1)));
}

function speaksOfId(words: readonly string[]): boolean {
  return words.some((word) => idWords.includes(word)) && !words.some((word) => typeWords.includes(word));
}

/** What the source says about the type: its own name, or the field beside it that shops add for the type. */
function statedType({ metas, places }: Metas, key: string, value: string): IdCandidate['type'] {
  const byName = readIdType(wordsOf(key).join(' '));
  const beside = typeKeysOf(key).flatMap((one) => places.get(one) ?? []);
  const first = metas[Math.min(...beside)];
  const byField = readIdType((first && metaText(first.meta)) ?? '');
  return chosenType(value, byName, byField);
}

function typeKeysOf(key: string): string[] {
  const at = key.lastIndexOf('/');
  if (at >= 0) {
    const folder = key.slice(0, at + 1);
    return [`${folder}tipo-identificacion`, `${folder}tipo_identificacion`, `${folder}tipo-documento`];
  }
  if (key === '_billing_tax_id') return ['_billing_tax_type'];
  const names = ['billing_tipo_identificacion', 'billing_tipo_documento'];
  return [...names.map((name) => `_${name}`), ...names];
}

/** Field plugins of several choices keep the one that was written as a list of one. */
function idText(meta: WooMeta): string | null {
  const [only, ...more] = Array.isArray(meta.value) ? meta.value : [meta.value];
  return more.length > 0 ? null : metaText({ ...meta, value: only });
}

/** A meta value as text; block checkout values are HTML-encoded once. Lists and objects are no text. */
export function metaText(meta: WooMeta): string | null {
  if (typeof meta.value === 'number') return String(meta.value);
  if (typeof meta.value !== 'string') return null;
  const value = limitText(meta.value);
  const text = (meta.key.startsWith('_wc_') ? decode(value) : value).trim();
  return text === '' ? null : text;
}
