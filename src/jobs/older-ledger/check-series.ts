import { ecuadorDay } from '../../domain/calendar.ts';
import type { Document, Series } from '../../domain/document.ts';
import { seriesSubject } from '../../domain/work.ts';
import type { Tables } from '../../ledger/ledger.ts';
import { accessKeyOf } from '../../service/access-key.ts';
import type { SendingKey, StepDeps } from '../deps.ts';
import { daysSince, meetDelivered, openLook } from './catch-up.ts';

/*
 * Before a process sends its first document of a series, it asks the service whether it knows numbers that the ledger does
 * not: a ledger that was restored while the process was down proves older before anything leaves. Where access keys can be
 * foreseen, the next numbers are asked about; where they cannot, the service's last webhook deliveries are read. Then one
 * document leaves at a time, the lowest number first, until one is taken whose number lies behind all others: a number
 * that is registered already stops the series before an order that lost its factura gets another one.
 */

/** What a process has checked of one series. */
export interface SeriesCheck {
  since: Date;
  /** Ends when the service was asked. */
  asked: Promise<void>;
  isAsked: boolean;
  /**
   * What shows that a number is new: the service's word, or the tax authority's where the service may hold the number under
   * another key, of another day or with digits drawn at random. On the day a shop begins the service's word is enough.
   */
  proof: 'created' | 'authorized';
  /** The document that left alone behind all others, and when. */
  last: { id: string; at: Date } | null;
  /** The documents of the series may leave side by side. */
  isVerified: boolean;
}

type Checks = Pick<StepDeps, 'seriesChecks'>;

/** So long one document waits for another of its series that leaves alone. */
const pauseMs = 500;
/** So long a higher number waits for a lower one that is ready, and may be waiting for something else. */
const lowerFirstMs = 10_000;
/** So long the others wait for the tax authority to decide on the one that left alone; longer than its first follow-up. */
const decisionMs = 5 * 60_000;

export type Permit = { kind: 'leaves' } | { kind: 'unasked' } | { kind: 'later'; at: Date; reason: string };

/** Whether the documents of a series may leave side by side, as far as this process has seen. */
export const isVerified = ({ seriesChecks }: Checks, series: Series): boolean =>
  seriesChecks.get(seriesSubject(series))?.isVerified === true;

/** Whether a document that never left may leave now, inside the transaction that sends it. */
export async function mayLeave(
  { seriesChecks, clock }: Checks & Pick<StepDeps, 'clock'>,
  { sequences, documents }: Pick<Tables, 'sequences' | 'documents'>,
  document: Document,
): Promise<Permit> {
  const check = seriesChecks.get(seriesSubject(document));
  if (!check?.isAsked) return { kind: 'unasked' };
  const now = clock.now().getTime();
  if (check.last && check.proof === 'authorized') {
    const { state } = (await documents.get(check.last.id)) ?? {};
    const isLate = state === 'processing' && now - check.last.at.getTime() > decisionMs;
    if (state === 'authorized' || isLate) check.isVerified = true;
  }
  if (check.isVerified) return { kind: 'leaves' };
  const later: Permit = {
    kind: 'later',
    at: new Date(now + pauseMs),
    reason: 'the first document of its series is on its way',
  };
  const { lowestReady } = await sequences.frontier(document);
  const isLowest = lowestReady === null || Number(document.secuencial) <= lowestReady;
  if (!isLowest && now - check.since.getTime() < lowerFirstMs) return later;
  const alone = await sequences.leaveAlone(document, document, new Date(now - decisionMs));
  if (!alone.may) return later;
  check.last = alone.isLast ? { id: document.id, at: new Date(now) } : null;
  return { kind: 'leaves' };
}

/** The service took a document as new: where it left alone behind all others, no number was lost. */
export function takeProof({ seriesChecks }: Checks, document: Document): void {
  const check = seriesChecks.get(seriesSubject(document));
  if (check?.last?.id === document.id && check.proof === 'created') check.isVerified = true;
}

/**
 * Asks the service once for each series and process; all other documents of the series wait for it. A service that does
 * not answer holds nothing back.
 */
export async function askAboutSeries(
  deps: StepDeps,
  { document, key }: { document: Document; key: SendingKey },
): Promise<void> {
  const subject = seriesSubject(document);
  const check = deps.seriesChecks.get(subject) ?? beginCheck(deps, document, key);
  deps.seriesChecks.set(subject, check);
  await check.asked;
}

function beginCheck(deps: StepDeps, document: Document, key: SendingKey): SeriesCheck {
  const check: SeriesCheck = {
    since: deps.clock.now(),
    asked: Promise.resolve(),
    isAsked: false,
    proof: 'authorized',
    last: null,
    isVerified: false,
  };
  check.asked = askService(deps, document, key)
    .then((proof) => {
      check.proof = proof;
    })
    .finally(() => {
      check.isAsked = true;
    });
  return check;
}

async function askService(
  deps: StepDeps,
  document: Document,
  { account, keyHash }: SendingKey,
): Promise<SeriesCheck['proof']> {
  const { sequences, keyDigits } = deps.ledger;
  const calls = deps.service(account, null, keyHash);
  const look = openLook(deps, calls, { account: account.id, keyHash });
  const { lowestReady } = await sequences.frontier(document);
  const number = Math.min(lowestReady ?? Number.POSITIVE_INFINITY, Number(document.secuencial));
  // A person who raised the series after a restore left out what was lost: it begins behind the last number that is known.
  const last = await sequences.lastBefore(document, number);
  const digits = await keyDigits.constant(document);
  if (digits === null) {
    const began = await deps.ledger.stores.firstStart(document);
    const beganToday = began !== undefined && ecuadorDay(new Date(began)) === ecuadorDay(deps.clock.now());
    if (last === null && beganToday) return 'created';
    await meetDelivered(deps, document, calls, look);
    return 'authorized';
  }
  const numbers = new Set([number, ...(last ? [last.number + 1] : [])]);
  for (const issueDate of await daysSince(deps, document, number))
    for (const one of numbers) {
      const secuencial = String(one).padStart(9, '0');
      const seen = await look(accessKeyOf({ ...document, issueDate, secuencial }, digits));
      // What is authorised stops the series; what is not, or not answered, says nothing yet.
      if (seen !== 'not-there') return 'created';
    }
  // An answer may be another question's, or of another day: one document shows it first all the same.
  return 'created';
}
