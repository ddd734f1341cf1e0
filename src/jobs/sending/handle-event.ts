import { ecuadorDay } from '../../domain/clock.ts';
import type { Attempt, Document, MoveNote } from '../../domain/document.ts';
import { type ClaimedJob, done, type JobOutcome } from '../../domain/job.ts';
import type { Store } from '../../domain/settings.ts';
import type { NewAttempt } from '../../ledger/attempts.ts';
import type { Tables } from '../../ledger/ledger.ts';
import { type Decision, decide } from '../../protocol/decide.ts';
import type { Reply } from '../../protocol/effects.ts';
import type { Event, EventOf, Job } from '../../protocol/events.ts';
import type { Rules } from '../../protocol/rules.ts';
import type { ServiceCalls } from '../../service/client.ts';
import type { JobDeps, SendingKey } from '../deps.ts';
import { askAboutSeries, mayLeave } from '../older-ledger/check-series.ts';
import type { LearnFound } from '../older-ledger/lost-documents.ts';
import { otherIssuerReason, prepare } from '../prepare.ts';
import { type Applied, applyEffects } from './apply-effects.ts';
import { type Exchange, makeRequest } from './requests.ts';
import { namedKey, readState, standingOf } from './state.ts';

/*
 * An event of a document, handled to its end: the state is read, the protocol decides (src/protocol), its effects are written
 * in the same transaction; then the request that is left is made, and its answer is the next event.
 */

export interface Run {
  /** The job that runs; none for a person, a probe, or a document found on the way. */
  job?: Job | null;
  claimed?: ClaimedJob | null;
  /** For the timeline, with the first move: who asked. */
  facts?: MoveNote;
  /** The service under the key that showed the document, where that is not the document's own. */
  calls?: ServiceCalls;
  /** Default: those of the protocol. */
  rules?: Rules;
}

/** An event, and what a document that leaves needs. */
export interface Observed {
  event: Event;
  leaves?: { store: Store; key: SendingKey };
}

/** Reads the event inside the transaction that decides on it; or says how the job ends instead. */
export type Observe = (
  tables: Tables,
  document: Document,
  attempts: readonly Attempt[],
  now: Date,
) => Promise<Observed | JobOutcome>;

export interface Handled {
  /** As it was left; undefined where there is no such document. */
  document: Document | undefined;
  outcome: JobOutcome;
  reply: Reply | null;
  exchange: Exchange;
}

/**
 * Handles an event of a document, and everything that follows from it at once.
 * @throws Error where the protocol says that the job must come again.
 */
export async function handleEvent(
  deps: JobDeps,
  documentId: string,
  first: Event | Observe,
  run: Run = {},
): Promise<Handled> {
  const exchange: Exchange = { claimed: run.claimed ?? null, ...(run.calls && { calls: run.calls }) };
  let observe: Observe = typeof first === 'function' ? first : async () => ({ event: first });
  for (;;) {
    const decided = await deps.ledger.transaction((tables) =>
      decideInTransaction(deps, tables, documentId, observe, { run, exchange }),
    );
    if (decided === null || 'kind' in decided)
      return { document: undefined, outcome: decided ?? done, reply: null, exchange };
    const { request, document, attempts, outcome, reply, failed, pause, after, leaves } = decided;
    if (decided.sent) exchange.sent = decided.sent;
    for (const then of after) await then();
    const paused = await pause?.();
    if (failed !== null) throw new Error(failed);
    if (request === null) {
      const ends = outcome.kind === 'put-back' ? (paused ?? outcome) : outcome;
      return { document, outcome: ends, reply, exchange };
    }
    if (request.kind === 'look-ahead') {
      if (!leaves) throw new Error('A series is to be checked without a document that leaves.');
      await askAboutSeries(deps, { document, key: leaves.key }, learnFound(deps));
      continue;
    }
    if (request.kind === 'permit' || request.kind === 'prepare')
      throw new Error(`The request ${request.kind} is answered in its transaction.`);
    const event = await makeRequest(deps, exchange, request, { document, attempts });
    observe = async () => ({ event });
  }
}

interface Decided extends Applied {
  leaves: Observed['leaves'];
  /** Of a POST that is to leave now. */
  sent: Exchange['sent'];
}

