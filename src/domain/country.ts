/**
 * A country as ISO 3166-1 alpha-2, upper case; null for nothing. What a shop wrote instead of a code stays as it is
 * (but "Ecuador"): it is a country all the same, and none of ours.
 */
export function countryCode(written: string | null | undefined): string | null {
  const text = written?.trim() ?? '';
  if (text === '') return null;
  if (/^(ecuador|ecu)$/i.test(text)) return 'EC';
  return text.length === 2 ? text.toUpperCase() : text;
}

const names = new Intl.DisplayNames(['es'], { type: 'region' });

/** As people say it: "Canadá". */
export const countryName = (code: string): string =>
  (/^[A-Z]{2}$/.test(code) ? names.of(code) : null) ?? code;
