import { ecuadorDay } from '../../domain/clock.ts';
import { type Document, type Series, secuencialOf } from '../../domain/document.ts';
import { seriesSubject } from '../../domain/job.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { EventOf } from '../../protocol/events.ts';
import { accessKeyOf } from '../../service/event.ts';
import type { JobDeps, SendingKey, SeriesCheck } from '../deps.ts';
import { checkDelivered, daysSince, type LearnFound, openLook } from './lost-documents.ts';

/*
 * Before a process sends its first document of a series it asks the service for numbers that the ledger does not know: a
 * ledger that was restored while the process was down shows to be older before anything leaves. If access keys can be
 * foreseen it asks about the next numbers; it also reads the service's last webhook deliveries. Then one document leaves at a
 * time, the lowest number first, until one is accepted whose number is the highest: a number that is registered already stops
 * the series before an order that lost its factura gets another one.
 */

type Checks = Pick<JobDeps, 'seriesChecks'>;

/** The wait of a document while another of its series leaves alone. */
const pauseMs = 500;
/** How long a higher number waits for a lower one that is ready, which may itself wait for something else. */
const lowerFirstMs = 10_000;
/** So many numbers are asked about: the first ones may have been reserved and not sent when the ledger was lost. */
const numbersAhead = 4;
/** How long the others wait for the authority's decision on the one that left alone; longer than its first follow-up. */
const decisionMs = 5 * 60_000;

/** Whether the documents of a series may leave side by side, as far as this process has checked. */
export const isVerified = ({ seriesChecks }: Checks, series: Series): boolean =>
  seriesChecks.get(seriesSubject(series))?.isVerified === true;

/** Whether a document that never left may leave now, inside the transaction that sends it. */
export async function mayLeave(
  { seriesChecks, clock }: Checks & Pick<JobDeps, 'clock'>,
  { sequences, documents }: Pick<Tables, 'sequences' | 'documents'>,
  document: Document,
): Promise<EventOf<'permitted'>['permit']> {
  const check = seriesChecks.get(seriesSubject(document));
  if (!check?.isAsked) return { kind: 'unasked' };
  const now = clock.now().getTime();
  if (check.last && check.proof === 'authorized') {
    const { state } = (await documents.get(check.last.id)) ?? {};
    const isLate = state === 'processing' && now - check.last.at.getTime() > decisionMs;
    if (state === 'authorized' || isLate) check.isVerified = true;
  }
  if (check.isVerified) return { kind: 'leaves' };
  const later = { kind: 'later', until: now + pauseMs } as const;
  const { lowestReady } = await sequences.frontier(document);
  const isLowest = lowestReady === null || Number(document.secuencial) <= lowestReady;
  if (!isLowest && now - check.since.getTime() < lowerFirstMs) return later;
  const alone = await sequences.sendAlone(document, document, new Date(now - decisionMs));
  if (!alone.may) return later;
  check.last = alone.isLast ? { id: document.id, at: new Date(now) } : null;
  return { kind: 'leaves' };
}

/** The service accepted a document as new: where it left alone with the highest number, the ledger lost no number. */
export function numberIsNew({ seriesChecks }: Checks, document: Document): void {
  const check = seriesChecks.get(seriesSubject(document));
  if (check?.last?.id === document.id && check.proof === 'created') check.isVerified = true;
}

/** Asks once for each series and process. All other documents of the series wait; a service that is down blocks nothing. */
export async function askAboutSeries(
  deps: JobDeps,
  { document, key }: { document: Document; key: SendingKey },
  learn: LearnFound,
): Promise<void> {
  const subject = seriesSubject(document);
  const check = deps.seriesChecks.get(subject) ?? beginCheck(deps, document, key, learn);
  deps.seriesChecks.set(subject, check);
  await check.asked;
}

function beginCheck(deps: JobDeps, document: Document, key: SendingKey, learn: LearnFound): SeriesCheck {
  const check: SeriesCheck = {
    since: deps.clock.now(),
    asked: Promise.resolve(),
    isAsked: false,
    proof: 'authorized',
    last: null,
    isVerified: false,
  };
  check.asked = askService(deps, document, key, learn)
    .then((proof) => {
      check.proof = proof;
    })
    .finally(() => {
      check.isAsked = true;
    });
  return check;
}

async function askService(
  deps: JobDeps,
  document: Document,
  { account, keyHash }: SendingKey,
  learn: LearnFound,
): Promise<SeriesCheck['proof']> {
  const { sequences, keyDigits } = deps.ledger;
  const calls = deps.service(account, null, keyHash);
  const look = openLook(deps, calls, { account: account.id, keyHash }, learn);
  const { lowestReady } = await sequences.frontier(document);
  const number = Math.min(lowestReady ?? Number.POSITIVE_INFINITY, Number(document.secuencial));
  // A person may have raised the series after a restore: the numbers behind the last one the ledger knows are missing.
  const last = await sequences.lastBefore(document, number);
  const digits = await keyDigits.constant(document);
  if (digits === null) {
    // On the first day of a store there is nothing to lose.
    const began = await deps.ledger.stores.firstStart(document);
    const beganToday = began !== undefined && ecuadorDay(new Date(began)) === ecuadorDay(deps.clock.now());
    if (last === null && beganToday) return 'created';
    await checkDelivered(deps, document, calls, look);
    return 'authorized';
  }
  const next = Array.from({ length: numbersAhead }, (_one, n) => number + n);
  const numbers = new Set([...next, ...(last ? [last.number + 1] : [])]);
  for (const issueDate of await daysSince(deps, document, number))
    for (const one of numbers) {
      const secuencial = secuencialOf(one);
      // A document that is authorised has stopped the series; any other answer says nothing yet.
      if ((await look(accessKeyOf({ ...document, issueDate, secuencial }, digits))) !== 'not-there')
        return 'created';
    }
  // Numbers further ahead, where those before them were reserved and had not left.
  await checkDelivered(deps, document, calls, look);
  return 'created';
}
