/** The third argument of a reviver (ES2026, in Node since 22); the compiler's library does not know it yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepLongIntegers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? source
    : value;

/**
 * Reads JSON as the shop wrote it. Integers beyond 2^53 would be rounded to another order's id, so they come
 * as strings; the slow way is taken only when the text holds such a long run of digits.
 * Throws SyntaxError on text that is no JSON (a maintenance page, a PHP notice).
 */
export function readJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepLongIntegers as (key: string, value: unknown) => unknown);
}
