import { z } from 'zod';
import { decimal } from './money.ts';
import { limitText, longestWord, mayBeAmount } from './text.ts';

/*
 * Shops, plugins and old exports write numbers as text, text as numbers, and PHP's `{}` for an empty list and `[]` for
 * an empty object. Each schema accepts what has one meaning only; `unreadable` words its issue.
 */

export const wanted = {
  amount: 'un monto como "12.50"',
  positive: 'un monto de cero o más, como "12.50"',
  number: 'un número',
  quantity: 'una cantidad de cero o más',
  sold: 'una cantidad mayor que cero, porque la línea cobra',
  boolean: 'verdadero o falso (true, false)',
  text: 'un texto',
  word: 'una palabra',
  id: 'un id (un número entero mayor que cero)',
  instant: 'una fecha con hora, como "2026-11-20T15:00:00Z"',
  currency: 'el código de una moneda, como "USD"',
  int: 'un número entero',
  array: 'una lista',
  object: 'un objeto',
} as const;
export type Wanted = keyof typeof wanted;

export const loose = <T>(wants: Wanted, read: (value: unknown) => T | undefined) =>
  z
    .unknown()
    .optional()
    .transform((value, context): T => {
      const found = read(value);
      if (found !== undefined) return found;
      context.addIssue({ code: 'custom', message: wants });
      return z.NEVER;
    });

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

const orNull =
  <T>(read: (value: unknown) => T | undefined) =>
  (value: unknown): T | null | undefined =>
    isNothing(value) ? null : read(value);

/** Ten decimals drop a float's noise, also what PHP writes as "-8.0E-5"; no shop has finer prices. */
function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? withoutNoise(value) : undefined;
  if (typeof value !== 'string' || !mayBeAmount(value)) return undefined;
  const text = value.trim();
  if (/^-?\d+(\.\d+)?E-\d{1,2}$/i.test(text)) return withoutNoise(Number(text));
  return /^-?\d+(\.\d+)?$/.exec(text)?.[0];
}

function withoutNoise(value: number): string | undefined {
  const digits = decimal(value).toDecimalPlaces(10).abs().toFixed();
  if (!mayBeAmount(digits)) return undefined;
  return value < 0 && Number(digits) > 0 ? `-${digits}` : digits;
}

const numberOf = (value: unknown): number | undefined => {
  const digits = digitsOf(value);
  return digits === undefined ? undefined : Number(digits);
};

const notNegative = <T extends string | number>(value: T | undefined): T | undefined =>
  value !== undefined && Number(value) >= 0 ? value : undefined;

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? limitText(value) : undefined;
}

const truths: readonly unknown[] = [true, 'true', '1', 1];
const untruths: readonly unknown[] = [false, 'false', '0', 0];
const truthOf = (value: unknown): boolean | undefined =>
  truths.includes(value) ? true : untruths.includes(value) ? false : undefined;

export const amount = loose('amount', digitsOf);
export const amountOrNone = loose('amount', orNull(digitsOf));
export const positiveAmount = loose('positive', (value) => notNegative(digitsOf(value)));
export const number = loose('number', numberOf);
export const numberOrNone = loose('number', orNull(numberOf));
export const quantity = loose('quantity', (value) => notNegative(numberOf(value)));
export const quantityOrNone = loose(
  'quantity',
  orNull((value) => notNegative(numberOf(value))),
);
export const boolean = loose('boolean', truthOf);
export const booleanOrNone = loose('boolean', orNull(truthOf));
export const textOrNone = loose('text', (value) =>
  value === null || value === undefined ? null : textOf(value),
);

export const instantOrNone = loose('instant', orNull(instantOf));
export const instant = loose('instant', instantOf);
function instantOf(value: unknown): string | undefined {
  const zoned = typeof value === 'string' && /\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(value);
  return zoned && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
export const anyText = loose('text', textOf);
export const filledOrNone = loose('text', orNull(textOf));
export const filled = loose('text', (value) => (isNothing(value) ? undefined : textOf(value)));

export const word = loose('word', (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longestWord ? value : undefined,
);
const currencyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined;
export const currency = loose('currency', currencyOf);
export const currencyOrNone = loose('currency', orNull(currencyOf));

export function idOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,39}$/.test(text) ? text : undefined;
}
export const id = loose('id', idOf);
/** PHP writes 0 as the id of nothing. */
export const idOrNone = loose('id', (value) =>
  isNothing(value) || value === 0 || value === '0' ? null : idOf(value),
);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** PHP writes a list that lost a row as an object with numbered keys, and an empty one as `{}`. */
export const asList = (value: unknown): unknown =>
  isObject(value) && !Array.isArray(value) && Object.keys(value).every((key) => /^\d+$/.test(key))
    ? Object.values(value)
    : value;

