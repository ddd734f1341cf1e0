/** What a hostile text is made of: every sign, blanks, digits, and what Unicode has of the odd kind. */
const signs = [
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~«»“”¿¡0a \t\n\r',
  '\0',
  '\u00a0',
  '\u2028',
  '\ud800',
  '\u0301',
  '\u202e',
  '\u200d',
  'é',
  'İ',
  'ﷺ',
  '漢',
  '😀',
];
/** Beginnings of what patterns look for. */
const pieces = [
  '<a',
  '</',
  '<!--',
  '<![CDATA[',
  '«a',
  'a@',
  '@a.',
  '&lt',
  '&#',
  '{a',
  '001-001-',
  '1.',
  ' -',
  'a ',
  '/1?',
  '\\"',
  'ruc',
  'no créditos ',
  // And whole ones, so that there are many of them.
  '<a></a>',
  '«a» ',
  '"a":1,',
  '[],',
  'a@b.c ',
  '0912345678,',
  'aé«\u0301😀1 @漢<',
];

/** What a long text repeats. */
export const units: readonly string[] = [...signs, ...pieces];

export const textOf = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Where a value of JSON stands: names, and numbers of rows. */
export type Path = readonly (string | number)[];

/** What a name nobody knows stands for; the long text is the name then. */
const name = '{}';

/**
 * Where a text can stand in a value: in place of each text, number, flag or null, and as one more name in each object. Of
 * lists any row stands for all; the key tells which of them are of one kind.
 */
export function placesIn(value: unknown): Map<string, Path> {
  const found = new Map<string, Path>();
  const visit = (here: unknown, path: Path): void => {
    const isObject = typeof here === 'object' && here !== null;
    if (!isObject || !Array.isArray(here)) {
      const own = isObject ? [...path, name] : path;
      const kind = own.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
      if (!found.has(kind)) found.set(kind, own);
    }
    if (isObject)
      for (const [key, child] of Object.entries(here))
        visit(child, [...path, Array.isArray(here) ? Number(key) : key]);
  };
  visit(value, []);
  return found;
}

/** The same value with something else in this place. Only what lies on the way is copied. */
export function withValue(value: unknown, [step, ...rest]: Path, other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) return value.map((row, at) => (at === step ? withValue(row, rest, other) : row));
  const object = value as Record<string, unknown>;
  return step === name
    ? { ...object, [String(other)]: 'x' }
    : { ...object, [step]: withValue(object[step], rest, other) };
}

/** The length of the longest text in a value, names of fields included; an error counts by what it says. */
export function longestIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Error) return longestIn([value.message, { ...value }]);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 0;
  const parts = value instanceof Map ? [...value].flat() : Object.entries(value).flat();
  return parts.reduce<number>((longest, part) => Math.max(longest, longestIn(part)), 0);
}
