import { createHash } from 'node:crypto';
import { isCedula } from './identifications.ts';
import { magicNumbers, people, type Taxpayer, taxpayers, words } from './registry-data.ts';

/** What the registries answer: data, nobody found, or no answer. */
export type Found<T> = { data: T } | 'unknown' | 'down';

/** A person as the civil registry knows them (assumption A24). */
export interface Person {
  cedula: string;
  nombre: string;
}

/** Asks the tax authority's registry about a structurally valid RUC. All it says is made up. */
export function lookUpRuc(ruc: string): Found<Taxpayer> {
  return asked(ruc, () => taxpayers.find((one) => one.ruc === ruc) ?? invent(ruc));
}

/** Asks the civil registry about a structurally valid cédula. All it says is made up. */
export function lookUpCedula(cedula: string): Found<Person> {
  return asked(cedula, () => ({ cedula, nombre: personName(cedula) }));
}

function asked<T>(number: string, answer: () => T): Found<T> {
  const among = (numbers: readonly string[]) => numbers.includes(number);
  if (among(magicNumbers.unknown)) return 'unknown';
  if (among(magicNumbers.down)) return 'down';
  return { data: answer() };
}

function invent(ruc: string): Taxpayer {
  const pick = picker(ruc);
  const active = { ruc, estado: 'ACTIVO', actividad: pick(words.activities) } as const;
  const cedula = ruc.slice(0, 10);
  if (isCedula(cedula) && ruc[2] !== '9') {
    const name = personName(cedula);
    return {
      ...active,
      razon_social: name,
      nombre_comercial: name,
      tipo_contribuyente: 'PERSONA NATURAL',
      obligado_contabilidad: pick(['SI', 'NO']),
    };
  }
  const firm = `${pick(words.trades)} ${pick(words.firms)}`;
  return {
    ...active,
    razon_social: `${firm} ${pick(words.forms)}`,
    nombre_comercial: firm,
    tipo_contribuyente: 'SOCIEDAD',
    obligado_contabilidad: 'SI',
  };
}

function personName(cedula: string): string {
  const known = people[cedula];
  if (known !== undefined) return known;
  const pick = picker(cedula);
  return `${pick(words.familyNames)} ${pick(words.familyNames)} ${pick(words.givenNames)}`;
}

/** Draws from lists by the digits, so that a number is answered the same in every sandbox. */
function picker(digits: string): <T>(list: readonly [T, ...T[]]) => T {
  const bytes = createHash('sha256').update(digits).digest();
  let next = 0;
  return (list) => list[(bytes[next++ % bytes.length] ?? 0) % list.length] ?? list[0];
}
