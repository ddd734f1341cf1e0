import { type Day, ecuadorDay } from '../../../domain/calendar.ts';
import type { Ambiente, DocumentState } from '../../../domain/document.ts';
import { type Amount, sum, toAmount } from '../../../domain/money.ts';
import type { DayTally } from '../../../ledger/day-tallies.ts';

export type Group = 'authorized' | 'way' | 'held' | 'bad' | 'cancelled';

const groups: Record<DocumentState, Group> = {
  authorized: 'authorized',
  ready: 'way',
  sending: 'way',
  processing: 'way',
  uncertain: 'way',
  held: 'held',
  rejected: 'bad',
  manual: 'bad',
  cancelled: 'cancelled',
};
export const groupOf = ({ state }: Pick<DayTally, 'state'>): Group => groups[state];

const dayMs = 24 * 3_600_000;

/** The last so many days in Ecuador, today the last of them. */
export const lastDays = (now: Date, count: number): Day[] =>
  Array.from({ length: count }, (_, n) => ecuadorDay(new Date(now.getTime() - (count - 1 - n) * dayMs)));

/** What is shown unless somebody chose: production as soon as there is any. */
export const usualAmbiente = (tallies: readonly DayTally[]): Ambiente =>
  tallies.some(({ ambiente }) => ambiente === 2) ? 2 : 1;

export const countOf = (tallies: readonly DayTally[]): number =>
  tallies.reduce((all, { count }) => all + count, 0);

export const amountOf = (tallies: readonly DayTally[]): Amount =>
  toAmount(sum(tallies.map(({ amount }) => amount)));
