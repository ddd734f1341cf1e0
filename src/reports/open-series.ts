import { documentKinds, type Series } from '../domain/document.ts';
import { firstNumber, seriesOf } from '../domain/series.ts';
import type { Store } from '../domain/settings.ts';

/** A series and the first number a store may give of it. */
export type OpenSeries = Series & { first: number };

/** The series of the stores, each once, from the lowest first number on. */
export function seriesOfStores(stores: Iterable<Store>): OpenSeries[] {
  const found = new Map<string, OpenSeries>();
  for (const store of stores)
    for (const kind of documentKinds) {
      const series = seriesOf(store, kind);
      const name = JSON.stringify(series);
      const first = Math.min(firstNumber(store, kind), found.get(name)?.first ?? Number.POSITIVE_INFINITY);
      found.set(name, { ...series, first });
    }
  return [...found.values()];
}
