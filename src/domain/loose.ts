import { z } from 'zod';
import { limitText, longestWord, mayBeAmount } from './text.ts';

/*
 * Values as shops, their plugins and old exports write them: numbers as text and text as numbers, null, an empty text or
 * no key at all where there is nothing, PHP's `{}` for an empty list and `[]` for an empty object. Each reads what can
 * mean one thing only; what it wanted is its issue's message, for unreadable() to say.
 */

/** What a place of a body asks for: in Spanish after "debe ser", in English after "wants". */
export const wanted = {
  amount: ['un monto como "12.50"', 'an amount such as "12.50"'],
  positive: ['un monto de cero o más, como "12.50"', 'an amount of zero or more, such as "12.50"'],
  number: ['un número', 'a number'],
  quantity: ['una cantidad de cero o más', 'a quantity of zero or more'],
  sold: [
    'una cantidad mayor que cero, porque la línea cobra',
    'a quantity above zero, for the line costs money',
  ],
  boolean: ['verdadero o falso (true, false)', 'true or false'],
  text: ['un texto', 'a text'],
  word: ['una palabra', 'a word'],
  id: ['un id (un número entero mayor que cero)', 'an id, a whole number above zero'],
  instant: ['una fecha con hora, como "2026-11-20T15:00:00Z"', 'an instant such as "2026-11-20T15:00:00Z"'],
  currency: ['el código de una moneda, como "USD"', 'the code of a currency, such as "USD"'],
  int: ['un número entero', 'a whole number'],
  array: ['una lista', 'a list'],
  object: ['un objeto', 'an object'],
} as const;
export type Wanted = keyof typeof wanted;

/** A value that is read by `read`, which answers undefined for what it cannot take; a missing key is undefined. */
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

/** null, no key and an empty text say alike that there is nothing. */
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

const orNull =
  <T>(read: (value: unknown) => T | undefined) =>
  (value: unknown): T | null | undefined =>
    isNothing(value) ? null : read(value);

/** A float's noise ends after ten decimals; no shop prices finer. */
function digitsOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(Number(value.toFixed(10))) : value;
  if (typeof text !== 'string' || !mayBeAmount(text)) return undefined;
  return /^-?\d+(\.\d+)?$/.exec(text.trim())?.[0];
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

/** A decimal string; what a shop writes as a number comes as its digits. */
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
/** What people and plugins write, cut where it is longer than anything we read; null where there is nothing to read. */
export const textOrNone = loose('text', (value) =>
  value === null || value === undefined ? null : textOf(value),
);

/** A time with its zone, as it was written; null for nothing. */
export const instantOrNone = loose('instant', orNull(instantOf));
export const instant = loose('instant', instantOf);
function instantOf(value: unknown): string | undefined {
  const zoned = typeof value === 'string' && /\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(value);
  return zoned && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
export const anyText = loose('text', textOf);
/** A text with something in it, or null. */
export const filledOrNone = loose('text', orNull(textOf));
export const filled = loose('text', (value) => (isNothing(value) ? undefined : textOf(value)));

/** What decides: states, codes. Never cut and never made of a number. */
export const word = loose('word', (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longestWord ? value : undefined,
);
const currencyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined;
export const currency = loose('currency', currencyOf);
export const currencyOrNone = loose('currency', orNull(currencyOf));

/** The digits of an id above zero. */
export function idOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,39}$/.test(text) ? text : undefined;
}
export const id = loose('id', idOf);
/** 0 is PHP's id of what is not there. */
export const idOrNone = loose('id', (value) =>
  isNothing(value) || value === 0 || value === '0' ? null : idOf(value),
);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** PHP writes a list that lost a row as an object with its numbers, and an empty one as `{}`. */
export const asList = (value: unknown): unknown =>
  isObject(value) && !Array.isArray(value) && Object.keys(value).every((key) => /^\d+$/.test(key))
    ? Object.values(value)
    : value;

/** PHP writes an object without fields as `[]`. */
const asObject = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

export const list = <T extends z.ZodType>(row: T) => z.preprocess(asList, z.array(row));
/** null and no key are an empty list. */
export const listOrNone = <T extends z.ZodType>(row: T) =>
  z.preprocess((value) => asList(value ?? []), z.array(row));
export const object = <T extends z.ZodType>(shape: T) => z.preprocess(asObject, shape);
export const objectOrNone = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (isNothing(value) ? null : asObject(value)), shape.nullable());

/** What is wrong where, in both tongues; of the value only its kind is told. */
export interface Unreadable {
  /** "«line_items.0.price» es un texto vacío y debe ser un monto como "12.50"". */
  merchant: string;
  engineer: string;
}

/** The first place of a body that cannot be read. */
export function unreadable(body: unknown, { issues }: z.ZodError): Unreadable {
  const path = issues[0]?.path ?? [];
  const place = path.join('.');
  const [is, was] = kindOf(valueAt(body, path));
  const [should, wants] = wanted[wantedBy(issues[0])];
  return {
    merchant: `${place ? `«${place}»` : 'todo'} ${is} y debe ser ${should}`,
    engineer: `${place || 'the whole'} ${was} and wants ${wants}`,
  };
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

function kindOf(value: unknown): readonly [string, string] {
  if (value === undefined) return ['no está', 'is missing'];
  if (value === null) return ['está vacío (null)', 'is null'];
  if (Array.isArray(value)) return ['es una lista', 'is a list'];
  if (value === '') return ['es un texto vacío', 'is an empty text'];
  switch (typeof value) {
    case 'string':
      return ['es un texto', 'is a text'];
    case 'number':
      return ['es un número', 'is a number'];
    case 'boolean':
      return ['es verdadero o falso', 'is true or false'];
    default:
      return ['es un objeto', 'is an object'];
  }
}
