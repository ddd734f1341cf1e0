const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/**
 * One printable line of at most `max` UTF-16 units, cut between whole characters: the XSD forbids newlines
 * (`[^\n]*`) and the service counts characters. Control characters become spaces, runs of spaces one.
 */
export function oneLine(text: string, max: number): string {
  const flat = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (flat.length <= max) return flat;
  let cut = '';
  for (const { segment } of graphemes.segment(flat)) {
    if (cut.length + segment.length > max) break;
    cut += segment;
  }
  return cut.trimEnd();
}

/** The text, or undefined when nothing printable is left: optional fields are never sent empty. */
export function optionalLine(text: string | null | undefined, max: number): string | undefined {
  const line = text ? oneLine(text, max) : '';
  return line === '' ? undefined : line;
}
