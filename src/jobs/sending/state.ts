import type { Attempt, Document } from '../../domain/document.ts';
import type { MoveNote } from '../../domain/move-note.ts';
import { isShadowShop } from '../../domain/shadow.ts';
import type { HistoryEntry } from '../../ledger/document-tables.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { NamedKey } from '../../protocol/events.ts';
import type { Learnt, SentAttempt, SentDocument, Series, State } from '../../protocol/state.ts';
import { issueDayOf } from '../../service/access-key.ts';
import { causeOfTold } from '../authority-errors.ts';
import type { StepDeps } from '../deps.ts';
import { isKey, keyNames } from '../key-names.ts';
import { isVerified } from '../older-ledger/check-series.ts';
import { isOlder, suspectReason } from '../older-ledger/meet.ts';

/* A document as the protocol decides on it, read from the ledger. */

/**
 * Inside the transaction of the decision, whose document is locked.
 * @param account the one it leaves under, where that is to be decided.
 */
export async function readState(
  deps: Pick<StepDeps, 'seriesChecks'>,
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

const toSent = (document: Document): SentDocument => {
  const { ambiente, state, version, code, secuencial, accessKey, issueDate, total } = document;
  return {
    ...{ ambiente, state, version, code, secuencial, accessKey, issueDate, total },
    createdAt: Date.parse(document.createdAt),
    isShadow: isShadowShop(document.shop),
  };
};

const toSentAttempt = (attempt: Attempt): SentAttempt => {
  const { n, issueDate, total, buyerId, foreseenKey, accessKey, serviceId } = attempt;
  const { outcome, reprocessed, errors } = attempt;
  return {
    ...{ n, issueDate, total, buyerId, foreseenKey, accessKey, serviceId, outcome, reprocessed, errors },
    cause: outcome === 'error' ? causeOfTold(errors).cause : null,
    createdAt: Date.parse(attempt.createdAt),
  };
};

type Note = MoveNote & { accessKey?: unknown; foreignKey?: unknown };

/** What is no news: the same number sent once more, and an answer that changes to and fro. */
const noNews = new Set<unknown>(['no final state', 'not found', 'found', 'known unsent']);
const mayHaveLeft = new Set<unknown>(['sending', 'uncertain']);

function learntOf(
  document: Document,
  attempts: readonly Attempt[],
  history: readonly HistoryEntry[],
): Learnt {
  const moves = history.map((one) => ({ ...one, ...((one.note ?? {}) as Note) }));
  const since = moves.findLastIndex(({ cause }) => cause !== 'not found') + 1;
  const news = moves.findLast(({ from, to, cause }, n) => {
    const isRepeat = mayHaveLeft.has(to) && (mayHaveLeft.has(from) || moves[n - 1]?.cause === 'known unsent');
    return !isRepeat && !noNews.has(cause);
  });
  const borne = new Set(attempts.map(({ accessKey }) => accessKey));
  const told = moves.flatMap(({ accessKey, foreignKey }) => [accessKey, foreignKey]).filter(isKey);
  return {
    notFound: moves
      .slice(since)
      .flatMap(({ accessKey, at }) => (isKey(accessKey) ? [{ accessKey, at: Date.parse(at) }] : [])),
    newsAt: Date.parse(news?.at ?? document.createdAt),
    knownUnsent: moves.at(-1)?.cause === 'known unsent',
    wasUncertain: moves.some(({ to }) => to === 'uncertain'),
    otherKeys: [...new Set(told)].filter((key) => !borne.has(key) && keyNames(document, key)),
  };
}

async function seriesOf(
  deps: Pick<StepDeps, 'seriesChecks'>,
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
  const others = (await sequences.foreign(document)).filter((id) => id !== document.id);
  const stopped = reason === suspectReason ? 'suspect' : 'foreign-number';
  return { stopped, isVerified: verified, isForOurs, hasOtherConflicts: others.length > 0 };
}

/** What the digits of a key say of this document. */
export const namedKey = (document: Document, accessKey: string): NamedKey => ({
  accessKey,
  isOfThis: keyNames(document, accessKey),
  issueDate: issueDayOf(accessKey),
});
