import { mayMove } from '../../../src/domain/document.ts';
import { type Decision, decide } from '../../../src/protocol/decide.ts';
import type { Request } from '../../../src/protocol/effects.ts';
import type { Event, Job, Permit } from '../../../src/protocol/events.ts';
import { permitOf } from '../../../src/protocol/send.ts';
import type { SeriesCheck, SeriesView, State } from '../../../src/protocol/state.ts';
import {
  type Bounds,
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

/** Feeds one event to a document, and carries out what follows. */
export function feed(world: World, bounds: Bounds, at: number, event: Event, run: Run): World {
  const line = world.lines[at];
  if (!line) throw new Broken('there is no such document');
  const state = seen(world, line, bounds);
  const decision = decide(state, event, { at: world.at, day: dayName(world.day) }, bounds);
  const after = { ...line, state: decision.state };
  const isAsked = needsPerson(after) && !needsPerson(line);
  const counted = isAsked ? { ...after, asked: line.asked + 1 } : after;
  return carryOut(count(world, bounds, decision.request), bounds, at, counted, decision, run);
}

/** The state as the ledger has it: its series belongs to others as well. */
function seen(world: World, line: Line, { ambiente }: Bounds): State {
  const { stopped, stoppedWhy, isOlder, lines } = world;
  const { kind, number, state } = line;
  const at = stopped[kind];
  const isForOurs =
    at !== 0 && (at === number || lines.some((one) => one.kind === kind && one.number === at && isDone(one)));
  const hasOtherConflicts = lines.some(
    (one) => one.kind === kind && one.number !== number && isConflict(one),
  );
  const reason: State['series']['stopped'] = isOlder ? 'ledger-older' : at === 0 ? null : stoppedWhy;
  const check = checkOf(world, line);
  const series = { stopped: reason, isForOurs, hasOtherConflicts, check };
  return { ...state, document: { ...state.document, ambiente }, series };
}

/** Only the series of facturas is ever in question. */
function checkOf({ check, lines }: World, line: Line): SeriesCheck {
  const { isAsked, isVerified, proof, since, startedAt, sentAlone, sentAt } = check;
  const last = lines[sentAlone];
  if (line.kind === 'nota') return { isAsked, isVerified: true, proof, since, startedAt, sentAlone: null };
  return {
    isAsked,
    isVerified,
    proof,
    since,
    startedAt,
    sentAlone: last ? { isThis: last === line, at: sentAt, state: last.state.document.state } : null,
  };
}

/** Whether a ready line may be sent beside the others. */
export function permitFor(world: World, bounds: Bounds, line: Line): Permit {
  const { lines, sentAlone } = world;
  const beside = lines.filter(({ kind }) => kind === line.kind);
  const stateOf = (one: Line) => one.state.document.state;
  const last = lines[sentAlone];
  const view: SeriesView = {
    createdAt: line.state.document.createdAt,
    isLowest: !beside.some((one) => one.number < line.number && stateOf(one) === 'ready'),
    sentAlone: last && last !== line ? { isThis: false, at: last.movedAt, state: stateOf(last) } : null,
  };
  return permitOf(checkOf(world, line), view, world.at, bounds);
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
  { effects, request }: Pick<Decision, 'effects' | 'request'>,
  run: Run,
): World {
  let { isWoken, isPaused, isOlder, isRecovering, stopped, stoppedWhy, check, sentAlone } = world;
  let { isShown, isReportedDropped, notices, movedAt } = before;
  const slots: Record<Job, Slot> = { ...before.jobs };
  const own = run.isLate || run.job === 'settle' || run.job === 'person' ? null : run.job;
  let next = none;
  let isForgotten = false;
  for (const effect of effects) {
    switch (effect.kind) {
      case 'move':
        if (!mayMove(effect.from, effect.to)) throw new Broken(`moves from ${effect.from} to ${effect.to}`);
        if (effect.from !== effect.to) isShown = false;
        movedAt = world.at;
        break;
      case 'schedule': {
        const slot = slots[effect.job];
        if (effect.job === own) next = earlier(next, effect.at);
        else if (slot.isHeld) slots[effect.job] = { ...slot, again: earlier(slot.again, effect.at) };
        else slots[effect.job] = { ...slot, due: earlier(slot.due === parked ? none : slot.due, effect.at) };
        break;
      }
      case 'cancel-job':
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
        if (stopped[before.kind] === 0) {
          stopped = { ...stopped, [before.kind]: before.number };
          stoppedWhy = effect.why === 'taken' ? 'number-conflict' : 'suspect';
        }
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
      case 'replan-order':
        isWoken = true;
        break;
      case 'alert':
        if (effect.code === 'dropped-authorized') isReportedDropped = true;
        break;
      case 'send-alone':
        sentAlone = at;
        check = { ...check, sentAlone: effect.isNew ? at : -1, sentAt: world.at };
        break;
      case 'series-verified':
        check = { ...check, isVerified: true };
        break;
      case 'note-unknown-document':
        isOlder = true;
        break;
      case 'recover-series':
        isRecovering = true;
        break;
    }
  }
  if (request?.kind === 'post') mayLeave(world, bounds, before);
  if (request?.kind === 'reprocess') mayReprocess(world, before, request.accessKey, bounds.timings.inProcess);
  const question = request;
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
  const line = { ...before, jobs: slots, notices, tasks, isShown, isReportedDropped, movedAt };

  const lines = world.lines.map((one, n) => (n === at ? line : one));
  const series = { stopped, stoppedWhy, check, sentAlone, isOlder, isRecovering };
  return { ...world, ...series, lines, isWoken, isPaused };
}

const needsPerson = ({ state: { document } }: Line) =>
  document.state === 'manual' || document.state === 'rejected';
/** So many questions are one round of all a document may ever ask. */
const aRound = 12;

function count(world: World, { countsQuestions }: Bounds, request: Request | null): World {
  if (!countsQuestions || request?.kind !== 'ask') return world;
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
  if (isPaused) throw new Broken('a POST is made while its account is paused');
  if (isOlder && state.attempts.length === 1)
    throw new Broken('a number is sent while its series waits for what the ledger lost');
  if (tasks.some(({ question, isLate }) => question.kind === 'post' && !isLate))
    throw new Broken('two POSTs of a document are under way at once');
  if (!isStrict) return;
  const isTaken = kept.some(
    (one) => one.kind === kind && one.number === number && one.status === 'authorized',
  );
  if (isTaken && state.attempts.some(({ cause }) => cause === 'number-taken'))
    throw new Broken('a number is sent again that the authority has already');
  for (const { accessKey, outcome } of state.attempts)
    if (accessKey !== null && !gone.has(outcome) && kept.some((one) => one.key === accessKey && isOurs(one)))
      throw new Broken('a number is sent though the key of its document is known');
}

/** What nobody has told us yet (a late POST of a process that died) cannot be minded, and does no harm. */
function mayReprocess({ kept, at }: World, { state }: Line, key: string, forSoLong: number): undefined {
  const isAtIt = kept.some((one) => one.key === key && one.status === 'in-process');
  const attempt = state.attempts.findLast(({ accessKey }) => accessKey === key);
  if (isAtIt && attempt?.cause === 'in-process' && attempt.createdAt + forSoLong > at)
    throw new Broken('a key is reprocessed while the authority is still at it');
}
