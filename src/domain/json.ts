/** The third argument of a reviver (ES2026, in Node since 22); the compiler's library does not know it yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepLongIntegers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? source
    : value;

/** Answers of shops and of the tax service nest some fifteen levels, what plugins keep in orders a few more. */
const deepestJson = 200;

/**
 * JSON.parse for what comes from outside, after the byte order marks that editors and PHP files leave before it. Throws
 * SyntaxError on text that is no JSON, and before anything is made of it on text with more than 200 levels: whatever
 * recurses over it later (schemas, libraries) would end in a full stack.
 */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  if (isDeeper(text, deepestJson)) throw new SyntaxError(`JSON nested deeper than ${deepestJson} levels`);
  return JSON.parse(text.trimStart(), reviver);
}

/** In one pass; what stands in strings does not count. */
function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** Where the string that begins at `begin` ends; -1 where it does not. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/**
 * Reads JSON as the shop wrote it. Integers beyond 2^53 would be rounded to another order's id, so they come
 * as strings; the slow way is taken only when the text holds such a long run of digits.
 * Throws SyntaxError on text that is no JSON (a maintenance page, a PHP notice), and see `parseJson`.
 */
export function readJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return parseJson(text);
  return parseJson(text, keepLongIntegers as (key: string, value: unknown) => unknown);
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
