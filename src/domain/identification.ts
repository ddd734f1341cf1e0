import type { IdCandidate } from './order.ts';

/** Ficha técnica SRI, tabla 6. Check digits of companies' RUCs only warn: newer ones follow no algorithm. */
export type Identification =
  | { type: 'cedula' | 'ruc'; value: string; warning: string | null }
  | { type: 'consumidor-final'; value: string; warning: null };

export type Flaw = 'not-a-number' | 'length' | 'province' | 'check-digit' | 'establishment';

export type Examined = { ok: true; found: Identification } | { ok: false; flaw: Flaw; digits: number };

export const finalConsumerId = '9999999999999';

/** "C.I. 1710034065", "RUC No. 1790…"; "EC" as in European tax numbers. */
const label =
  /^(?:ruc|cedula|de|identidad|ciudadania|identificacion|ci|cc|dni|id|ec|numero|num|nro|no)+(?=\d)/;

/** Lower case without accents, spaces and punctuation; digits of any script become plain ones. */
export function bareText(value: string): string {
  return value
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}]/gu, '');
}

export function bareNumber(value: string): string {
  return bareText(value).replace(label, '');
}

/** Provinces 01–24, and 30 for people registered abroad. */
function hasProvince(digits: string): boolean {
  const province = Number(digits.slice(0, 2));
  return (province >= 1 && province <= 24) || province === 30;
}

/** Modulo 10 with weights 2, 1, 2, … over nine digits. */
function passesModulo10(digits: string): boolean {
  let total = 0;
  for (let at = 0; at < 9; at += 1) {
    const product = Number(digits[at]) * (at % 2 === 0 ? 2 : 1);
    total += product > 9 ? product - 9 : product;
  }
  return (10 - (total % 10)) % 10 === Number(digits[9]);
}

function passesModulo11(digits: string, weights: readonly number[]): boolean {
  const total = weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);
  return (11 - (total % 11)) % 11 === Number(digits[weights.length]);
}

const isPrivate = (ruc: string) => ruc[2] === '9' && passesModulo11(ruc, [4, 3, 2, 7, 6, 5, 4, 3, 2]);
const isPublic = (ruc: string) =>
  ruc[2] === '6' && ruc.slice(9, 12) === '000' && passesModulo11(ruc, [3, 2, 7, 6, 5, 4, 3, 2]);

/** Ten digits, a province, modulo 10. The third digit is free: cédulas of non-citizens have a 6. */
export function isCedula(digits: string): boolean {
  return /^\d{10}$/.test(digits) && hasProvince(digits) && passesModulo10(digits);
}

/** 13 digits: a person's cédula and establishment, or a third digit 6 or 9 for a company. */
export function isRuc(digits: string): boolean {
  return rucFlaw(digits) === null;
}

function rucFlaw(digits: string): Flaw | null {
  if (!/^\d{13}$/.test(digits)) return 'length';
  if (!hasProvince(digits)) return 'province';
  if (digits.endsWith('000')) return 'establishment';
  if (digits[2] === '6' || digits[2] === '9') return null;
  return passesModulo10(digits) ? null : 'check-digit';
}

/** `either` when the checks of a public body and of a non-citizen both pass. */
export function rucOwner(ruc: string): 'person' | 'company' | 'either' {
  if (ruc[2] === '9') return 'company';
  if (!isCedula(ruc.slice(0, 10))) return 'company';
  return isPublic(ruc) ? 'either' : 'person';
}

function rucWarning(ruc: string): string | null {
  if (isPrivate(ruc) || isPublic(ruc) || (ruc[2] !== '9' && isCedula(ruc.slice(0, 10)))) return null;
  return 'El dígito verificador del RUC no sigue la regla clásica; los RUC nuevos tampoco, así que se acepta.';
}

/** Shops and plugins write consumidor final as ten to thirteen nines. */
export function examine(value: string): Examined {
  const number = bareNumber(value);
  const wrong = (flaw: Flaw): Examined => ({ ok: false, flaw, digits: number.length });
  if (!/^\d+$/.test(number)) return wrong('not-a-number');
  if (/^9{10,13}$/.test(number))
    return { ok: true, found: { type: 'consumidor-final', value: finalConsumerId, warning: null } };
  if (number.length === 10) {
    if (isCedula(number)) return { ok: true, found: { type: 'cedula', value: number, warning: null } };
    return wrong(hasProvince(number) ? 'check-digit' : 'province');
  }
  const flaw = rucFlaw(number);
  if (flaw !== null) return wrong(flaw);
  return { ok: true, found: { type: 'ruc', value: number, warning: rucWarning(number) } };
}

export function identify(value: string): Identification | null {
  const examined = examine(value);
  return examined.ok ? examined.found : null;
}

/** Only the length is checked (XSD, identificacionComprador). */
export function foreignId(value: string): string | null {
  const id = value.replace(/[\s.]/g, '').toUpperCase();
  return /^[\p{L}\d-]{3,20}$/u.test(id) && /\d/.test(id) ? id : null;
}

