import { ecuadorDay } from '../../domain/calendar.ts';
import type { Attempt, Document } from '../../domain/document.ts';
import type { MoveNote } from '../../domain/move-note.ts';
import type { Store } from '../../domain/settings.ts';
import { type ClaimedWork, done, type StepOutcome } from '../../domain/work.ts';
import type { NewAttempt } from '../../ledger/document-tables.ts';
import type { Tables } from '../../ledger/ledger.ts';
import { type Decision, decide } from '../../protocol/decide.ts';
import type { Said } from '../../protocol/effects.ts';
import type { Event, Job, Permitted, Prepared } from '../../protocol/events.ts';
import type { Rules } from '../../protocol/rules.ts';
import type { ServiceCalls } from '../../service/client.ts';
import type { SendingKey, StepDeps } from '../deps.ts';
import { askAboutSeries, mayLeave } from '../older-ledger/check-series.ts';
import { otherIssuerReason } from '../other-issuer.ts';
import { prepare } from '../prepare.ts';
import { type CarriedOut, carryOut } from './carry-out.ts';
import { answerTo, type Talk } from './questions.ts';
import { readState } from './state.ts';

/*
 * What happened to a document, carried to its end: its state is read, the protocol decides (src/protocol), what it decided is
 * written in the same transaction; then what it asks is asked, and the answer is what happens next.
 */

/** Who lets it happen. */
export interface Run {
  /** The job that runs, and its work; none for a person, a probe, or what is done by the way. */
  job?: Job | null;
  work?: ClaimedWork | null;
  /** For the history of the first move: who asked. */
  facts?: MoveNote;
  /** The service under the key that showed what happened, where that is not the document's own. */
  asks?: ServiceCalls;
  /** What it is decided by, where those of the protocol do not all hold. */
  rules?: Rules;
}

/** What happened, and what a document that leaves needs. */
export interface Happening {
  event: Event;
  leaves?: { store: Store; key: SendingKey };
}

/** The event, or what is to be done with the job instead; inside the transaction that decides on it. */
export type Observe = (
  tables: Tables,
  document: Document,
  attempts: readonly Attempt[],
  now: Date,
) => Promise<Happening | StepOutcome>;

/** How it ended. */
export interface Ended {
  /** As it was left; undefined where there is no such document. */
  document: Document | undefined;
  outcome: StepOutcome;
  said: Said | null;
  /** What was learnt on the way: words of the service, what a search found. */
  talk: Talk;
}

/**
 * Lets something happen to a document, and everything that follows from it at once.
 * @throws Error where the protocol says that the job must come again.
 */
export async function happens(
  deps: StepDeps,
  documentId: string,
  first: Event | Observe,
  run: Run = {},
): Promise<Ended> {
  const talk: Talk = { work: run.work ?? null, ...(run.asks && { asks: run.asks }) };
  let observe: Observe = typeof first === 'function' ? first : async () => ({ event: first });
  for (;;) {
    const step = await deps.ledger.transaction((tables) =>
      decideInside(deps, tables, documentId, observe, { run, talk }),
    );
    if (step === null) return { document: undefined, outcome: done, said: null, talk };
    if ('kind' in step) return { document: undefined, outcome: step, said: null, talk };
    const { question, document, attempts, outcome, said, failed, pause, after } = step;
    if (step.left) talk.left = step.left;
    for (const then of after) await then();
    const paused = await pause?.();
    if (failed !== null) throw new Error(failed);
    if (question === null)
      return { document, outcome: outcome.kind === 'put-back' ? (paused ?? outcome) : outcome, said, talk };
    if (question.kind === 'look-ahead') {
      if (!step.leaves) throw new Error('Nothing is to leave that numbers could be asked about for.');
      await askAboutSeries(deps, { document, key: step.leaves.key });
      continue;
    }
    if (question.kind === 'permit' || question.kind === 'prepare')
      throw new Error(`The question ${question.kind} is answered where it is asked.`);
    const event = await answerTo(deps, talk, question, { document, attempts });
    observe = async () => ({ event });
  }
}

interface Decided extends CarriedOut {
  leaves?: Happening['leaves'];
  /** Of a POST that is to leave now. */
  left?: NonNullable<Talk['left']>;
}

