import { z } from 'zod';
import type { Day } from '../../domain/clock.ts';
import { documentNumber, type Series, secuencialOf, statesUnderWay } from '../../domain/document.ts';
import {
  done,
  type JobHandler,
  type JobOutcome,
  readSeriesSubject,
  seriesSubject,
} from '../../domain/job.ts';
import type { UnknownDocument } from '../../ledger/schema.ts';
import type { SeriesStop } from '../../ledger/series.ts';
import { numberUnexplained } from '../../messages/document-reasons.ts';
import { accessKeyOf, freeDigitsOf } from '../../service/event.ts';
import { beginAlert, endAlert, seriesAlert, takenAlert } from '../alerts.ts';
import { again, type JobDeps } from '../deps.ts';
import { replanHeld } from '../enqueue.ts';
import { digitsToAsk } from '../load-state.ts';
import { learnFound } from '../run-protocol.ts';
import {
  checkDelivered,
  day,
  daysSince,
  isOf,
  type Look,
  mostDays,
  openLook,
  placeOf,
  suspectReason,
  unsureReason,
} from './lost-documents.ts';

/** After so many numbers in a row that the service does not know there are no more. */
const enough = 20;

/** How long a suspect number may take before the service is asked again what the ledger lost. */
const suspectMs = 15 * 60_000;

const unreadMs = 2 * 60_000;
const unread = 'the service does not state yet all that the ledger lost';

const asked = z.object({ account: z.string(), keyHash: z.string() });

/** Asks about the foreseen keys of the next numbers; where they vary a person gives the next number. */
export function catchUp(deps: JobDeps): JobHandler {
  return async (job) => {
    const series = readSeriesSubject(job.subject);
    const { account: id, keyHash } = asked.parse(job.payload);
    const account = deps.accounts.get(id);
    const key = account?.keys.find((one) => one.keyHash === keyHash) ?? account?.keys[0];
    if (!account || !key) return done;
    const under = { account: id, keyHash: key.keyHash };
    const look = openLook(deps, deps.service(account, job, key.keyHash), under, learnFound(deps));
    if (!(await checkDelivered(deps, series, deps.service(account, null, key.keyHash), look)))
      return again(deps.clock, unreadMs, unread);
    const digits = await digitsOf(deps, series, id);
    if (digits === null) return conclude(deps, series, 'unsure');
    if (!(await walk(deps, series, digits, look))) return again(deps.clock, unreadMs, unread);
    return conclude(deps, series, 'whole');
  };
}

/** Starts at the first number without a document. False where the service did not answer to the end. */
async function walk(deps: JobDeps, series: Series, digits: string, look: Look): Promise<boolean> {
  const { sequences } = deps.ledger;
  const { next, lowestOpen } = await sequences.frontier(series);
  const unknown = (await lostDocuments(deps, series)).map(numberOf);
  const seen = Math.min(...[next, lowestOpen, ...unknown].filter((one) => one !== null));
  if (!Number.isFinite(seen)) return true;
  const first = ((await sequences.lastBefore(series, seen))?.number ?? seen - 1) + 1;
  const days = await daysSince(deps, series, first);
  const last = await lastFrom(deps, series, { first, days, digits }, look);
  const beyond =
    last !== null && next !== null && last + enough < next
      ? await lastFrom(deps, series, { first: next, days, digits }, look)
      : last;
  if (last === null || beyond === null) return false;
  const end = Math.max(last, beyond);
  if (end > 0) await sequences.skipPast(series, secuencialOf(end));
  return true;
}

/** The last used number before enough unused ones; 0 where the first is unused, null where the service does not answer. */
async function lastFrom(
  { ledger }: Pick<JobDeps, 'ledger'>,
  series: Series,
  { first, days, digits }: { first: number; days: readonly Day[]; digits: string },
  look: Look,
): Promise<number | null> {
  let last = 0;
  for (let number = first, missing = 0; missing < enough; number += 1) {
    const secuencial = secuencialOf(number);
    const known = await ledger.documents.byNumber(series, secuencial);
    let isUsed = known?.state === 'authorized';
    for (const issueDate of isUsed ? [] : days) {
      const seen = await look(accessKeyOf({ ...series, issueDate, secuencial }, digits));
      if (seen === 'silent') return null;
      isUsed ||= seen !== 'not-there';
      if (seen === 'there') break;
    }
    missing = isUsed ? 0 : missing + 1;
    if (isUsed) last = number;
  }
  return last;
}

