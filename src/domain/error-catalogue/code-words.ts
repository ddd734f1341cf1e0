import { documents } from './documents.ts';
import { holds } from './holds.ts';

/** A code of a plan or of an answer, as a document and its history bear it. */
export type DocumentCode = keyof typeof holds.entries | keyof typeof documents.entries;

const means = Object.entries({ ...holds.entries, ...documents.entries }).map(([code, [says]]) => [
  code,
  says,
]);

/** What each says of a document, as a merchant reads it. */
export const codeWords: Record<DocumentCode, string> = {
  ...Object.fromEntries(means),
  // The catalogue has it twice, before its nota de crédito left and afterwards.
  'refund-deleted': 'El reembolso se borró en la tienda.',
};
