import type { Migration } from '../migrate.ts';

/**
 * The number a series stopped for, beside the sentence a merchant reads. Until now it stood in that sentence alone, so
 * what is stopped already takes it from there, once. Both engines count what precedes it in the same unit as the rest.
 */
export const stoppedNumber: Migration = {
  name: '0016-stopped-number',
  statements: ({ text }) => [
    `alter table series add column stopped_secuencial ${text}`,
    `update series
      set stopped_secuencial = substr(stopped_reason, length('El número 001-001-') + 1, 9)
      where stopped_reason like 'El número ___-___-_________ ya fue usado%'`,
  ],
};
