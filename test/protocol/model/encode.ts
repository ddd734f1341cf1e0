import type { State } from '../../../src/protocol/state.ts';
import { type Bounds, type Line, none, parked, type Slot, type World } from './world.ts';

/*
 * A world as one hash of 64 bits: two of the same hash are taken for one. Instants are written as ages, and ages beyond the
 * longest wait are one, so that what has the same future is the same.
 */

const numbers = new Map<unknown, number>();
let lastNumber = 1_000;

/** A small number for each text or constant that was ever met. */
function numberOf(value: unknown): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(value, lastNumber);
  return lastNumber;
}

let high = 0;
let low = 0;

function add(value: number): undefined {
  high = Math.imul(high ^ value, 0x9e3779b1);
  high ^= high >>> 15;
  low = Math.imul(low + value + 0x7f4a7c15, 0x85ebca6b);
  low ^= low >>> 13;
}

/** Any plain value by its structure: questions, answers, what was said. */
function addValue(value: unknown): undefined {
  if (typeof value === 'number') return add(value);
  if (typeof value !== 'object' || value === null) return add(numberOf(value));
  if (Array.isArray(value)) {
    add(0x51 + value.length);
    for (const one of value) addValue(one);
    return;
  }
  add(0x77);
  for (const name in value) {
    add(numberOf(name));
    addValue((value as Record<string, unknown>)[name]);
  }
}

export interface Hash {
  high: number;
  low: number;
}

/** Into `hash`, which is used again and again. */
export function hashOf(world: World, { timings }: Bounds, hash: Hash): undefined {
  high = 0x12345678;
  low = 0x2545f491;
  const cap =
    Math.max(
      timings.unconfirmed,
      timings.inProcess,
      timings.repeatAcrossMidnight,
      timings.series.outcome,
      ...timings.followUp,
      ...timings.reprocess,
    ) + 1;
  const age = (at: number) => Math.min(world.at - at, cap);
  const { left, stopped } = world;
  add(world.lines.length);
  for (const line of world.lines) addLine(line, world.at, age);
  add(world.kept.length);
  for (const { key, content, status, sale, isHidden, isLost } of world.kept) {
    add((isHidden ? 5 : 6) + (isLost ? 8 : 0) + (sale === 'this' ? 0 : 16));
    add(numberOf(key));
    add(numberOf(content));
    add(numberOf(status));
  }
  addSet(
    world.webhooks.map(
      ({ key, said }) => numberOf(key) * 64 + numberOf(said.state === 'error' ? said.cause : 'ok'),
    ),
  );
  addValue(world.wire);
  add(
    (world.isOlder ? 16 : 0) +
      (world.isCorrected ? 32 : 0) +
      (world.isCancelled ? 64 : 0) +
      world.failures * 128,
  );
  add(world.wrongs + world.questions * 16);
  add(numberOf(world.issuer) * 8192 + numberOf(world.mapped));
  add(world.day * 8 + world.edited * 4 + (world.isRefunded ? 2 : 0) + (world.isWoken ? 1 : 0));
  add(stopped.factura * 8 + stopped.nota * 2 + (world.isPaused ? 1 : 0));
  const { check } = world;
  add((world.stoppedWhy === 'suspect' ? 1 : 0) + (world.isRecovering ? 2 : 0) + (world.sentAlone + 1) * 4);
  if (!check.isVerified) {
    add((check.isAsked ? 1 : 0) + (check.proof === 'created' ? 2 : 0) + (check.sentAlone + 1) * 4);
    add(age(check.startedAt));
    add(age(check.since) * 256 + (check.sentAlone < 0 ? 0 : age(check.sentAt)));
    add(world.sentAlone < 0 ? 0 : age(world.lines[world.sentAlone]?.movedAt ?? world.at));
  }
  add(
    (((left.faults * 8 + left.crashes) * 8 + left.midnights) * 8 + left.persons) * 4 +
      left.edits * 2 +
      left.refunds,
  );
  hash.high = high >>> 0;
  hash.low = low >>> 0;
}

/** In whatever order. */
function addSet(values: number[]): undefined {
  add(values.length);
  if (values.length > 1) values.sort((one, other) => one - other);
  for (const value of values) add(value);
}

function addLine(line: Line, now: number, age: (at: number) => number): undefined {
  add((line.kind === 'factura' ? 16 : 32) + (line.sale === 'this' ? 0 : 64) + line.number);
  // Its version counts only while somebody compares it.
  const searching = line.tasks.find(({ question }) => question.kind === 'search');
  const isSearched =
    searching?.question.kind === 'search' && searching.question.version === line.state.document.version;
  addState(line.state, age, isSearched);
  addSlot(line.jobs.submit, now);
  addSlot(line.jobs['follow-up'], now);
  addSlot(line.jobs.reprocess, now);
  addSet(
    line.notices.map(
      ({ key, said, tries }) =>
        (numberOf(key) * 64 + numberOf(said.state === 'error' ? said.cause : 'ok')) * 4 + tries,
    ),
  );
  add(line.tasks.length);
  for (const { job, notice, question, answer, isLate } of line.tasks) {
    add(numberOf(job) * 2 + (isLate ? 1 : 0));
    addValue(notice);
    if (question.kind === 'search') add(question.confirmed ? 3 : 4);
    else addValue(question);
    addValue(answer);
  }
  add(line.asked * 4 + (line.isShown ? 2 : 0) + (line.isReportedDropped ? 1 : 0));
}

function addSlot({ due, isHeld, again }: Slot, now: number): undefined {
  const rest = (at: number) => (at === none || at === parked ? at : Math.max(at - now, 0));
  add((rest(due) + 4) * 256 + (rest(again) + 4) * 2 + (isHeld ? 1 : 0));
}

function addState(
  { document, attempts, learnt }: State,
  age: (at: number) => number,
  isSearched: boolean,
): undefined {
  add(numberOf(document.state));
  add(numberOf(document.code));
  add(numberOf(document.accessKey));
  add(numberOf(document.total));
  add(age(document.createdAt) * 2 + (isSearched ? 1 : 0));
  add(attempts.length);
  for (const one of attempts) {
    add(numberOf(one.outcome));
    add(numberOf(one.accessKey));
    add(numberOf(one.foreseenKey));
    add(numberOf(one.issueDate));
    add(numberOf(one.buyerId));
    add(numberOf(one.cause));
    add(one.reprocessed * 64 + age(one.createdAt));
  }
  add(learnt.notFound.length);
  for (const { accessKey, at } of learnt.notFound) {
    add(numberOf(accessKey));
    add(age(at));
  }
  add(age(learnt.newsAt) * 4 + (learnt.knownUnsent ? 2 : 0) + (learnt.wasUncertain ? 1 : 0));
  for (const key of learnt.keys) add(numberOf(key));
}
