import { mayMove } from '../../../src/core/document.ts';
import { decide } from '../../../src/protocol/decide.ts';
import type { Asked, Effect } from '../../../src/protocol/effects.ts';
import type { Event, Job } from '../../../src/protocol/events.ts';
import type { State } from '../../../src/protocol/state.ts';
import {
  type Bounds,
  contentOf,
  dayName,
  type Line,
  none,
  parked,
  type Slot,
  type Task,
  type World,
} from './world.ts';

/* What a handler does with a decision: state and effects in one transaction, then the question that remains. */

/** Whose event it is: a job, a notified state, a person. */
export type Run = Pick<Task, 'job' | 'notice' | 'isLate'>;

/** Something a handler may never meet. */
export class Broken extends Error {}

const asked = new Set<Effect['kind']>(['post', 'ask', 'compare', 'ask-balance', 'reprocess', 'search']);
const isAsked = (effect: Effect): effect is Asked => asked.has(effect.kind);

/** Feeds one event to a document, and carries out what follows. */
export function feed(world: World, bounds: Bounds, at: number, event: Event, run: Run): World {
  const line = world.lines[at];
  if (!line) throw new Broken('there is no such document');
  const state = seen(world, line);
  const decision = decide(state, event, { at: world.at, day: dayName(world.day) }, bounds);
  const [first] = decision.effects;
  // What is asked of the mapper is answered in the same transaction.
  if (first?.kind === 'prepare') {
    const content = contentOf(world, line);
    const made = { kind: 'send', total: content, buyerId: content } as const;
    return feed(world, bounds, at, { kind: 'prepared', sending: first.sending, prepared: made }, run);
  }
  return carryOut(world, at, { ...line, state: decision.state }, decision.effects, run);
}

/** The state as the ledger has it: series and account belong to others as well. */
function seen({ stopped, isPaused, lines }: World, { kind, number, state }: Line): State {
  const at = stopped[kind];
  const { series, account } = state;
  const isForOurs =
    at !== 0 && (at === number || lines.some((one) => one.kind === kind && one.number === at && isDone(one)));
  const hasOtherConflicts = lines.some(
    (one) => one.kind === kind && one.number !== number && isConflict(one),
  );
  const reason = at === 0 ? null : 'foreign-number';
  if (
    series.stopped === reason &&
    series.isForOurs === isForOurs &&
    series.hasOtherConflicts === hasOtherConflicts &&
    account.isPaused === isPaused
  )
    return state;
  return { ...state, series: { stopped: reason, isForOurs, hasOtherConflicts }, account: { isPaused } };
}

const isDone = ({ state: { document } }: Line) => document.state === 'authorized';
const isConflict = ({ state: { document } }: Line) =>
  (document.state === 'manual' || document.state === 'cancelled') &&
  (document.code === 'foreign-number' || document.code === 'replaced');

const jobs: readonly Job[] = ['submit', 'follow-up', 'reprocess'];
const earlier = (one: number, other: number) =>
  one === none ? other : other === none ? one : Math.min(one, other);

function carryOut(world: World, at: number, before: Line, effects: readonly Effect[], run: Run): World {
  let { isWoken, isPaused, stopped } = world;
  let { isShown, isToldDropped, notices } = before;
  const slots: Record<Job, Slot> = { ...before.jobs };
  const own = run.isLate || run.job === 'settle' || run.job === 'person' ? null : run.job;
  let next = none;
  let isForgotten = false;
  let question: Asked | null = null;
  for (const effect of effects) {
    switch (effect.kind) {
      case 'move':
        if (!mayMove(effect.from, effect.to)) throw new Broken(`moves from ${effect.from} to ${effect.to}`);
        if (effect.from !== effect.to) isShown = false;
        break;
      case 'wait': {
        const slot = slots[effect.job];
        if (effect.job === own) next = earlier(next, effect.until);
        else if (slot.isHeld) slots[effect.job] = { ...slot, again: earlier(slot.again, effect.until) };
        else
          slots[effect.job] = { ...slot, due: earlier(slot.due === parked ? none : slot.due, effect.until) };
        break;
      }
      case 'forget':
        if (effect.job === own) isForgotten = true;
        slots[effect.job] = { ...slots[effect.job], due: none, again: none };
        break;
      case 'put-back':
        if (effect.job === own) next = parked;
        break;
      case 'try-again':
        if (run.notice) notices = [...notices, { ...run.notice, tries: run.notice.tries + 1 }];
        else if (own) next = world.at + 1;
        break;
      case 'stop-series':
        if (stopped[before.kind] === 0) stopped = { ...stopped, [before.kind]: before.number };
        break;
      case 'resume-series':
        stopped = { ...stopped, [before.kind]: 0 };
        isWoken = true;
        break;
      case 'pause-account':
        isPaused = true;
        break;
      case 'write-back':
        isShown = true;
        break;
      case 'wake-order':
        isWoken = true;
        break;
      case 'alert':
        if (effect.code === 'dropped-authorized') isToldDropped = true;
        break;
      default:
        if (!isAsked(effect)) break;
        if (question) throw new Broken('asks two questions at once');
        question = effect;
    }
  }
  let { tasks } = before;
  if (question) tasks = [...tasks, { ...run, question, answer: null }];
  else if (own) {
    const slot = slots[own];
    const due = isForgotten ? none : next === parked ? parked : earlier(next, slot.again);
    slots[own] = { due: due === parked && !isPaused ? world.at : due, isHeld: false, again: none };
  }
  if (question && own && next !== none)
    slots[own] = { ...slots[own], again: earlier(slots[own].again, next) };
  for (const job of jobs)
    if (slots[job].due === parked && !isPaused) slots[job] = { ...slots[job], due: world.at };
  const line = { ...before, jobs: slots, notices, tasks, isShown, isToldDropped };
  const lines = world.lines.map((one, n) => (n === at ? line : one));
  return { ...world, lines, isWoken, isPaused, stopped };
}
