import { randomBytes } from 'node:crypto';

const process = randomBytes(8).readBigUInt64BE().toString(36).padStart(13, '0').slice(-10);
let counter = 0;

/**
 * A new id, for instance "k3j9x2m1qa-00001f": ten random characters of this process and a counter, so that
 * rows of one process lie side by side in the index and sort in the order they were made.
 */
export function newId(): string {
  counter += 1;
  return `${process}-${counter.toString(36).padStart(6, '0')}`;
}
