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

const utf8 = new TextDecoder();
/** Where ids and states stand in what shops send: far before the first line or address. */
const headBytes = 2048;

/**
 * The fields of a JSON object before its first nested value, for a door that needs no more than an id: a tenth of
 * what reading a whole order takes. Undefined when there are none to be had this way; then read all of it. What
 * comes behind is not looked at, so the sender must be known.
 */
export function readJsonHead(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes.subarray(0, headBytes));
  const opened = text.indexOf('{') + 1;
  const nested = text.slice(opened).search(/[[{]/);
  const end = nested < 0 ? -1 : text.lastIndexOf(',', opened + nested);
  if (end < opened) return undefined;
  try {
    // A bracket inside a text cuts that text in two, which is no JSON.
    return readJson(`${text.slice(0, end)}}`);
  } catch {
    return undefined;
  }
}
