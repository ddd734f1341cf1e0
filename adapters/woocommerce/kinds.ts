import { decimal } from '../../src/domain/money.ts';
import type { Charge, Line } from '../../src/domain/order.ts';
import type { WooFeeLine, WooLineItem, WooMeta } from './payload.ts';
import { giftCardPlugins, tipPlugins } from './plugins.ts';

/** What a line sells, by the metas of gift card plugins. */
export function lineKind({ meta_data }: WooLineItem): Pick<Line, 'kind' | 'spentAs'> {
  const card = giftCardPlugins.find(({ lineMetas }) =>
    lineMetas.some((group) => group.every((key) => hasValue(meta_data, key))),
  );
  return giftCard(card);
}

/** What a product sells, by its type. */
export function productKind(type: string): Pick<Line, 'kind' | 'spentAs'> {
  return giftCard(giftCardPlugins.find(({ productTypes }) => productTypes.includes(type)));
}

function giftCard(card: (typeof giftCardPlugins)[number] | undefined): Pick<Line, 'kind' | 'spentAs'> {
  if (!card) return { kind: 'product' };
  return { kind: 'gift-card', ...(card.spentAs !== 'payment' && { spentAs: card.spentAs }) };
}

/** Whether a fee is a tip, by its name; a negative one is a discount. Its row stays that of a fee. */
export function feeKind({ name, total }: WooFeeLine): Pick<Charge, 'kind' | 'row'> {
  return namesTip(name) && !decimal(total).lt(0) ? { kind: 'tip', row: 'fee' } : { kind: 'fee' };
}

const tipNames = new Set(tipPlugins.flatMap(({ feeNames }) => feeNames.map((name) => name.toLowerCase())));

/**
 * Any name with the word "propina"; the names plugins give, in English, where only an amount, a share or a note in brackets
 * follows: "Tip of the day" is none.
 */
function namesTip(name: string): boolean {
  if (/(?<!\p{L})propinas?(?!\p{L})/iu.test(name)) return true;
  const alone = name
    .toLowerCase()
    .replace(/\([^()]*\)|[\d.,:$%\s–-]+/g, ' ')
    .trim();
  return tipNames.has(alone);
}

const metaValue = (metas: readonly WooMeta[], key: string): unknown =>
  metas.find((meta) => meta.key === key)?.value;

function hasValue(metas: readonly WooMeta[], key: string): boolean {
  const value = metaValue(metas, key);
  return Array.isArray(value) ? value.length > 0 : value != null && value !== '' && value !== false;
}
