import { z } from 'zod';

/*
 * How long texts from outside may be. The longest field a buyer fills is Shopify's note of 5,000 characters, and no
 * document takes more than 300; what shops and plugins write beyond that is nothing we read. Metafields of Shopify end
 * at 128 kB. Ids, codes, instants and cursors have a few dozen characters.
 */
const longestText = 5_000;
const longestValue = 200_000;
export const longestWord = 1_000;
const longestAmount = 40;

/** The first `max` UTF-16 units, one less where they would end in half a surrogate pair. */
export function cutText(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const inside = text.length > max && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, inside ? max - 1 : max);
}

/** A text that is cut says so at its end, in letters: it is never taken for a whole number, key, address or date. */
export function limitText(text: string, max = longestText): string {
  return text.length <= max ? text : `${cutText(text, max)} [cortado]`;
}

/** The same JSON with every text in it cut, names of fields too: what is handed on without a schema that knows it. */
export function limitTexts(value: unknown): unknown {
  if (typeof value === 'string') return limitText(value);
  if (Array.isArray(value)) return value.map(limitTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [limitText(name), limitTexts(one)]));
}

/** What people and plugins write: names, notes, addresses. Longer ones are cut. */
export const freeText = z.string().overwrite((text) => limitText(text));

/** A value that may hold lists of ours or of plugins. Longer ones are cut. */
export const longText = z.string().overwrite((text) => limitText(text, longestValue));

/** What decides and is never cut: ids, codes, states, instants. Longer ones are refused. */
export const word = z.string().max(longestWord);

/** Before a pattern of digits is asked of it: arithmetic with a million digits takes minutes. */
export const mayBeAmount = (text: string): boolean => text.length <= longestAmount;
export const amountText = z.string().max(longestAmount);