/** PHP writes an object without fields as `[]`. */
const asObject = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

export const list = <T extends z.ZodType>(row: T) => z.preprocess(asList, z.array(row));
export const listOrNone = <T extends z.ZodType>(row: T) =>
  z.preprocess((value) => asList(value ?? []), z.array(row));
export const object = <T extends z.ZodType>(shape: T) => z.preprocess(asObject, shape);
export const objectOrNone = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (isNothing(value) ? null : asObject(value)), shape.nullable());

export const wrongFields = ({ issues }: z.ZodError): string =>
  [
    ...new Set(
      issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : issue.path.join('.'))),
    ),
  ]
    .filter((name) => name !== '')
    .slice(0, 10)
    .map((name) => name.slice(0, 60))
    .join(', ');

/** "«line_items.0.price» es un texto vacío y debe ser un monto como "12.50"". Of the value only its type. */
export function unreadable(body: unknown, { issues }: z.ZodError): string {
  const path = issues[0]?.path ?? [];
  const place = path.join('.');
  const should = wanted[wantedBy(issues[0])];
  return `${place ? `«${place}»` : 'todo'} ${kindOf(valueAt(body, path))} y debe ser ${should}`;
}

function wantedBy(issue: z.core.$ZodIssue | undefined): Wanted {
  const name = issue?.code === 'invalid_type' ? issue.expected : (issue?.message ?? '');
  return Object.hasOwn(wanted, name) ? (name as Wanted) : 'text';
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (!isObject(at)) return undefined;
    const rows = asList(at);
    return typeof key === 'number' && Array.isArray(rows) ? rows[key] : Reflect.get(at, key);
  }, body);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'no está';
  if (value === null) return 'está vacío (null)';
  if (Array.isArray(value)) return 'es una lista';
  if (value === '') return 'es un texto vacío';
  switch (typeof value) {
    case 'string':
      return 'es un texto';
    case 'number':
      return 'es un número';
    case 'boolean':
      return 'es verdadero o falso';
    default:
      return 'es un objeto';
  }
}

/** The third argument (ES2026, Node 22) is not yet in the compiler's library. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepLongIntegers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? source
    : value;

/** Answers of shops and the tax service nest some fifteen levels; what plugins store in orders a few more. */
const deepestJson = 200;
/** A list of a hundred orders of forty lines has a quarter of a million values. */
const mostValues = 500_000;

/**
 * Ignores byte order marks, which editors and PHP files add. Throws SyntaxError on text that is not JSON, on more than 200
 * levels (the stack would overflow) and on more values than any order or list has (memory).
 */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  const excess = excessOf(text);
  if (excess) throw new SyntaxError(`JSON ${excess}`);
  return JSON.parse(text.trimStart(), reviver);
}

function excessOf(text: string): string | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return null;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x2c) values += 1;
    if (depth > deepestJson) return `nested deeper than ${deepestJson} levels`;
    if (values > mostValues) return `of more than ${mostValues} values`;
  }
  return null;
}

function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** Integers beyond 2^53 become strings: rounding would give another order's id. Throws SyntaxError as `parseJson`. */
export function readJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return parseJson(text);
  return parseJson(text, keepLongIntegers as (key: string, value: unknown) => unknown);
}

const utf8 = new TextDecoder();

export function tryReadJson(text: string | Uint8Array): unknown {
  try {
    return readJson(typeof text === 'string' ? text : utf8.decode(text));
  } catch {
    return undefined;
  }
}

/** Shops write ids and states before the first line or address. */
const headBytes = 2048;

/**
 * The fields before the first nested value, in a tenth of the time of a whole order; undefined when there are none.
 * The rest is not checked, so the sender must be known.
 */
export function readJsonHead(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes.subarray(0, headBytes));
  const opened = text.indexOf('{') + 1;
  const nested = text.slice(opened).search(/[[{]/);
  const end = nested < 0 ? -1 : text.lastIndexOf(',', opened + nested);
  if (end < opened) return undefined;
  // A bracket inside a string cuts that string in two, which is not JSON.
  return tryReadJson(`${text.slice(0, end)}}`);
}
