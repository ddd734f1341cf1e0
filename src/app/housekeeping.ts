import { ecuadorDay } from '../domain/calendar.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { forgetOld, type Kept } from '../jobs/forget-old.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { idleMs, wholeMs } from '../web/panel/sessions.ts';
import { failedSignIns } from '../web/sign-in.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Alerts that are over. */
const keepAlertsMs = 30 * dayMs;
/** As long as anybody asks who did what. */
const keepDeedsMs = 2 * 365 * dayMs;
/** Only the counts of today decide anything. */
const keepLookUpsMs = 7 * dayMs;
/** As long as a failed sign-in may say something of the next one. */
const keepFailedSignInsMs = 90 * dayMs;
/** As far as the panel's charts go back. */
const chartsMs = 90 * 24 * 60 * 60 * 1000;

export interface Housekeeping {
  ledger: Ledger;
  clock: Clock;
  log: Log;
  /** What the files of documents may take. */
  keepBytes: number;
  /** How long buyers’ data stay. */
  retention: Kept & { deliveriesDays: number };
}

/**
 * Deletes what nobody needs any more: the raw webhooks, which hold buyers' data, and the oldest files where they take
 * too much; tallies the days that are over.
 */
export async function prune(of: Housekeeping): Promise<void> {
  const { ledger, clock, log, keepBytes, retention } = of;
  await pruneDeliveries(of);
  await forgetOld({ ledger, clock, log }, retention);
  const files = await ledger.files.prune(keepBytes);
  if (files > 0) log.info({ files }, 'The oldest files of documents were deleted to make room');
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  await ledger.alerts.prune(before(keepAlertsMs));
  await ledger.sessions.prune({ seen: before(idleMs), began: before(wholeMs) });
  await ledger.deeds.prune(before(keepDeedsMs));
  await ledger.lookUps.prune(ecuadorDay(before(keepLookUpsMs)));
  await ledger.deeds.prune(before(keepFailedSignInsMs), failedSignIns);
  // So that nobody who opens the panel's charts waits for days to be tallied.
  await ledger.dayTallies.since(ecuadorDay(before(chartsMs)), clock.now());
}

async function pruneDeliveries({ ledger, clock, log, retention }: Housekeeping): Promise<void> {
  const before = new Date(clock.now().getTime() - retention.deliveriesDays * dayMs);
  const deleted = await ledger.deliveries.prune(before);
  if (deleted > 0) log.info({ deleted }, 'Old deliveries were deleted');
}
