import { inflateSync } from 'node:zlib';
import { hasCheckDigit } from './access-key.ts';

/** A page of a RIDE takes some ten thousand bytes; what swells beyond this is none. */
const mostOfStream = 4 * 1024 * 1024;
const mostOfAll = 32 * 1024 * 1024;

/**
 * The access keys that can be read in a PDF. Text stands in its content streams, packed or not, as the strings that are
 * shown; fonts that number their glyphs anew say nothing, and then the list is empty (assumption A6).
 */
export function keysInPdf(pdf: Uint8Array): string[] {
  const keys = new Set<string>();
  for (const content of contents(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length)))
    for (const shown of shownIn(content))
      for (const [digits] of shown.replace(/\s+/g, '').matchAll(/(?<!\d)\d{49}(?!\d)/g))
        if (hasCheckDigit(digits)) keys.add(digits);
  return [...keys];
}

/** Every stream of the file, unpacked where it is packed; what cannot be is left out. */
function* contents(pdf: Buffer): Generator<string> {
  let left = mostOfAll;
  for (let at = pdf.indexOf('stream'); at >= 0 && left > 0; ) {
    const from = at + 'stream'.length + (pdf[at + 'stream'.length] === 13 ? 2 : 1);
    const to = pdf.indexOf('endstream', from);
    if (to < 0) return;
    const content = unpacked(pdf.subarray(from, to));
    left -= content.length;
    yield content.toString('latin1');
    at = pdf.indexOf('stream', to + 'endstream'.length);
  }
}

function unpacked(bytes: Buffer): Buffer {
  // Zlib's header: deflate (8) with a window, and a check over both bytes.
  const [first = 0, second = 0] = bytes;
  if ((first & 15) !== 8 || (first * 256 + second) % 31 !== 0) return bytes.subarray(0, mostOfStream);
  try {
    return inflateSync(bytes, { maxOutputLength: mostOfStream });
  } catch {
    return Buffer.alloc(0);
  }
}

const strings = /\((?:[^()\\]|\\[\s\S])*\)|<[0-9a-fA-F\s]*>/g;
/** An array of strings with the moves between them, or one string, and the operator that shows it. */
const shown =
  /\[((?:\((?:[^()\\]|\\[\s\S])*\)|<[0-9a-fA-F\s]*>|[^[\]()<])*)\]\s*TJ|(\((?:[^()\\]|\\[\s\S])*\)|<[0-9a-fA-F\s]*>)\s*(?:Tj|'|")/g;

/** What the text operators of a content stream show, each string or array of strings as one. */
function* shownIn(content: string): Generator<string> {
  for (const [, array, one] of content.matchAll(shown))
    yield ((array ?? one ?? '').match(strings) ?? []).map(textOf).join('');
}

function textOf(string: string): string {
  const inside = string.slice(1, -1);
  if (string.startsWith('(')) return inside.replace(/\\([\s\S])/g, '$1');
  return Buffer.from(inside.replace(/\s+/g, ''), 'hex').toString('latin1');
}
