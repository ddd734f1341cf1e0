/* Our objects have camelCase names, columns and the JSON of others snake_case names. */

type CamelName<S extends string> = S extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelName<Rest>>}`
  : S;
type SnakeName<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeName<Rest>}`
  : S;

/** The same object type with camelCase names. */
export type CamelCased<T> = { [K in keyof T as K extends string ? CamelName<K> : never]: T[K] };
/** The same object type with snake_case names. */
export type SnakeCased<T> = { [K in keyof T as K extends string ? SnakeName<K> : never]: T[K] };

/** A copy with camelCase names and the same values; only for objects whose names our own types fix. */
export function camelCased<T extends object>(object: T): CamelCased<T> {
  return renamed(object, camelNames, (name) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ) as CamelCased<T>;
}

/** A copy with snake_case names and the same values; only for objects whose names our own types fix. */
export function snakeCased<T extends object>(object: T): SnakeCased<T> {
  return renamed(object, snakeNames, (name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ) as SnakeCased<T>;
}

/** A copy with these properties alone: an object may have more of them than its type says. */
export function picked<T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.flatMap((name) => (name in object ? [[name, object[name]]] : []))) as Pick<
    T,
    K
  >;
}

const camelNames = new Map<string, string>();
const snakeNames = new Map<string, string>();

function renamed(object: object, names: Map<string, string>, rename: (name: string) => string): object {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    const other = names.get(name) ?? rename(name);
    names.set(name, other);
    copy[other] = value;
  }
  return copy;
}