/** One decision, inside its transaction; null where there is no such document. */
export async function decideInTransaction(
  deps: JobDeps,
  tables: Tables,
  documentId: string,
  observe: Observe,
  { run, exchange }: { run: Run; exchange: Exchange },
): Promise<Decided | JobOutcome | null> {
  const document = await tables.documents.lock(documentId);
  if (!document) return null;
  const attempts = await tables.attempts.ofDocument(documentId);
  // Midnight may pass meanwhile; one decision has one day.
  const now = deps.clock.now();
  const seen = await observe(tables, document, attempts, now);
  if (!('event' in seen)) return seen;
  const { leaves, event } = seen;
  const state = await readState(deps, tables, document, attempts, leaves?.key.account.id);
  const how = { timings: deps.timings, ...(run.rules && { rules: run.rules }) };
  const time = { at: now.getTime(), day: ecuadorDay(now) };
  const decideOn: DecideOn = (state, event) => decide(state, event, time, how);
  const mapped = await permitAndPrepare(
    { ...deps, clock: { now: () => now } },
    tables,
    document,
    leaves,
    decideOn,
    decideOn(state, event),
  );
  const applied = await applyEffects(deps, tables, mapped.decision.effects, {
    document,
    attempts,
    exchange,
    now,
    job: run.job ?? null,
    key: leaves?.key,
    draft: mapped.draft,
    planned: mapped.planned ?? (await whyHeld(tables, mapped.decision, document, leaves)),
    facts: { ...run.facts, ...mapped.facts, ...searchFacts(exchange) },
  });
  const sent = applied.request?.kind === 'post' &&
    leaves && { key: leaves.key, before: attempts.some(mayHaveLeft) ? document : applied.document };
  return { ...applied, leaves, sent: sent || undefined };
}

/** If nothing of the document may be stored, only the key it leaves under issued it. */
const mayHaveLeft = ({ outcome, accessKey }: Attempt) => outcome !== 'unsent' || accessKey !== null;

/** What a document says that may not leave. */
async function whyHeld(
  { sequences }: Pick<Tables, 'sequences'>,
  { state }: Decision,
  document: Document,
  leaves: Observed['leaves'],
): Promise<string | undefined> {
  if (document.state !== 'ready' || !leaves) return undefined;
  if (state.document.code === 'other-issuer') return otherIssuerReason(document, leaves.store);
  return state.document.code === 'series-stopped' ? (await sequences.stopped(document))?.reason : undefined;
}

/** What a new number was given after. */
function searchFacts({ search }: Exchange): MoveNote {
  if (!search) return {};
  const asked = Object.fromEntries(search.verdicts.map(({ accessKey, verdict }) => [accessKey, verdict]));
  return { asked, webhooks: search.webhooks };
}

type DecideOn = (state: Decision['state'], event: Event) => Decision;

interface Mapped {
  decision: Decision;
  draft?: NewAttempt;
  planned?: string;
  facts?: MoveNote;
}

/** Answers whether the number may leave now, and what it leaves with, in the transaction that lets it leave. */
async function permitAndPrepare(
  deps: JobDeps,
  tables: Tables,
  document: Document,
  leaves: Observed['leaves'],
  decideOn: DecideOn,
  first: Decision,
): Promise<Mapped> {
  let decision = first;
  for (;;) {
    const { effects, state } = decision;
    const request = effects.find(({ kind }) => kind === 'permit' || kind === 'prepare');
    if (!leaves || (request?.kind !== 'permit' && request?.kind !== 'prepare')) return { decision };
    const { sending } = request;
    if (request.kind === 'permit') {
      const permit = await mayLeave(deps, tables, document);
      decision = decideOn(state, { kind: 'permitted', sending, permit });
      continue;
    }
    const made = await prepare(deps, tables, document, leaves.store);
    const prepared: EventOf<'prepared'>['prepared'] =
      made.kind === 'send' ? { kind: 'send', total: made.draft.total, buyerId: made.draft.buyerId } : made;
    decision = decideOn(state, { kind: 'prepared', sending, prepared });
    if (made.kind === 'nothing') return { decision };
    if (made.kind === 'send') return { decision, draft: made.draft, facts: { trace: made.trace } };
    const { reason, buyerReason, trace } = made;
    return { decision, planned: reason, facts: { buyerReason, trace } };
  }
}

/** The service shows one of our documents: handled as if an event had named it. */
export const learnFound =
  (deps: JobDeps): LearnFound =>
  (document, answer, calls) => {
    const key = namedKey(document, answer.claveacceso);
    const asker = { kind: 'notified', key, isError: answer.state === 'error', tries: 0 } as const;
    const purpose = { kind: 'state', asker, n: null } as const;
    const event = { kind: 'found', key, standing: standingOf(answer), purpose } as const;
    return handleEvent(deps, document.id, event, { calls });
  };
