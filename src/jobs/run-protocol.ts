import { ecuadorDay } from '../domain/clock.ts';
import type { Attempt, Document, MoveNote } from '../domain/document.ts';
import { type ClaimedJob, done } from '../domain/job.ts';
import type { NewAttempt } from '../ledger/attempts.ts';
import type { Tables } from '../ledger/ledger.ts';
import { decide } from '../protocol/decide.ts';
import type { Reply } from '../protocol/effects.ts';
import type { Event, Job } from '../protocol/events.ts';
import type { Rules } from '../protocol/rules.ts';
import type { State } from '../protocol/state.ts';
import type { ServiceCalls } from '../service/client.ts';
import { type Applied, applyEffects } from './apply-effects.ts';
import type { HandlerResult, JobDeps, SendingKey } from './deps.ts';
import { loadState, namedKey } from './load-state.ts';
import { checkSeries } from './older-ledger/check-series.ts';
import type { LearnFound } from './older-ledger/lost-documents.ts';
import { type Exchange, performRequest, serviceStateOf } from './requests.ts';

export interface Run {
  /** The job that runs; none for a person, a probe, or a document found on the way. */
  job?: Job | null;
  claimed?: ClaimedJob | null;
  facts?: MoveNote;
  /** The service under the key that showed the document, where that is not the document's own. */
  calls?: ServiceCalls;
  rules?: Rules;
}

export interface Read {
  tables: Tables;
  document: Document;
  attempts: readonly Attempt[];
  state: State;
  now: Date;
}

export interface Observed {
  event: Event;
  key?: SendingKey;
  draft?: NewAttempt;
  /** The sentence of planner or series, where that is the reason. */
  planned?: string;
  facts?: MoveNote;
}

export type Observe = (read: Read) => Promise<Observed | HandlerResult>;

export interface Handled {
  /** Undefined where there is no such document. */
  document: Document | undefined;
  outcome: HandlerResult;
  reply: Reply | null;
  exchange: Exchange;
}

/** Each decision is one transaction. A crash before its request, made after COMMIT, loses only the request. */
export async function runProtocol(
  deps: JobDeps,
  documentId: string,
  first: Event | Observe,
  run: Run = {},
): Promise<Handled> {
  const exchange: Exchange = { claimed: run.claimed ?? null, ...(run.calls && { calls: run.calls }) };
  const begin: Observe = typeof first === 'function' ? first : async () => ({ event: first });
  let observe = begin;
  for (;;) {
    const decided = await deps.ledger.transaction((tables) =>
      decideOnce(deps, tables, documentId, observe, { run, exchange }),
    );
    if (decided === null || 'kind' in decided)
      return { document: undefined, outcome: decided ?? done, reply: null, exchange };
    const { request, document, attempts, outcome, reply, failed, pause, after, key, sent } = decided;
    if (sent) exchange.sent = sent;
    for (const act of after) await act();
    const paused = await pause?.();
    if (failed !== null) throw new Error(failed);
    if (request === null) {
      const ends = outcome.kind === 'put-back' ? (paused ?? outcome) : outcome;
      return { document, outcome: ends, reply, exchange };
    }
    if (request.kind === 'check-series') {
      if (!key) throw new Error('A series is to be checked without a document that is to be sent.');
      await checkSeries(deps, { document, key }, learnFound(deps));
      observe = begin;
    } else {
      const event = await performRequest(deps, exchange, request, { document, attempts });
      if (event.kind === 'unknown-here') return { document, outcome: event, reply, exchange };
      observe = async () => ({ event });
    }
  }
}

interface Decided extends Applied {
  key: SendingKey | undefined;
  sent: Exchange['sent'];
}

/** Null where there is no such document. */
export async function decideOnce(
  deps: JobDeps,
  tables: Tables,
  documentId: string,
  observe: Observe,
  { run, exchange }: { run: Run; exchange: Exchange },
): Promise<Decided | HandlerResult | null> {
  const document = await tables.documents.lock(documentId);
  if (!document) return null;
  const attempts = await tables.attempts.ofDocument(documentId);
  // Midnight may pass meanwhile; one decision has one day.
  const now = deps.clock.now();
  const state = await loadState(deps, tables, document, attempts);
  const observed = await observe({ tables, document, attempts, state, now });
  if (!('event' in observed)) return observed;
  const { event, key, draft, planned, facts } = observed;
  const decision = decide(
    state,
    event,
    { at: now.getTime(), day: ecuadorDay(now) },
    { timings: deps.timings, ...(run.rules && { rules: run.rules }) },
  );
  const applied = await applyEffects(deps, tables, decision, {
    document,
    attempts,
    exchange,
    now,
    job: run.job ?? null,
    key,
    draft,
    planned,
    facts: { ...run.facts, ...facts, ...searchFacts(exchange) },
  });
  const isPost = decision.request?.kind === 'post' && key !== undefined;
  const sent = isPost ? { key, before: attempts.some(mayHaveLeft) ? document : applied.document } : undefined;
  return { ...applied, key, sent };
}

/** If nothing of the document may be stored, only the key it is sent under issued it. */
const mayHaveLeft = ({ outcome, accessKey }: Attempt) => outcome !== 'unsent' || accessKey !== null;

function searchFacts({ search }: Exchange): MoveNote {
  if (!search) return {};
  const asked = Object.fromEntries(search.verdicts.map(({ accessKey, verdict }) => [accessKey, verdict]));
  return { asked, webhooks: search.webhooks };
}

/** The service shows one of our documents: handled as if an event had named it. */
export const learnFound =
  (deps: JobDeps): LearnFound =>
  (document, answer, calls) => {
    const key = namedKey(document, answer.claveacceso);
    const asker = { kind: 'notified', key, isError: answer.state === 'error', tries: 0 } as const;
    const purpose = { kind: 'state', asker, n: null } as const;
    const event = { kind: 'found', key, serviceState: serviceStateOf(answer), purpose } as const;
    return runProtocol(deps, document.id, event, { calls });
  };
