import {
  type Attempt,
  type Document,
  documentNumber,
  type MoveNote,
  type Series as NumberSeries,
} from '../domain/document.ts';
import { seriesSubject } from '../domain/job.ts';
import type { NewAttempt } from '../ledger/attempts.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { KeyIssuer } from '../ledger/schema.ts';
import { learn, nothingLearnt } from '../protocol/deciding.ts';
import type { NamedKey } from '../protocol/events.ts';
import { rules } from '../protocol/rules.ts';
import type { SentAttempt, Series, SeriesCheck, State } from '../protocol/state.ts';
import {
  type AccessKeyFacts,
  accessKeyOf,
  freeDigitsOf,
  hasCheckDigit,
  issueDayOf,
  otherParts,
} from '../service/event.ts';
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

export const namedKey = (document: Document, accessKey: string): NamedKey => ({
  accessKey,
  isOfThis: keyNames(document, accessKey),
  issueDate: issueDayOf(accessKey),
});

/* A key can be foreseen where two authorised documents had the same free digits. It is a guess: "not found" under it says
 * nothing. */

/** The key this sending of a document will get; null where it cannot be foreseen. */
export async function foresee(
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  document: Document,
  { issueDate, secuencial }: Pick<NewAttempt, 'issueDate' | 'secuencial'>,
): Promise<string | null> {
  const digits = await keyDigits.constant(document);
  return digits === null ? null : accessKeyOf({ ...document, issueDate, secuencial }, digits);
}

export async function foreseeLost(
  tables: Pick<Tables, 'keyDigits'>,
  document: Document,
  attempts: readonly Attempt[],
): Promise<Attempt[]> {
  const lastKey = attempts.findLast(({ accessKey }) => accessKey)?.accessKey;
  const digits = await digitsToAsk(tables, document, lastKey);
  return attempts.map((one) => {
    if (digits === null || !rules.outcomeUnknown(one) || one.accessKey !== null || one.foreseenKey !== null)
      return one;
    const { issueDate, secuencial } = one;
    return { ...one, foreseenKey: accessKeyOf({ ...document, issueDate, secuencial }, digits) };
  });
}

/** The digits of a key to ask about: constant ones, else the latest, else those of `accessKey`. */
export const digitsToAsk = async (
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  issuer: KeyIssuer,
  accessKey: string | null | undefined,
): Promise<string | null> =>
  (await keyDigits.constant(issuer)) ??
  (await keyDigits.latest(issuer)) ??
  (accessKey ? freeDigitsOf(accessKey) : null);

type Numbered = NumberSeries & Pick<Document, 'secuencial'>;

export const factsOf = (document: Numbered): AccessKeyFacts => ({
  tipo_comprobante: document.codDoc,
  ruc_emisor: document.ruc,
  ambiente: document.ambiente,
  numero: documentNumber(document) ?? '',
});

/** Whether a key names this document: type, RUC, ambiente and number. A key from outside that does not never counts. */
export const keyNames = (document: Numbered, accessKey: string): boolean =>
  hasCheckDigit(accessKey) && otherParts(accessKey, factsOf(document)).length === 0;

export const isKey = (text: unknown): text is string => typeof text === 'string' && /^\d{49}$/.test(text);
