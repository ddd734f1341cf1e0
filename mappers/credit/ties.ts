import { sourceOf, type Tie } from '../../src/domain/refund.ts';
import type { Entry } from '../entries.ts';

/** What each item of a factura stands for. Two rows of one id (a broken shop) stay two. */
export function tiesOf(entries: readonly Pick<Entry, 'item' | 'quantity'>[]): Tie[] {
  const seen = new Map<string, number>();
  return entries.map(({ item, quantity }) => {
    const source = sourceOf(item);
    const before = seen.get(source) ?? 0;
    seen.set(source, before + 1);
    return { source: before === 0 ? source : `${source}#${before + 1}`, units: quantity.toFixed() };
  });
}
