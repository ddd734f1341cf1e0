import type { Document } from '../core/document.ts';
import { seriesSubject } from '../core/work.ts';
import type { Tables } from '../ledger/ledger.ts';
import { endAlert } from './alerts.ts';
import type { StepDeps } from './deps.ts';
import { replanHeld } from './replan.ts';
import { seriesAlert } from './series-stop.ts';

/**
 * A series that stopped for a number which proved to be ours flows again, where no other number of it is somebody
 * else's: its alert is over, and the sales that wait for a number are planned anew. Inside the transaction that learns
 * of it. Any other stop stays for the person who was told.
 */
export async function flowAgain(
  deps: Pick<StepDeps, 'channels' | 'log'>,
  tables: Tables,
  series: Document,
  now: Date,
): Promise<void> {
  const secuencial = (await tables.sequences.stopped(series))?.secuencial ?? null;
  if (secuencial === null) return;
  const named = await tables.documents.byNumber(series, secuencial);
  if (named?.state !== 'authorized' || (await tables.sequences.foreign(series)).length > 0) return;
  if (!(await tables.sequences.resume(series, secuencial))) return;
  await endAlert(deps, tables, seriesAlert(series), now);
  await replanHeld(
    tables,
    now,
    (held) => held.code === 'series-stopped' && seriesSubject(held) === seriesSubject(series),
  );
  deps.log.warn({ store: series.storeId }, 'The number a series stopped for is ours; it flows again');
}