const numberOf = ({ accessKey }: UnknownDocument): number => Number(placeOf(accessKey).secuencial);

async function lostDocuments(
  { ledger, clock }: Pick<JobDeps, 'ledger' | 'clock'>,
  series: Series,
): Promise<UnknownDocument[]> {
  const since = new Date(clock.now().getTime() - mostDays * day);
  return (await ledger.unknownDocuments.since(since)).filter(({ accessKey }) => isOf(series, accessKey));
}

/** The free digits of its keys: of the lost documents and of the last known key; null where they vary or none is known. */
async function digitsOf(
  deps: Pick<JobDeps, 'clock' | 'ledger'>,
  series: Series,
  account: string,
): Promise<string | null> {
  const found = await lostDocuments(deps, series);
  const digits = new Set(found.map(({ accessKey }) => freeDigitsOf(accessKey)));
  const lastKey = await deps.ledger.sequences.lastKey(series);
  const known = await digitsToAsk(deps.ledger, { ...series, account }, lastKey);
  if (known !== null) digits.add(known);
  return digits.size === 1 ? ([...digits][0] ?? null) : null;
}

async function isBehind(deps: Pick<JobDeps, 'ledger' | 'clock'>, series: Series): Promise<boolean> {
  const { next, lowestOpen } = await deps.ledger.sequences.frontier(series);
  const last = Math.max(0, ...(await lostDocuments(deps, series)).map(numberOf));
  return next !== null && next > last + 1 && (lowestOpen ?? next) > last;
}

async function isExplained(
  deps: Pick<JobDeps, 'ledger' | 'clock'>,
  series: Series,
  { secuencial }: SeriesStop,
): Promise<boolean> {
  const { documents, sequences } = deps.ledger;
  const found = (await lostDocuments(deps, series)).map(({ accessKey }) => placeOf(accessKey).secuencial);
  const conflicts = await Promise.all(
    (await sequences.numberConflicts(series)).map((id) => documents.get(id)),
  );
  const numbers = new Set([secuencial, ...conflicts.map((one) => one?.secuencial ?? null)]);
  for (const number of numbers) {
    if (number === null || found.includes(number)) continue;
    if ((await documents.byNumber(series, number))?.state !== 'authorized') return false;
  }
  return true;
}

async function conclude(deps: JobDeps, series: Series, as: 'whole' | 'unsure'): Promise<JobOutcome> {
  const now = deps.clock.now();
  const stop = await deps.ledger.sequences.stopped(series);
  if (!stop) return done;
  if (stop.secuencial !== null && !(await isExplained(deps, series, stop))) {
    if (stop.reason !== suspectReason) return done;
    const { secuencial } = stop;
    const suspect = await deps.ledger.documents.byNumber(series, secuencial);
    if (suspect && statesUnderWay.includes(suspect.state))
      return again(deps.clock, suspectMs, 'the document has no final state yet');
    const taken = { reason: numberUnexplained(documentNumber({ ...series, secuencial }) ?? ''), secuencial };
    await deps.ledger.transaction(async (tables) => {
      if (!(await tables.sequences.restart(series, suspectReason))) return;
      await tables.sequences.stop(series, taken, now);
      await beginAlert(deps, tables, takenAlert(series, taken), now);
    });
    return done;
  }
  const isOver = as === 'whole' || (await isBehind(deps, series));
  await deps.ledger.transaction(async (tables) => {
    if (!(await tables.sequences.restart(series, stop.reason))) return;
    if (!isOver) {
      await tables.sequences.stop(series, { reason: unsureReason, secuencial: null }, now);
      await beginAlert(deps, tables, takenAlert(series, { reason: unsureReason, secuencial: null }), now);
      return;
    }
    // Digits that were seen once may vary: the series is checked again.
    deps.seriesChecks.delete(seriesSubject(series));
    await endAlert(deps, tables, seriesAlert(series), now);
    await replanHeld(tables, now, (held) => held.code === 'series-stopped');
  });
  return done;
}
