import { type Dated, ficha } from './dated.ts';

/**
 * Days of a decree on which IVA code 8 (8 %) is in force, first and last included; at most 12 a year. A day alone
 * never chooses the code: only who is named here may use it, and says so by a rule.
 */
export interface DecreedDays extends Dated {
  since: string;
  until: string;
  /** "Decreto 271". */
  decree: string;
  /** Who may charge it, as a merchant reads it. */
  who: string;
}

const who = 'prestadores de servicios turísticos registrados';
const checkedOn = '2026-11-20';

/** The oldest first. */
export const decreedDays: readonly DecreedDays[] = [
  {
    decree: 'Decreto 271',
    since: '2026-01-01',
    until: '2026-01-04',
    who,
    source: `Decreto Ejecutivo 271 (fuente secundaria); ${ficha('tabla 17')}`,
    checkedOn,
  },
  {
    decree: 'Decreto 304',
    since: '2026-02-14',
    until: '2026-02-17',
    who,
    source: `Decreto Ejecutivo 304 (fuente secundaria); ${ficha('tabla 17')}`,
    checkedOn,
  },
];

/** The decree a day in Ecuador belongs to. */
export const decreeOn = (day: string): DecreedDays | undefined =>
  decreedDays.find(({ since, until }) => since <= day && day <= until);

/** The decreed days before and after a day. */
export const aroundDay = (day: string): { last: DecreedDays | undefined; next: DecreedDays | undefined } => ({
  last: decreedDays.findLast(({ until }) => until < day),
  next: decreedDays.find(({ since }) => since > day),
});
