/**
 * Ecuadorian identifications (ficha técnica SRI, tabla 6). Check digits of RUCs only warn: newer RUCs follow no algorithm,
 * and the tax authority itself only warns (59, 62).
 */
export type Identification =
  | { type: 'cedula' | 'ruc'; value: string; warning: string | null }
  | { type: 'consumidor-final'; value: string; warning: null };

export const finalConsumerId = '9999999999999';

const digitsOnly = (value: string): string => value.replace(/[\s.\-_/]/g, '');

/** Provinces 01–24, and 30 for people registered abroad. */
function hasProvince(digits: string): boolean {
  const province = Number(digits.slice(0, 2));
  return (province >= 1 && province <= 24) || province === 30;
}

/** Modulo 10 with weights 2,1,2,… The third digit is not limited: foreigners' cédulas carry a 6. */
export function isCedula(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || !hasProvince(digits)) return false;
  let total = 0;
  for (let at = 0; at < 9; at += 1) {
    const product = Number(digits[at]) * (at % 2 === 0 ? 2 : 1);
    total += product > 9 ? product - 9 : product;
  }
  return (10 - (total % 10)) % 10 === Number(digits[9]);
}

/** 13 digits, a province, an establishment other than 000. */
export function isRuc(digits: string): boolean {
  return /^\d{13}$/.test(digits) && hasProvince(digits) && !digits.endsWith('000');
}

function rucWarning(digits: string): string | null {
  // Natural persons' RUCs are their cédula and 001; the classic check of companies no longer holds.
  const third = Number(digits[2]);
  if (third < 6 && !isCedula(digits.slice(0, 10))) return 'El dígito verificador del RUC no coincide.';
  return null;
}

/** Recognises cédula, RUC or the final consumer's thirteen nines from the digits alone; null = none of them. */
export function identify(value: string): Identification | null {
  const digits = digitsOnly(value);
  if (digits === finalConsumerId) return { type: 'consumidor-final', value: digits, warning: null };
  if (isCedula(digits)) return { type: 'cedula', value: digits, warning: null };
  if (isRuc(digits)) return { type: 'ruc', value: digits, warning: rucWarning(digits) };
  return null;
}
