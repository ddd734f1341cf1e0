import { parseJson } from '../../src/domain/json.ts';
import { type MetafieldKey, metafields } from './metafield-definitions.ts';

/** Shopify gives instants back as +00:00 and JSON in its own spacing and order of keys. */
export function isSame(key: MetafieldKey, written: string | undefined, wanted: string): boolean {
  if (written === undefined || written === wanted) return written === wanted;
  const type = metafields[key].type;
  if (type === 'date_time') return Date.parse(zoned(written)) === Date.parse(zoned(wanted));
  return type === 'json' && canonical(written) === canonical(wanted);
}

/** A date_time without a zone is GMT for Shopify. */
function zoned(text: string): string {
  return /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
}

function canonical(json: string): string {
  try {
    return JSON.stringify(parseJson(json, sortKeys));
  } catch {
    return json;
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An instant as Shopify keeps it. */
export function seconds(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}
