import { expect, test } from 'vitest';
import type { Kind } from '../../sandbox/emulator/emission/kinds.ts';
import { today } from './support.ts';

// Field tables, row by row: what a row takes is taken, what it does not is refused by the name of its field.

export interface Field {
  path: string;
  required?: true;
  /** Values the service takes. */
  takes: unknown[];
  /** Values it refuses beside null and those of another type. */
  refuses?: unknown[];
}

const wrongType: Readonly<Record<string, unknown[]>> = {
  string: [5, true, ['a'], { a: 1 }],
  number: ['5', true, [5]],
  boolean: ['true', 1, 'SI'],
  object: ['a', 5, [{}]],
};
const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

export const text = (path: string, max: number, required?: 'required'): Field => ({
  path,
  ...(required ? { required: true } : {}),
  // Lengths count characters, not bytes or halves of an emoji.
  takes: ['ñ'.repeat(max), '🌿'.repeat(max), 'a', ...(required ? [] : [''])],
  refuses: ['x'.repeat(max + 1), ...(required ? ['', '  '] : [])],
});
export const digits = (path: string, takes: string, ...refuses: string[]): Field => ({
  path,
  required: true,
  takes: [takes],
  refuses: [...refuses, '', takes.slice(1), `${takes}0`, takes.replace(/.$/, 'A'), takes.replace(/^./, ' ')],
});
export const flag = (path: string): Field => ({ path, takes: [true, false] });
export const number = (path: string, required?: 'required', takes = [0, 1, 2.5]): Field => ({
  path,
  ...(required ? { required: true } : {}),
  takes,
});
export const integer = (
  path: string,
  takes: number[],
  refuses: number[] = [],
  required?: 'required',
): Field => ({
  ...number(path, required, takes),
  refuses: [...refuses, 1.5],
});
export const oneOf = (path: string, required: boolean, takes: unknown[], refuses: unknown[]): Field => ({
  path,
  ...(required ? { required: true } : {}),
  takes,
  refuses,
});
export const list = (path: string, required?: 'required'): Field => ({
  path,
  ...(required ? { required: true } : {}),
  takes: [],
  refuses: [{}, 'a', 5, ...(required ? [[]] : [])],
});

// Entries of these lists may leave out neither of the two names: `{nombre, detalle}`.
const bothNames = /(informacion_adicional|detalles_adicionales)\.0\./;

type Holder = Record<string, unknown>;

function put(body: Holder, path: string, value: unknown): Holder {
  const names = path.split('.');
  const last = names.pop() as string;
  const place = names.reduce((at, name) => at[name] as Holder, body);
  if (value === undefined) delete place[last];
  else place[last] = value;
  return body;
}

/** Whether the service takes a body of this kind, or the sentences it refuses it with. */
export function taken(kind: Kind, body: unknown): true | string[] {
  const checked = kind.read(body, today);
  return 'errors' in checked ? checked.errors : true;
}

/** Tests of every field of a kind of document; `whole` makes a correct body with every block present. */
export function testFields(kind: Kind, whole: () => Holder, fields: readonly Field[]): void {
  test.each(fields.map((field) => [field.path, field] as const))('%s', (path, field) => {
    const withValue = (value: unknown) => taken(kind, put(whole(), path, value));
    const sample = field.takes[0];
    const others = sample === undefined ? [] : (wrongType[typeOf(sample)] ?? []);
    const named = expect.arrayContaining([expect.stringContaining(path)]);
    for (const value of [null, ...others, ...(field.refuses ?? [])])
      expect({ value, taken: withValue(value) }).toEqual({ value, taken: named });
    const required = field.required || bothNames.test(path);
    expect(withValue(undefined)).toEqual(required ? named : true);
    for (const value of field.takes)
      expect({ value, taken: withValue(value) }).toEqual({ value, taken: true });
  });
}