/** One decision, inside its transaction; null where there is no such document. */
export async function decideInside(
  deps: StepDeps,
  tables: Tables,
  documentId: string,
  observe: Observe,
  { run, talk }: { run: Run; talk: Talk },
): Promise<Decided | StepOutcome | null> {
  const document = await tables.documents.lock(documentId);
  if (!document) return null;
  const attempts = await tables.attempts.ofDocument(documentId);
  // Midnight may pass meanwhile; one decision has one day.
  const now = deps.clock.now();
  const seen = await observe(tables, document, attempts, now);
  if (!('event' in seen)) return seen;
  const { leaves } = seen;
  const time = { at: now.getTime(), day: ecuadorDay(now) };
  const how = { timings: deps.timings, ...(run.rules && { rules: run.rules }) };
  const state = await readState(deps, tables, document, attempts, leaves?.key.account.id);
  const decision = decide(state, seen.event, time, how);
  const mapped = await answerInside({ ...deps, clock: { now: () => now } }, tables, document, {
    decision,
    leaves,
    time,
    how,
  });
  const out = await carryOut(deps, tables, mapped.decision.effects, {
    ...{ document, attempts, talk, now },
    ...{ job: run.job ?? null, key: leaves?.key, draft: mapped.draft },
    planned: mapped.planned ?? (await whyHeld(tables, mapped.decision, document, leaves)),
    facts: { ...run.facts, ...mapped.facts, ...searchFacts(talk) },
  });
  const isLeaving = out.question?.kind === 'post' && leaves;
  return {
    ...out,
    ...(leaves && { leaves }),
    ...(isLeaving && {
      left: { key: leaves.key, before: attempts.some(mayHaveLeft) ? document : out.document },
    }),
  };
}

/** Where nothing of it stands anywhere, no other key issued it than the one it leaves under. */
const mayHaveLeft = ({ outcome, accessKey }: Attempt) => outcome !== 'unsent' || accessKey !== null;

/** What a document that may not leave says of it. */
async function whyHeld(
  { sequences }: Pick<Tables, 'sequences'>,
  { state }: Decision,
  document: Document,
  leaves: Happening['leaves'],
): Promise<string | undefined> {
  if (document.state !== 'ready' || !leaves) return undefined;
  if (state.document.code === 'other-issuer') return otherIssuerReason(document, leaves.store);
  return state.document.code === 'series-stopped' ? (await sequences.stopped(document))?.reason : undefined;
}

/** What a new number was given after. */
function searchFacts({ search }: Talk): MoveNote {
  if (!search) return {};
  const asked = Object.fromEntries(search.verdicts.map(({ accessKey, verdict }) => [accessKey, verdict]));
  return { asked, webhooks: search.webhooks };
}

interface Mapped {
  decision: Decision;
  draft?: NewAttempt;
  planned?: string;
  facts?: MoveNote;
}

/** Whether its number may leave now, and what it says: answered in the transaction that lets it leave. */
async function answerInside(
  deps: StepDeps,
  tables: Tables,
  document: Document,
  given: {
    decision: Decision;
    leaves: Happening['leaves'];
    time: { at: number; day: string };
    how: Parameters<typeof decide>[3];
  },
): Promise<Mapped> {
  const { leaves, time, how } = given;
  let mapped: Mapped = { decision: given.decision };
  for (;;) {
    const { effects, state } = mapped.decision;
    const question = effects.find(({ kind }) => kind === 'permit' || kind === 'prepare');
    if (!leaves || (question?.kind !== 'permit' && question?.kind !== 'prepare')) return mapped;
    const { sending } = question;
    if (question.kind === 'permit') {
      const permit = permitOf(await mayLeave(deps, tables, document));
      mapped = { decision: decide(state, { kind: 'permitted', sending, permit }, time, how) };
      continue;
    }
    const made = await prepare(deps, tables, document, leaves.store);
    const event: Prepared = { kind: 'prepared', sending, prepared: preparedOf(made) };
    const decision = decide(state, event, time, how);
    if (made.kind === 'nothing') mapped = { decision };
    else if (made.kind === 'send') mapped = { decision, draft: made.draft, facts: { trace: made.trace } };
    else {
      const { reason, buyerReason, trace } = made;
      mapped = { decision, planned: reason, facts: { buyerReason, trace } };
    }
  }
}

const permitOf = (permit: Awaited<ReturnType<typeof mayLeave>>): Permitted['permit'] =>
  permit.kind === 'later' ? { kind: 'later', until: permit.at.getTime() } : permit;

function preparedOf(made: Awaited<ReturnType<typeof prepare>>): Prepared['prepared'] {
  if (made.kind === 'nothing') return made;
  if (made.kind === 'held') return { kind: 'held', to: made.to, code: made.code };
  return { kind: 'send', total: made.draft.total, buyerId: made.draft.buyerId };
}
