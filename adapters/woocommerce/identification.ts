import { decode } from 'html-entities';
import type { IdCandidate } from '../../src/core/order.ts';
import { loneNumber, readIdType, wordsOf } from '../../src/core/stated-identification.ts';
import type { WooMeta, WooOrder } from './payload.ts';

/**
 * Where Ecuadorian shops keep cédula or RUC; WooCommerce has no field of its own (measured on WooCommerce 11.0.1).
 * An entry is a meta key. One that ends in `/*` stands for all block checkout fields below it whose name
 * speaks of an identification. `billing.company` counts only where its digits look like one.
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
  // Of who receives the parcel: better than nobody, after everyone else
  '_wc_shipping/*',
  '_shipping_identificacion',
  'billing.company',
];

/** The core saves a checkout field `billing_x` as `_billing_x`; others leave out one prefix or both. */
function spellings(name: string): string[] {
  return [`_billing_${name}`, `billing_${name}`, `_${name}`, name];
}

/** What Dátil's plugin writes where the buyer wrote nothing. */
const blank = '99999999999';

const idWords = ['identificacion', 'cedula', 'ruc', 'ci', 'dni', 'documento', 'pasaporte'];
const typeWords = ['tipo', 'type'];

/** The part of an order where an identification may stand. */
type IdBearing = Pick<WooOrder, 'meta_data'> & { billing: Pick<WooOrder['billing'], 'company'> };

/** Every identification on the order, in the order of `sources`; the same value twice at one source is one. */
export function readIds(order: IdBearing, sources: readonly string[]): IdCandidate[] {
  const found = new Map<string, IdCandidate>();
  for (const source of sources) {
    for (const candidate of readSource(order, source)) {
      found.set(`${candidate.source} ${candidate.value}`, candidate);
    }
  }
  return [...found.values()];
}

function readSource(order: IdBearing, source: string): IdCandidate[] {
  if (source === 'billing.company') {
    const number = loneNumber(order.billing.company);
    return number ? [{ value: order.billing.company.trim(), source, type: number.type }] : [];
  }
  return order.meta_data
    .filter((meta) =>
      source.endsWith('/*') ? isIdField(meta.key, source.slice(0, -1)) : meta.key === source,
    )
    .flatMap((meta) => {
      const value = metaText(meta);
      return value === null || value === blank
        ? []
        : [{ value, source: `meta ${meta.key}`, type: statedType(order.meta_data, meta.key, value) }];
    });
}

/** `_wc_billing/<namespace>/<field>`: the field's words decide; `tipo-identificacion` is no identification. */
function isIdField(key: string, group: string): boolean {
  if (!key.startsWith(group)) return false;
  const words = wordsOf(key.slice(key.lastIndexOf('/') + 1));
  return words.some((word) => idWords.includes(word)) && !words.some((word) => typeWords.includes(word));
}

/**
 * What the source says about the type: its own name, or the field beside it that shops add for the type. That
 * field wins only where it says pasaporte or exterior of something that is no cédula or RUC by its digits: a
 * shop with one box called "ruc" puts passports there too.
 */
function statedType(metas: readonly WooMeta[], key: string, value: string): IdCandidate['type'] {
  const byName = readIdType(wordsOf(key).join(' '));
  const beside = metas.find((meta) => typeKeysOf(key).includes(meta.key));
  const byField = readIdType((beside && metaText(beside)) ?? '');
  if ((byField === 'pasaporte' || byField === 'exterior') && loneNumber(value) === null) return byField;
  return byName ?? byField;
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

/** A meta value as text; block checkout values are HTML-encoded once. Lists and objects are no text. */
export function metaText(meta: WooMeta): string | null {
  if (typeof meta.value === 'number') return String(meta.value);
  if (typeof meta.value !== 'string') return null;
  const text = (meta.key.startsWith('_wc_') ? decode(meta.value) : meta.value).trim();
  return text === '' ? null : text;
}
