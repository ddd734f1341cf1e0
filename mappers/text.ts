import { cutText } from '../src/domain/text.ts';

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/** Nothing to fold: printable Latin text with single blanks inside. */
const plain = /^[!-~\u00A1-\u024F]+(?: [!-~\u00A1-\u024F]+)*$/;
// Controls, line separators, halves of surrogate pairs and what XML 1.0 forbids.
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]+/gu;

/**
 * One printable line of at most `max` UTF-16 units, cut between whole characters: the XSD forbids newlines
 * (`[^\n]*`) and the service counts characters. Control characters become spaces, runs of spaces one.
 */
export function oneLine(text: string, max: number): string {
  const flat = plain.test(text) ? text : text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
  if (flat.length <= max) return flat;
  const at = graphemes.segment(flat).containing(max)?.index ?? max;
  if (at > 0) return flat.slice(0, at).trimEnd();
  // A single character longer than the field (a letter under a heap of accents) is cut inside.
  return cutText(flat, max);
}

/** The text, or undefined when nothing printable is left: optional fields are never sent empty. */
export function optionalLine(text: string | null | undefined, max: number): string | undefined {
  const line = text ? oneLine(text, max) : '';
  return line === '' ? undefined : line;
}
