import { documents } from './documents.ts';
import { holds } from './holds.ts';

/** A code of a plan or of an answer, on a document and in its timeline. */
export type DocumentCode = keyof typeof holds.entries | keyof typeof documents.entries;

const means = Object.entries({ ...holds.entries, ...documents.entries }).map(([code, [says]]) => [
  code,
  says,
]);

/** The merchant's words for each code of a document. */
export const codeWords: Record<DocumentCode, string> = {
  ...Object.fromEntries(means),
  // The catalogue has it twice: before and after its nota de crédito was sent.
  'refund-deleted': 'El reembolso se borró o falló en la tienda.',
};
