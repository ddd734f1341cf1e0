import { encode } from 'html-entities';
import { z } from 'zod';

/** Only `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | null | undefined | false | readonly Piece[];

/** Values that are not markup are escaped, for text and for quoted attributes alike. */
export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(texts.map((text, at) => text + written(pieces[at])).join(''));
}

function written(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  return typeof piece === 'object' ? piece.map(written).join('') : encode(String(piece));
}

/* The longest field of a buyer is Shopify's note (5,000 characters); Shopify's metafields end at 128 kB. */
const longestText = 5_000;
const longestValue = 200_000;
export const longestWord = 1_000;
const longestAmount = 40;

/** Linear also in a text of many slashes. */
export const withoutEndSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** UTF-16 units; one less if that would split a surrogate pair. */
export function cutText(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const inside = text.length > max && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, inside ? max - 1 : max);
}

/** Marks a cut text in letters: it is never taken for a whole number, key, address or date. */
export function limitText(text: string, max = longestText): string {
  return text.length <= max ? text : `${cutText(text, max)} [cortado]`;
}

export function limitTexts(value: unknown): unknown {
  if (typeof value === 'string') return limitText(value);
  if (Array.isArray(value)) return value.map(limitTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [limitText(name), limitTexts(one)]));
}

export const freeText = z.string().overwrite((text) => limitText(text));

export const longText = z.string().overwrite((text) => limitText(text, longestValue));

/** Ids and codes are never cut; longer ones are refused. */
export const word = z.string().max(longestWord);

/** Arithmetic with a million digits takes minutes. */
export const mayBeAmount = (text: string): boolean => text.length <= longestAmount;
export const amountText = z.string().max(longestAmount);

/* Platforms and plugins mark tips by their name alone, in the shop's language, and a merchant may change it. */

/** Other names than "propina" count only before an amount, a share or a note in brackets: "Tip of the day" is none. */
export function namesTip(name: string, others: readonly string[] = ['Tip']): boolean {
  if (/(?<!\p{L})propinas?(?!\p{L})/iu.test(name)) return true;
  const alone = name
    .toLowerCase()
    .replace(/\([^()]*\)|[\d.,:$%\s–-]+/g, ' ')
    .trim();
  return others.some((other) => other.toLowerCase() === alone);
}

/** Only the merchant knows: a "Servicio 10 %" is as often the restaurant's. */
export const mayNameTip = (name: string): boolean =>
  namesTip(name) || /(?<!\p{L})(tips?|gratuity|gratificaci[oó]n|servicio|service)(?!\p{L})/iu.test(name);

type CamelName<S extends string> = S extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelName<Rest>>}`
  : S;
type SnakeName<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeName<Rest>}`
  : S;

export type CamelCased<T> = { [K in keyof T as K extends string ? CamelName<K> : never]: T[K] };
export type SnakeCased<T> = { [K in keyof T as K extends string ? SnakeName<K> : never]: T[K] };

/** Only for objects whose names this project's types fix. */
export function camelCased<T extends object>(object: T): CamelCased<T> {
  return renamed(object, camelNames, (name) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ) as CamelCased<T>;
}

export function snakeCased<T extends object>(object: T): SnakeCased<T> {
  return renamed(object, snakeNames, (name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ) as SnakeCased<T>;
}

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
