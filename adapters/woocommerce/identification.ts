import { decode } from 'html-entities';
import type { IdCandidate } from '../../src/core/order.ts';
import type { WooMeta, WooOrder } from './payload.ts';

/**
 * Where Ecuadorian shops keep cédula or RUC; WooCommerce has no field of its own (measured on WooCommerce 11.0.1).
 * An entry is a meta key. One that ends in `/*` stands for all block checkout fields below it whose name
 * speaks of an identification. `billing.company` counts only where its digits look like one.
 */
export const defaultIdSources: readonly string[] = [
  '_billing_tax_id',
  '_billing_cedula',
  'billing_cedula',
  '_cedula',
  'cedula',
  '_billing_ruc',
  'billing_ruc',
  'ruc',
  '_billing_identificacion',
  'billing_identificacion',
  '_billing_ci_ruc',
  'billing_ci_ruc',
  '_billing_cedula_ruc',
  'billing_cedula_ruc',
  'cedula_ruc',
  'C.I. / RUC',
  '_wc_billing/*',
  '_wc_other/*',
  '_billing_pasaporte',
  'billing_pasaporte',
  '_billing_documento',
  'billing_documento',
  'documento',
  '_billing_numero_documento',
  'billing_numero_documento',
  '_billing_dni',
  'billing_dni',
  '_billing_dni_ruc',
  '_billing_nit',
  '_billing_vat',
  'billing_vat',
  'vat',
  'billing.company',
];

const idWords = ['identificacion', 'cedula', 'ruc', 'ci', 'dni', 'documento', 'pasaporte'];
const typeWords = ['tipo', 'type'];

/** Codes of SRI table 6 and the words of plugins, as core calls them; 07 (consumidor final) is no type. */
const types = new Map<string, NonNullable<IdCandidate['type']>>([
  ['04', 'ruc'],
  ['05', 'cedula'],
  ['06', 'pasaporte'],
  ['08', 'exterior'],
  ['ruc', 'ruc'],
  ['cedula', 'cedula'],
  ['pasaporte', 'pasaporte'],
  ['exterior', 'exterior'],
]);

/** Every identification on the order, in the order of `sources`; the same value twice at one source is one. */
export function readIds(order: WooOrder, sources: readonly string[]): IdCandidate[] {
  const found = new Map<string, IdCandidate>();
  for (const source of sources) {
    for (const candidate of readSource(order, source)) {
      found.set(`${candidate.source} ${candidate.value}`, candidate);
    }
  }
  return [...found.values()];
}

/** A cédula has 10 digits, a RUC 13; buyers type spaces, dots and dashes between them. */
export function looksLikeId(text: string): boolean {
  return /^(\d{10}|\d{13})$/.test(text.replace(/[\s.-]/g, ''));
}

function readSource(order: WooOrder, source: string): IdCandidate[] {
  if (source === 'billing.company') {
    const value = order.billing.company.trim();
    return looksLikeId(value) ? [{ value, source, type: null }] : [];
  }
  return order.meta_data
    .filter((meta) =>
      source.endsWith('/*') ? isIdField(meta.key, source.slice(0, -1)) : meta.key === source,
    )
    .flatMap((meta) => {
      const value = metaText(meta);
      return value === null
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
  const [named, another] = new Set(wordsOf(key).filter((word) => idWords.includes(word)));
  const byName = another === undefined ? (types.get(named ?? '') ?? null) : null;
  const beside = metas.find((meta) => typeKeysOf(key).includes(meta.key));
  const byField = types.get(plain((beside && metaText(beside)) ?? '')) ?? null;
  if ((byField === 'pasaporte' || byField === 'exterior') && !looksLikeId(value)) return byField;
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

function wordsOf(name: string): string[] {
  return plain(name)
    .replaceAll('.', '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Lower case without accents: shops write "Cédula", "cedula" and "CEDULA". */
function plain(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A meta value as text; block checkout values are HTML-encoded once. Lists and objects are no text. */
export function metaText(meta: WooMeta): string | null {
  if (typeof meta.value === 'number') return String(meta.value);
  if (typeof meta.value !== 'string') return null;
  const text = (meta.key.startsWith('_wc_') ? decode(meta.value) : meta.value).trim();
  return text === '' ? null : text;
}
