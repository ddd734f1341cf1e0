import { mayMove } from '../../../src/domain/document.ts';
import { decide } from '../../../src/protocol/decide.ts';
import type { Effect, Request } from '../../../src/protocol/effects.ts';
import type { Event, Job } from '../../../src/protocol/events.ts';
import type { State } from '../../../src/protocol/state.ts';
import {
  type Bounds,
  contentOf,
  dayName,
  isOurs,
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
const isAsked = (effect: Effect): effect is Request => asked.has(effect.kind);

/** Feeds one event to a document, and carries out what follows. */
export function feed(world: World, bounds: Bounds, at: number, event: Event, run: Run): World {
  const line = world.lines[at];
  if (!line) throw new Broken('there is no such document');
  const state = seen(world, line, bounds);
  const decision = decide(state, event, { at: world.at, day: dayName(world.day) }, bounds);
  const [first] = decision.effects;
  // What is asked of the series and of the mapper is answered in the same transaction.
  if (first?.kind === 'permit') {
    const permit = { kind: 'leaves' } as const;
    return feed(world, bounds, at, { kind: 'permitted', sending: first.sending, permit }, run);
  }
  if (first?.kind === 'prepare') {
    const content = contentOf(world, line);
    const made = { kind: 'send', total: content, buyerId: content } as const;
    return feed(world, bounds, at, { kind: 'prepared', sending: first.sending, prepared: made }, run);
  }
  const after = { ...line, state: decision.state };
  const isAsked = needsPerson(after) && !needsPerson(line);
  const counted = isAsked ? { ...after, asked: line.asked + 1 } : after;
  return carryOut(count(world, bounds, decision.effects), bounds, at, counted, decision.effects, run);
}

/** The state as the ledger has it: series and account belong to others as well. */
function seen(
  { stopped, isPaused, isOlder, lines }: World,
  { kind, number, state }: Line,
  { isVerified }: Bounds,
): State {
  const at = stopped[kind];
  const { series, account } = state;
  const isForOurs =
    at !== 0 && (at === number || lines.some((one) => one.kind === kind && one.number === at && isDone(one)));
  const hasOtherConflicts = lines.some(
    (one) => one.kind === kind && one.number !== number && isConflict(one),
  );
  const reason = isOlder ? 'ledger-older' : at === 0 ? null : isVerified ? 'number-conflict' : 'suspect';
  if (
    series.stopped === reason &&
    series.isVerified === isVerified &&
    series.isForOurs === isForOurs &&
    series.hasOtherConflicts === hasOtherConflicts &&
    account.isPaused === isPaused
  )
    return state;
  return {
    ...state,
    series: { stopped: reason, isVerified, isForOurs, hasOtherConflicts },
    account: { isPaused },
  };
}

const isDone = ({ state: { document } }: Line) => document.state === 'authorized';
const isConflict = ({ state: { document } }: Line) =>
  (document.state === 'manual' || document.state === 'cancelled') &&
  (document.code === 'number-conflict' || document.code === 'replaced');

const jobs: readonly Job[] = ['submit', 'follow-up', 'reprocess'];
/** The earlier of two instants at which a job is due, if any. */
/** Of two times at which a job is due; what is parked is due after none at all, and before never. */
export const earlier = (one: number, other: number) =>
  one < 0 === other < 0 ? Math.min(one, other) : Math.max(one, other);

function carryOut(
  world: World,
  bounds: Bounds,
  at: number,
  before: Line,
  effects: readonly Effect[],
  run: Run,
): World {
  let { isWoken, isPaused, stopped } = world;
  let { isShown, isReportedDropped, notices } = before;
  const slots: Record<Job, Slot> = { ...before.jobs };
  const own = run.isLate || run.job === 'settle' || run.job === 'person' ? null : run.job;
  let next = none;
  let isForgotten = false;
  let question: Request | null = null;
  for (const effect of effects) {
    switch (effect.kind) {
      case 'move':
        if (!mayMove(effect.from, effect.to)) throw new Broken(`moves from ${effect.from} to ${effect.to}`);
        if (effect.from !== effect.to) isShown = false;
        break;
      case 'schedule': {
        const slot = slots[effect.job];
        if (effect.job === own) next = earlier(next, effect.at);
        else if (slot.isHeld) slots[effect.job] = { ...slot, again: earlier(slot.again, effect.at) };
        else slots[effect.job] = { ...slot, due: earlier(slot.due === parked ? none : slot.due, effect.at) };
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
        if (world.isCorrected && bounds.isStrict)
          throw new Broken('a series stops again that a person has corrected');
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
        if (effect.code === 'dropped-authorized') isReportedDropped = true;
        break;
      default:
        if (!isAsked(effect)) break;
        if (question) throw new Broken('asks two questions at once');
        if (effect.kind === 'post') mayLeave(world, bounds, before);
        if (effect.kind === 'reprocess')
          mayReprocess(world, before, effect.accessKey, bounds.timings.inProcess);
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
  const line = { ...before, jobs: slots, notices, tasks, isShown, isReportedDropped };

  const lines = world.lines.map((one, n) => (n === at ? line : one));
  return { ...world, lines, isWoken, isPaused, stopped };
}

const needsPerson = ({ state: { document } }: Line) =>
  document.state === 'manual' || document.state === 'rejected';
/** So many questions are one round of all a document may ever ask. */
const aRound = 12;

function count(world: World, { countsQuestions }: Bounds, effects: readonly Effect[]): World {
  if (!countsQuestions || !effects.some(({ kind }) => kind === 'ask')) return world;
  if (world.questions === aRound)
    throw new Broken('the service is asked again and again while nothing happens');
  return { ...world, questions: world.questions + 1 };
}

const gone = new Set(['error', 'refused', 'unsent']);

/** What holds whenever a POST leaves. */
function mayLeave(
  { isPaused, isOlder, kept }: World,
  { isStrict }: Bounds,
  { kind, number, state, tasks }: Line,
): undefined {
  if (isPaused) throw new Broken('a POST leaves while its account is paused');
  if (isOlder && state.attempts.length === 1)
    throw new Broken('a number leaves while its series waits for what the ledger lost');
  if (tasks.some(({ question, isLate }) => question.kind === 'post' && !isLate))
    throw new Broken('two POSTs of a document are under way at once');
  if (!isStrict) return;
  const isTaken = kept.some(
    (one) => one.kind === kind && one.number === number && one.status === 'authorized',
  );
  if (isTaken && state.attempts.some(({ cause }) => cause === 'number-taken'))
    throw new Broken('a number leaves again that the authority has already');
  for (const { accessKey, outcome } of state.attempts)
    if (accessKey !== null && !gone.has(outcome) && kept.some((one) => one.key === accessKey && isOurs(one)))
      throw new Broken('a number leaves though the key of its document is known');
}

/** What nobody has told us yet (a late POST of a process that died) cannot be minded, and does no harm. */
function mayReprocess({ kept, at }: World, { state }: Line, key: string, forSoLong: number): undefined {
  const isAtIt = kept.some((one) => one.key === key && one.status === 'in-process');
  const attempt = state.attempts.findLast(({ accessKey }) => accessKey === key);
  if (isAtIt && attempt?.cause === 'in-process' && attempt.createdAt + forSoLong > at)
    throw new Broken('a key is handed over while the authority is still at it');
}
