import type { CallKind } from '../domain/budget.ts';
import { isShadowStore } from '../domain/shadow.ts';
import type { DueWork } from '../ledger/work/tables.ts';

const kinds: Partial<Record<DueWork['kind'], CallKind>> = {
  'submit-document': 'emission',
  'verify-document': 'download',
};

/** Whatever a shadow asks of the service comes behind all that production asks of it under the same key. */
export const kindOf = ({ kind, lane, budget }: DueWork): CallKind =>
  budget !== null && lane.split('/').some(isShadowStore) ? 'download' : (kinds[kind] ?? 'question');

/** Where the work of a key stands in the way of other work of that key, in one turn. */
export interface Crowds {
  /** Emissions of this budget are still to be chosen in this turn. */
  left(budget: string): boolean;
  /** Emissions or questions of this budget are still to be chosen, in this turn or out of sight. */
  busy(budget: string): boolean;
  /** A question behind emissions, in this turn or out of sight. */
  crowded(work: DueWork): boolean;
  /** More urgent questions of its budget, of whatever store, are still to be chosen. */
  outranked(work: DueWork): boolean;
  /** It was chosen, and taken off its lane. */
  took(work: DueWork): void;
}

/** @param perLane a lane that shows so many has more behind them. */
export function openCrowds(lanes: readonly DueWork[][], perLane: number): Crowds {
  const emissions = Map.groupBy(
    lanes.filter(([work]) => work !== undefined && work.budget !== null && kindOf(work) === 'emission'),
    ([work]) => work?.budget ?? '',
  );
  const endless = new Set(
    [...emissions].flatMap(([budget, of]) => (of.some((lane) => lane.length >= perLane) ? [budget] : [])),
  );
  const left = (budget: string) => emissions.get(budget)?.some((lane) => lane.length > 0) ?? false;
  const urgent = lanes.filter(([work]) => work !== undefined && kindOf(work) !== 'download');
  /** A lane is of one budget, and may be empty by the time it is looked at. */
  const urgentOf = Map.groupBy(urgent, ([work]) => work?.budget ?? '');
  /** How many questions of each priority, by budget. */
  const questions = new Map<string, Map<number, number>>();
  const count = (work: DueWork, by: number) => {
    if (work.budget === null || kindOf(work) !== 'question') return;
    const counts = questions.get(work.budget) ?? new Map<number, number>();
    questions.set(work.budget, counts.set(work.priority, (counts.get(work.priority) ?? 0) + by));
  };
  for (const work of urgent.flat()) count(work, 1);
  return {
    left,
    busy: (budget) => endless.has(budget) || (urgentOf.get(budget)?.some((lane) => lane.length > 0) ?? false),
    crowded: (work) =>
      kindOf(work) !== 'emission' && work.budget !== null && (endless.has(work.budget) || left(work.budget)),
    outranked({ budget, priority }) {
      for (const [rank, waiting] of questions.get(budget ?? '') ?? [])
        if (rank < priority && waiting > 0) return true;
      return false;
    },
    took: (work) => count(work, -1),
  };
}
