import {
  type Attempt,
  type Document,
  documentNumber,
  type MoveNote,
  type Series as NumberSeries,
} from '../../domain/document.ts';
import type { NewAttempt } from '../../ledger/attempts.ts';
import type { HistoryEntry } from '../../ledger/documents.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { KeyIssuer } from '../../ledger/schema.ts';
import { keepsDenials, noNews } from '../../protocol/deciding.ts';
import type {
  Answer,
  NamedKey,
  Outcome,
  RefusedFor,
  ReprocessAnswer,
  Standing,
} from '../../protocol/events.ts';
import { rules } from '../../protocol/rules.ts';
import type { Learnt, SentAttempt, SentDocument, Series, State } from '../../protocol/state.ts';
import type {
  EmissionAnswer,
  FoundDocument,
  ReprocessAnswer as ServiceReprocessAnswer,
} from '../../service/answers.ts';
import {
  type AccessKeyFacts,
  accessKeyOf,
  freeDigitsOf,
  hasCheckDigit,
  issueDayOf,
  otherParts,
} from '../../service/event.ts';
import { namesProvider, saysNoCredits } from '../../service/inferred.ts';
import { isRevoked, type JobDeps, type SendingKey } from '../deps.ts';
import { isVerified } from '../older-ledger/check-series.ts';
import { isOlder, suspectReason } from '../older-ledger/lost-documents.ts';
import { wrongDay } from '../prepare.ts';
import { causeOf, causeOfReported } from '../sentences.ts';

/* What the protocol decides on: the state of a document, read from the ledger, and the answers of the service. */

/** Inside the transaction of the decision, with the document locked. `account`: the one it is to leave under. */
export async function readState(
  deps: Pick<JobDeps, 'seriesChecks'>,
  tables: Tables,
  document: Document,
  attempts: readonly Attempt[],
  account = document.account,
): Promise<State> {
  const history = await tables.documents.history(document.id);
  return {
    document: toSent(document),
    attempts: attempts.map(toSentAttempt),
    learnt: learntOf(document, attempts, history),
    series: await seriesOf(deps, tables, document),
    account: { isPaused: await tables.pauses.shuts(account, document.ambiente) },
  };
}

const toSent = (document: Document): SentDocument => ({
  ...document,
  createdAt: Date.parse(document.createdAt),
});

const toSentAttempt = (attempt: Attempt): SentAttempt => ({
  ...attempt,
  cause: attempt.outcome === 'error' ? causeOfReported(attempt.errors).cause : null,
  createdAt: Date.parse(attempt.createdAt),
});

type Note = MoveNote & { accessKey?: unknown; otherKey?: unknown };

const mayHaveLeft = new Set<unknown>(['sending', 'uncertain']);

function learntOf(
  document: Document,
  attempts: readonly Attempt[],
  history: readonly HistoryEntry[],
): Learnt {
  const moves = history.map((one) => ({ ...one, ...((one.note ?? {}) as Note) }));
  const since = moves.findLastIndex(({ cause }) => !keepsDenials.has(cause)) + 1;
  const news = moves.findLast(({ from, to, cause }, n) => {
    const isRepeat = mayHaveLeft.has(to) && (mayHaveLeft.has(from) || moves[n - 1]?.cause === 'known unsent');
    return !isRepeat && !noNews.has(cause);
  });
  const known = new Set(attempts.map(({ accessKey }) => accessKey));
  const keys = moves.flatMap(({ accessKey, otherKey }) => [accessKey, otherKey]).filter(isKey);
  return {
    notFound: moves
      .slice(since)
      .flatMap(({ accessKey, at }) => (isKey(accessKey) ? [{ accessKey, at: Date.parse(at) }] : [])),
    newsAt: Date.parse(news?.at ?? document.createdAt),
    knownUnsent: moves.at(-1)?.cause === 'known unsent',
    wasUncertain: moves.some(({ to }) => to === 'uncertain'),
    otherKeys: [...new Set(keys)].filter((key) => !known.has(key) && keyNames(document, key)),
  };
}

async function seriesOf(
  deps: Pick<JobDeps, 'seriesChecks'>,
  { sequences, documents }: Pick<Tables, 'sequences' | 'documents'>,
  document: Document,
): Promise<Series> {
  const stop = await sequences.stopped(document);
  const verified = isVerified(deps, document);
  const { secuencial = null, reason, exhausted } = stop ?? {};
  const flows = { stopped: null, isVerified: verified, isForOurs: false, hasOtherConflicts: false };
  if (!stop) return flows;
  if (exhausted) return { ...flows, stopped: 'exhausted' };
  if (reason !== suspectReason && isOlder(stop)) return { ...flows, stopped: 'ledger-older' };
  if (secuencial === null) return { ...flows, stopped: 'other' };
  const isOwn = secuencial === document.secuencial;
  const isForOurs = isOwn || (await documents.byNumber(document, secuencial))?.state === 'authorized';
  const others = (await sequences.numberConflicts(document)).filter((id) => id !== document.id);
  const stopped = reason === suspectReason ? 'suspect' : 'number-conflict';
  return { stopped, isVerified: verified, isForOurs, hasOtherConflicts: others.length > 0 };
}

/** What the digits of a key say of this document. */
export const namedKey = (document: Document, accessKey: string): NamedKey => ({
  accessKey,
  isOfThis: keyNames(document, accessKey),
  issueDate: issueDayOf(accessKey),
});

