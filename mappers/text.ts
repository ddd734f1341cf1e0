const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

// Controls, line separators, halves of surrogate pairs and what XML 1.0 forbids.
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]+/gu;

/**
 * One printable line of at most `max` UTF-16 units, cut between whole characters: the XSD forbids newlines
 * (`[^\n]*`) and the service counts characters. Control characters become spaces, runs of spaces one.
 */
export function oneLine(text: string, max: number): string {
  const flat = text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
  if (flat.length <= max) return flat;
  const cut = cutBetween(
    max,
    Array.from(graphemes.segment(flat.slice(0, 4 * max)), ({ segment }) => segment),
  );
  // A single character longer than the field (a letter under a heap of accents) is cut inside.
  return (cut === '' ? cutBetween(max, [...flat]) : cut).trimEnd();
}

function cutBetween(max: number, segments: Iterable<string>): string {
  let cut = '';
  for (const segment of segments) {
    if (cut.length + segment.length > max) break;
    cut += segment;
  }
  return cut;
}

/** The text, or undefined when nothing printable is left: optional fields are never sent empty. */
export function optionalLine(text: string | null | undefined, max: number): string | undefined {
  const line = text ? oneLine(text, max) : '';
  return line === '' ? undefined : line;
}
