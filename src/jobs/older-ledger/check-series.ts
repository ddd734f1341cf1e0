import { ecuadorDay } from '../../domain/clock.ts';
import { type Document, secuencialOf } from '../../domain/document.ts';
import { seriesSubject } from '../../domain/job.ts';
import { accessKeyOf } from '../../service/event.ts';
import type { JobDeps, SendingKey, SeriesCheck } from '../deps.ts';
import { checkDelivered, daysSince, type LearnFound, openLook } from './lost-documents.ts';

/** So many numbers are asked about: the first ones may have been reserved and not sent when the ledger was lost. */
const numbersAhead = 4;

/** Before a process sends its first document of a series. A service that does not answer blocks nothing. */
export async function checkSeries(
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
    sentAlone: null,
    isVerified: false,
  };
  check.asked = askService(deps, document, key, learn)
    .then((isWhole) => {
      if (isWhole) check.proof = 'created';
    })
    .finally(() => {
      check.isAsked = true;
    });
  return check;
}

/** True where the service knows none of the keys that the next numbers may have: a new key proves that none was lost. */
async function askService(
  deps: JobDeps,
  document: Document,
  { account, keyHash }: SendingKey,
  learn: LearnFound,
): Promise<boolean> {
  const { sequences, keyDigits, documents } = deps.ledger;
  const calls = deps.service(account, null, keyHash);
  const look = openLook(deps, calls, { account: account.id, keyHash }, learn);
  const { lowestReady, next } = await sequences.frontier(document);
  const number = Math.min(lowestReady ?? Number.POSITIVE_INFINITY, Number(document.secuencial));
  // A person may have raised the series after a restore: the numbers behind the last one the ledger knows are missing.
  const last = await sequences.lastBefore(document, number);
  const digits = await keyDigits.constant(document);
  if (digits === null) {
    const began = await deps.ledger.stores.firstStart(document);
    const beganToday = began !== undefined && ecuadorDay(new Date(began)) === ecuadorDay(deps.clock.now());
    if (last === null && beganToday) return true;
    await checkDelivered(deps, document, calls, look);
    return false;
  }
  const ahead = [number, next ?? number].flatMap((first) =>
    Array.from({ length: numbersAhead }, (_one, n) => first + n),
  );
  const numbers = new Set([...ahead, ...(last ? [last.number + 1] : [])]);
  const days = await daysSince(deps, document, number);
  for (const one of numbers) {
    const secuencial = secuencialOf(one);
    const known = await documents.byNumber(document, secuencial);
    if (known && !mayBeOfAnother.has(known.state)) continue;
    for (const issueDate of days) {
      const seen = await look(accessKeyOf({ ...document, issueDate, secuencial }, digits));
      if (seen === 'there' || seen === 'silent') return false;
    }
  }
  return checkDelivered(deps, document, calls, look);
}

/** The service may have another document under the number of one that was not sent, or was refused. */
const mayBeOfAnother = new Set<Document['state']>(['held', 'ready', 'rejected', 'manual']);
