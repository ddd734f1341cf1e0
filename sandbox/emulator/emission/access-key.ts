import { randomInt } from 'node:crypto';

/** The parts of a clave de acceso (ficha técnica, tabla 1). */
export interface AccessKeyParts {
  /** `YYYY/MM/DD`; the key carries it as ddmmaaaa. */
  fechaEmision: string;
  codDoc: string;
  ruc: string;
  ambiente: 1 | 2;
  establecimiento: string;
  puntoEmision: string;
  secuencial: string;
  /** Eight digits the issuer is free to choose. */
  codigoNumerico: string;
  tipoEmision: 1 | 2;
}

/** Modulo 11 with weights 2 to 7 from the right; 11 becomes 0 and 10 becomes 1 (ficha técnica §5.2). */
export function checkDigit(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (2 + (i % 6));
  const rest = 11 - (sum % 11);
  if (rest === 11) return 0;
  return rest === 10 ? 1 : rest;
}

/** The 49 digits of the clave de acceso. */
export function buildAccessKey(parts: AccessKeyParts): string {
  const [year, month, day] = parts.fechaEmision.split('/');
  const digits =
    `${day}${month}${year}${parts.codDoc}${parts.ruc}${parts.ambiente}${parts.establecimiento}` +
    `${parts.puntoEmision}${parts.secuencial}${parts.codigoNumerico}${parts.tipoEmision}`;
  return digits + checkDigit(digits);
}

/** True for 49 digits whose last one is the right check digit. */
export function isAccessKey(key: string): boolean {
  return /^\d{49}$/.test(key) && checkDigit(key.slice(0, 48)) === Number(key[48]);
}

/** The same eight digits in every key: a number that is sent again has its key again, on the same day. */
export const fixedCode = '12345678';

/** Eight random digits. */
export function randomCode(): string {
  return String(randomInt(100_000_000)).padStart(8, '0');
}
