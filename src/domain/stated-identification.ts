import { bareNumber, bareText } from './identification.ts';
import type { IdCandidate } from './order.ts';

/* What shops and buyers say around an identification: the type a field names, a number in a field meant for another thing. */

const words: readonly [NonNullable<IdCandidate['type']>, RegExp][] = [
  ['ruc', /^(ruc|04)$/],
  ['cedula', /^(cedula|ci|cc|dni|05)$/],
  ['pasaporte', /^(pasaporte|passport|06)$/],
  ['exterior', /^(exterior|08)$/],
];

/** "Cédula / RUC" → cedula, ruc. Initials with dots are one word: "C.I." → ci. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/**
 * The type a name or value states, in words or codes of SRI table 6; null where it names none or several. Text
 * about foreigners means "exterior", also where it says "cédula".
 */
export function readIdType(text: string): IdCandidate['type'] {
  const said = wordsOf(text);
  if (said.some((word) => word.startsWith('extranjer'))) return 'exterior';
  const [one, another] = words.filter(([, word]) => said.some((part) => word.test(part)));
  return one !== undefined && another === undefined ? one[0] : null;
}

/**
 * The type of a value whose field names one and beside which the buyer chose one. The choice wins only where it says
 * pasaporte or exterior of something that is no cédula or RUC by its digits: a shop with one box called "ruc" puts
 * passports there too.
 */
export function chosenType(
  value: string,
  named: IdCandidate['type'],
  chosen: IdCandidate['type'],
): IdCandidate['type'] {
  const foreign = chosen === 'pasaporte' || chosen === 'exterior';
  return foreign && loneNumber(value) === null ? chosen : (named ?? chosen);
}

/**
 * A number that is the whole of a text meant for something else (company, second line of an address), with or
 * without a label such as "RUC:". Null for every other text.
 */
export function loneNumber(
  text: string,
): { value: string; labelled: boolean; type: IdCandidate['type'] } | null {
  const value = bareNumber(text);
  if (!/^(\d{10}|\d{13})$/.test(value)) return null;
  const labelled = bareText(text) !== value;
  return { value, labelled, type: labelled ? readIdType(text) : null };
}

/** Ecuadorian mobile numbers (09 and eight more) share their shape with cédulas of Guayas. */
export function looksLikeMobile(digits: string): boolean {
  return /^09(39|5[89]|[6-9]\d)\d{6}$/.test(digits);
}

/** Whether a cédula or RUC by its digits may be one of Ecuador's telephones; those of its cities have nine digits. */
export function mayBeTelephone(id: string): boolean {
  return looksLikeMobile(id) || id.startsWith('0593');
}