export function saysFlaw(flaw: Flaw, digits: number): string {
  switch (flaw) {
    case 'not-a-number':
      return 'no es un número de cédula ni de RUC';
    case 'length':
      return `tiene ${digits} ${digits === 1 ? 'dígito' : 'dígitos'}, y una cédula lleva 10 y un RUC 13`;
    case 'province':
      return 'empieza con una provincia que no existe';
    case 'check-digit':
      return 'tiene algún dígito equivocado (su dígito verificador no coincide)';
    case 'establishment':
      return 'termina en 000, y el establecimiento de un RUC empieza en 001';
  }
}

const words: readonly [NonNullable<IdCandidate['type']>, RegExp][] = [
  ['ruc', /^(ruc|04)$/],
  ['cedula', /^(cedula|ci|cc|dni|05)$/],
  ['pasaporte', /^(pasaporte|passport|06)$/],
  ['exterior', /^(exterior|08)$/],
];

/** Initials with dots are one word: "C.I." becomes "ci". */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

const idWords = ['identificacion', 'identification', 'cedula', 'ruc', 'ci', 'dni', 'documento', 'pasaporte'];
const besideWords = ['tipo', 'type', 'fecha', 'date', 'nombre', 'nombres', 'foto', 'archivo'];

export function namesIdentification(name: readonly string[]): boolean {
  return name.some((word) => idWords.includes(word)) && !name.some((word) => besideWords.includes(word));
}

export function looksLikeIdentification(value: string): boolean {
  return /\d/.test(value) && bareText(value).length >= 6 && !value.includes('://');
}

export function readIdType(text: string): IdCandidate['type'] {
  const said = wordsOf(text);
  if (said.some((word) => word.startsWith('extranjer'))) return 'exterior';
  const [one, another] = words.filter(([, word]) => said.some((part) => word.test(part)));
  return one !== undefined && another === undefined ? one[0] : null;
}

/**
 * The buyer's choice wins only for pasaporte or exterior with digits that are no cédula or RUC: a shop with a single
 * field called "ruc" gets passports there too.
 */
export function chosenType(
  value: string,
  named: IdCandidate['type'],
  chosen: IdCandidate['type'],
): IdCandidate['type'] {
  const foreign = chosen === 'pasaporte' || chosen === 'exterior';
  return foreign && loneNumber(value) === null ? chosen : (named ?? chosen);
}

/** A field meant for something else: company, address line 2. */
export function loneNumber(
  text: string,
): { value: string; labelled: boolean; type: IdCandidate['type'] } | null {
  const value = bareNumber(text);
  if (!/^(\d{10}|\d{13})$/.test(value)) return null;
  const labelled = bareText(text) !== value;
  return { value, labelled, type: labelled ? readIdType(text) : null };
}

/** Mobile numbers (09 and eight more digits) look like cédulas of Guayas. */
export function looksLikeMobile(digits: string): boolean {
  return /^09(39|5[89]|[6-9]\d)\d{6}$/.test(digits);
}

/** Landlines have nine digits. */
export function mayBeTelephone(id: string): boolean {
  return looksLikeMobile(id) || id.startsWith('0593');
}

/** The entry that the service adds itself and rejects (spec, key rules). */
export function isProviderRuc(name: string): boolean {
  const letters = name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return /^(ruc(del?)?proveedor(es)?|proveedor(es)?ruc)$/.test(letters);
}

export interface NamedBy {
  type: 'ruc' | 'cedula';
  id: string;
}

export interface NameAsker {
  store: { id: string; policy: { buyer: { registryPerDay: number } } };
  link: string | null;
}

export interface LegalNames {
  of(subject: NamedBy, asker: NameAsker): Promise<string | null>;
}

type AnsweredId = { value: string; message: null } | { value: null; message: string };

/** The browser runs it too (http/assets.ts): this module imports nothing at run time. */
export function answeredId(type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior', text: string): AnsweredId {
  const wrong = (message: string): AnsweredId => ({ value: null, message });
  if (text.trim() === '') return wrong('Escriba el número de su identificación.');
  if (type === 'pasaporte' || type === 'exterior') {
    const value = foreignId(text);
    if (value !== null) return { value, message: null };
    return wrong('Escriba el número tal como consta en el documento: de 3 a 20 letras y números.');
  }
  const examined = examine(text);
  if (!examined.ok) return wrong(`Este número ${saysFlaw(examined.flaw, examined.digits)}.`);
  const { found } = examined;
  if (found.type === 'consumidor-final')
    return wrong('Este es el número de consumidor final: escriba su propia identificación.');
  if (found.type === type) return { value: found.value, message: null };
  return wrong(
    found.type === 'ruc'
      ? 'Este número es un RUC: elija «RUC».'
      : 'Este número es una cédula: elija «Cédula».',
  );
}