/*
 * The access key of a document can be foreseen where the service gives all documents of an account and type the same free
 * digits; the rest follows from the document. After a lost answer the service is asked about that key. Digits count as
 * constant once two authorised documents had them, until a key has others. A foreseen key is a guess: what is found under it
 * is compared like the document of a 409, and "not found" means nothing.
 */

/** The key this sending of a document will get; null where it cannot be foreseen. */
export async function foresee(
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  document: Document,
  { issueDate, secuencial }: Pick<NewAttempt, 'issueDate' | 'secuencial'>,
): Promise<string | null> {
  const digits = await keyDigits.constant(document);
  return digits === null ? null : accessKeyOf({ ...document, issueDate, secuencial }, digits);
}

/** Foresees the keys of lost attempts that left before the digits were known, by those known now or of the last key. */
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

/** What the key of a document must say of it (ficha técnica SRI, tabla 1). */
export const factsOf = (document: Numbered): AccessKeyFacts => ({
  tipo_comprobante: document.codDoc,
  ruc_emisor: document.ruc,
  ambiente: document.ambiente,
  numero: documentNumber(document) ?? '',
});

/**
 * Whether a key of 49 digits names this document: its type, RUC, ambiente and number. No key from outside (an answer, an
 * event, a list, a person) counts for a document that it does not name.
 */
export const keyNames = (document: Numbered, accessKey: string): boolean =>
  hasCheckDigit(accessKey) && otherParts(accessKey, factsOf(document)).length === 0;

/** Whether it has the form of an access key: 49 digits. */
export const isKey = (text: unknown): text is string => typeof text === 'string' && /^\d{49}$/.test(text);

/* The answers of the service as the protocol reads them. Nothing is decided here. */

/** The answer to a POST; counts the failures of the service in a row. */
export function answerOf(deps: JobDeps, document: Document, key: SendingKey, answer: EmissionAnswer): Answer {
  const accessKey = 'claveacceso' in answer ? answer.claveacceso : null;
  const named = accessKey === null ? null : namedKey(document, accessKey);
  // An answer that names another document says nothing about the health of the service.
  const isMixedUp = named?.isOfThis === false;
  const counter = key.account.id;
  if (answer.kind !== 'unknown' && !isMixedUp) deps.failureCounter.clear(counter);
  switch (answer.kind) {
    case 'created':
      return {
        kind: 'created',
        key: named ?? namedKey(document, answer.claveacceso),
        serviceId: answer.idComprobante,
      };
    case 'duplicate':
      return { kind: 'duplicate', key: named, errors: answer.errors };
    case 'refused':
      return { kind: 'refused', names: namesOf(deps, answer), errors: answer.errors };
    case 'unauthorized':
      return { kind: 'unauthorized', isOlderKey: isRevoked(deps, key) };
    case 'throttled':
      return { kind: 'throttled', retryAfter: answer.retryAfterMs };
    case 'unknown': {
      const { mayHaveLeft, errors = [] } = answer;
      const failures = isMixedUp ? 0 : deps.failureCounter.add(counter, mayHaveLeft ? document.id : null);
      return mayHaveLeft
        ? { kind: 'unknown', key: named, errors, failures }
        : { kind: 'unreachable', failures };
    }
  }
}

function namesOf(
  { clock }: Pick<JobDeps, 'clock'>,
  answer: Extract<EmissionAnswer, { kind: 'refused' }>,
): RefusedFor {
  const wrong = wrongDay(answer, clock.now());
  if (wrong?.kind === 'clock') return { kind: 'date', clocks: 'differ', midnight: null };
  if (wrong)
    return { kind: 'date', clocks: 'agree', midnight: wrong.kind === 'midnight' ? wrong.waitMs : null };
  if (answer.aviso !== null && namesProvider(answer.errors)) return { kind: 'provider-data' };
  // Whatever the balance says: documents in process may have used the last ones.
  return saysNoCredits(answer.errors) ? { kind: 'credits' } : { kind: 'words' };
}

type Reported = Pick<FoundDocument, 'fechaAutorizacion' | 'errors'>;

export function standingOf({ state, ...reported }: Reported & Pick<FoundDocument, 'state'>): Standing {
  return state === 'processing' ? { state } : outcomeOf({ state, ...reported });
}

/** How a document ended at the authority. */
export function outcomeOf({
  state,
  fechaAutorizacion,
  errors,
}: Reported & { state: Outcome['state'] }): Outcome {
  if (state === 'authorized') return { state, at: fechaAutorizacion };
  return { state, cause: causeOf(errors).cause, errors: errors.map(sentenceOf) };
}

/** As attempts keep them: "39 FIRMA INVALIDA". */
const sentenceOf = ({ identificador, mensaje, informacionAdicional }: FoundDocument['errors'][number]) =>
  [identificador, mensaje, informacionAdicional].filter(Boolean).join(' ');

/** The answer to a request to reprocess a key. */
export function handedOverOf(
  deps: JobDeps,
  key: SendingKey,
  answer: ServiceReprocessAnswer,
): ReprocessAnswer {
  switch (answer.kind) {
    case 'refused':
      // 409: it did not end with an error (assumption A13). 402: credits are missing.
      if (answer.status === 409) return { kind: 'not-ended' };
      if (answer.status === 402) return { kind: 'no-credits' };
      return { kind: 'refused', errors: answer.errors };
    case 'not-found':
      return { kind: 'refused', errors: [] };
    case 'throttled':
      return { kind: 'throttled', retryAfter: answer.retryAfterMs };
    case 'unauthorized':
      return { kind: 'unauthorized', isOlderKey: isRevoked(deps, key) };
    default:
      return { kind: answer.kind };
  }
}
