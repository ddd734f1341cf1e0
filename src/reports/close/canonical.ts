/**
 * JSON in its one canonical form (RFC 8785): names sorted by their UTF-16 units, no white space. Whoever parses it and
 * writes it again gets the same bytes, so that a signature can be checked without us. Only what we keep passes: texts,
 * whole numbers, flags, null, lists and plain objects; anything else throws a RangeError.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new RangeError(`A ${typeof value} has no canonical JSON here.`);
  const names = Object.keys(value).sort();
  const rows = value as Record<string, unknown>;
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(rows[name])}`).join(',')}}`;
}
