import { Decimal } from 'decimal.js';

/** Collects what an XSD refuses, one sentence each, as `element: rule`. */
export interface Check {
  faults: string[];
  need(holds: boolean, name: string, rule: string): void;
  /** Absent or empty text is left out of the document, so it cannot be wrong. */
  matches(name: string, value: string | undefined, pattern: RegExp, rule: string): void;
  oneLine(name: string, value: string | undefined): void;
  /** `YYYY/MM/DD` of this century; the XML writes it day first. */
  day(name: string, value: string | undefined): void;
  /** At most three additional details of a line, each with a name and a value. */
  extras(at: string, entries: readonly NamedEntry[] | undefined): void;
  /** A decimal that is not negative, of so many decimals and digits at most. */
  amount(name: string, value: number | string | undefined, decimals: number, digits: number): void;
}

interface NamedEntry {
  nombre: string;
  detalle: string;
}

export const isFilled = (entry: NamedEntry) => entry.nombre !== '' && entry.detalle !== '';

const thisCentury = /^20\d{2}\/(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])$/;

export function openCheck(): Check {
  const faults: string[] = [];
  const need: Check['need'] = (holds, name, rule) => {
    if (!holds) faults.push(`${name}: ${rule}`);
  };
  const matches: Check['matches'] = (name, value, pattern, rule) =>
    need(!value || pattern.test(value), name, rule);
  return {
    faults,
    need,
    matches,
    oneLine: (name, value) => matches(name, value, /^[^\n\r]*$/, 'no admite saltos de línea'),
    day: (name, value) => matches(name, value, thisCentury, 'no es una fecha de este siglo'),
    extras(at, entries = []) {
      need(entries.length <= 3, `${at} detallesAdicionales`, 'admite 3 como máximo');
      need(entries.every(isFilled), `${at} detallesAdicionales`, 'no admite valores vacíos');
    },
    amount(name, value, decimals, digits) {
      if (value === undefined) return;
      const exact = new Decimal(value);
      const text = exact.toFixed();
      need(exact.decimalPlaces() <= decimals, name, `${text} tiene más de ${decimals} decimales`);
      need(exact.gte(0), name, `${text} es negativo`);
      need(exact.precision(true) <= digits, name, `${text} tiene más de ${digits} dígitos`);
    },
  };
}
