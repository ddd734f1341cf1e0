/**
 * Ecuadorian identifications (ficha técnica SRI, tabla 6). Check digits of companies' RUCs only warn: newer ones
 * follow no algorithm, and the tax authority itself only warns (59, 62).
 */
export type Identification =
  | { type: 'cedula' | 'ruc'; value: string; warning: string | null }
  | { type: 'consumidor-final'; value: string; warning: null };

/** Why a text is neither cédula nor RUC. */
export type Flaw = 'not-a-number' | 'length' | 'province' | 'check-digit' | 'establishment';

export type Examined = { ok: true; found: Identification } | { ok: false; flaw: Flaw; digits: number };

export const finalConsumerId = '9999999999999';

/** What buyers write before the number: "C.I. 1710034065", "RUC No. 1790…"; "EC" as of European tax numbers. */
const label =
  /^(?:ruc|cedula|de|identidad|ciudadania|identificacion|ci|cc|dni|id|ec|numero|num|nro|no)+(?=\d)/;

/** Lower case without accents, spaces, dashes and the like; digits of any script width as plain ones. */
export function bareText(value: string): string {
  return value
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}]/gu, '');
}

/** The number without its label and punctuation; letters in it stay and show that it is none. */
export function bareNumber(value: string): string {
  return bareText(value).replace(label, '');
}

/** Provinces 01–24, and 30 for people registered abroad. */
function hasProvince(digits: string): boolean {
  const province = Number(digits.slice(0, 2));
  return (province >= 1 && province <= 24) || province === 30;
}

/** Modulo 10 with weights 2,1,2,… over nine digits. */
function passesModulo10(digits: string): boolean {
  let total = 0;
  for (let at = 0; at < 9; at += 1) {
    const product = Number(digits[at]) * (at % 2 === 0 ? 2 : 1);
    total += product > 9 ? product - 9 : product;
  }
  return (10 - (total % 10)) % 10 === Number(digits[9]);
}

/** The classic check of companies; a remainder that asks for the digit 10 passes nothing. */
function passesModulo11(digits: string, weights: readonly number[]): boolean {
  const total = weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);
  return (11 - (total % 11)) % 11 === Number(digits[weights.length]);
}

const isPrivate = (ruc: string) => ruc[2] === '9' && passesModulo11(ruc, [4, 3, 2, 7, 6, 5, 4, 3, 2]);
const isPublic = (ruc: string) =>
  ruc[2] === '6' && ruc.slice(9, 12) === '000' && passesModulo11(ruc, [3, 2, 7, 6, 5, 4, 3, 2]);

/** Ten digits, a province, modulo 10. The third digit is not limited: foreigners' cédulas carry a 6. */
export function isCedula(digits: string): boolean {
  return /^\d{10}$/.test(digits) && hasProvince(digits) && passesModulo10(digits);
}

/** 13 digits of a taxpayer who can be: a person's is a cédula and an establishment, a company's has 6 or 9 third. */
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

/** Whose RUC it is by its digits; `either` where a public body's and a foreigner's check both pass. */
export function rucOwner(ruc: string): 'person' | 'company' | 'either' {
  if (ruc[2] === '9') return 'company';
  if (!isCedula(ruc.slice(0, 10))) return 'company';
  return isPublic(ruc) ? 'either' : 'person';
}

function rucWarning(ruc: string): string | null {
  if (isPrivate(ruc) || isPublic(ruc) || (ruc[2] !== '9' && isCedula(ruc.slice(0, 10)))) return null;
  return 'El dígito verificador del RUC no sigue la regla clásica; los RUC nuevos tampoco, así que se acepta.';
}

/**
 * Recognises cédula, RUC or the final consumer's thirteen nines from the digits alone, or says why it is none.
 * Ten to thirteen nines are what shops and plugins write for consumidor final.
 */
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

/** `examine` for who only wants to know what it is; null = neither. */
export function identify(value: string): Identification | null {
  const examined = examine(value);
  return examined.ok ? examined.found : null;
}

/** A passport or foreign ID as documents take it; they follow no rule but the length (XSD, identificacionComprador). */
export function foreignId(value: string): string | null {
  const id = value.replace(/[\s.]/g, '').toUpperCase();
  return /^[\p{L}\d-]{3,20}$/u.test(id) && /\d/.test(id) ? id : null;
}
