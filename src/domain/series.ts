import { type DocumentKind, documentCodes, type Series } from './document.ts';
import type { Store } from './settings.ts';

/** The numbering series a store's documents of one kind are taken from. */
export function seriesOf(store: Pick<Store, 'issuer' | 'series'>, kind: DocumentKind): Series {
  const { ruc, ambiente } = store.issuer;
  const { establecimiento, puntoEmision } = store.series;
  return { ruc, ambiente, codDoc: documentCodes[kind], establecimiento, puntoEmision };
}

/** The first number of that series, where it has never been used. */
export function firstNumber(store: Pick<Store, 'series'>, kind: DocumentKind): number {
  return kind === 'factura' ? store.series.first : store.series.firstCreditNote;
}
