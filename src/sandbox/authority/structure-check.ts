import { Decimal } from 'decimal.js';

/** Collects what an XSD refuses, one sentence each, as `element: rule`. */
export interface Check {
  faults: string[];
  need(holds: boolean, name: string, rule: string): void;
  /** Absent or empty text is left out of the document, so it cannot be wrong. */
  matches(name: string, value: string | undefined, pattern: RegExp, rule: string): void;
  oneLine(name: string, value: string | undefined): void;
  /** A decimal that is not negative, of so many decimals and digits at most. */
  amount(name: string, value: number | string | undefined, decimals: number, digits: number): void;
}

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
    amount(name, value, decimals, digits) {
      if (value === undefined) return;
      const exact = new Decimal(value);
      const text = exact.toFixed();
      need(exact.decimalPlaces() <= decimals, name, `${text} tiene más de ${decimals} decimales`);
      need(!exact.isNegative() || exact.isZero(), name, `${text} es negativo`);
      need(exact.precision(true) <= digits, name, `${text} tiene más de ${digits} dígitos`);
    },
  };
}
