import type { Attempt, Document, MoveNote } from '../domain/document.ts';
import { seriesSubject } from '../domain/job.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { SentAttempt, Series, SeriesCheck, State } from '../protocol/state.ts';
import { learn, nothingLearnt } from '../protocol/state.ts';
import type { JobDeps } from './deps.ts';
import { isOlder, suspectReason } from './older-ledger/lost-documents.ts';
import { causeOfReported } from './sentences.ts';

/** Inside the transaction of the decision, with the document locked. */
export async function loadState(
  deps: Pick<JobDeps, 'seriesChecks' | 'startedAt'>,
  tables: Tables,
  document: Document,
  attempts: readonly Attempt[],
): Promise<State> {
  const createdAt = Date.parse(document.createdAt);
  const timeline = await tables.documents.history(document.id);
  return {
    document: { ...document, createdAt },
    attempts: attempts.map(toSentAttempt),
    learnt: timeline.reduce(
      (learnt, { from, to, note, at }) =>
        learn(learnt, { from, to, note: (note ?? {}) as MoveNote, at: Date.parse(at) }),
      nothingLearnt(createdAt),
    ),
    series: await loadSeries(tables, document, deps),
  };
}

const toSentAttempt = (attempt: Attempt): SentAttempt => ({
  ...attempt,
  cause: attempt.outcome === 'error' ? causeOfReported(attempt.errors).cause : null,
  createdAt: Date.parse(attempt.createdAt),
});

async function loadSeries(
  { sequences, documents }: Pick<Tables, 'sequences' | 'documents'>,
  document: Document,
  deps: Pick<JobDeps, 'seriesChecks' | 'startedAt'>,
): Promise<Series> {
  const check = await loadCheck(documents, document, deps);
  const flows = { stopped: null, isForOurs: false, hasOtherConflicts: false, check };
  const stop = await sequences.stopped(document);
  if (!stop) return flows;
  const { secuencial, reason, exhausted } = stop;
  if (exhausted) return { ...flows, stopped: 'exhausted' };
  if (reason !== suspectReason && isOlder(stop)) return { ...flows, stopped: 'ledger-older' };
  if (secuencial === null) return { ...flows, stopped: 'other' };
  const isOwn = secuencial === document.secuencial;
  const isForOurs = isOwn || (await documents.byNumber(document, secuencial))?.state === 'authorized';
  const others = (await sequences.numberConflicts(document)).filter((id) => id !== document.id);
  const stopped = reason === suspectReason ? 'suspect' : 'number-conflict';
  return { ...flows, stopped, isForOurs, hasOtherConflicts: others.length > 0 };
}

async function loadCheck(
  documents: Tables['documents'],
  document: Document,
  deps: Pick<JobDeps, 'seriesChecks' | 'startedAt'>,
): Promise<SeriesCheck> {
  const startedAt = deps.startedAt.getTime();
  const check = deps.seriesChecks.get(seriesSubject(document));
  if (!check)
    return { isAsked: false, isVerified: false, proof: 'authorized', since: 0, startedAt, sentAlone: null };
  const { isAsked, isVerified, proof, since, sentAlone } = check;
  const last = isVerified || !sentAlone ? undefined : await documents.get(sentAlone.id);
  return {
    isAsked,
    isVerified,
    proof,
    since: since.getTime(),
    startedAt,
    sentAlone:
      sentAlone && last
        ? { isThis: last.id === document.id, at: sentAlone.at.getTime(), state: last.state }
        : null,
  };
}
