import type { Flaw } from './identification.ts';

/** What is wrong with a number that was to be a cédula or a RUC; ends a Spanish sentence about it. */
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
