import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig, openClock } from '../src/config/load.ts';
import { openSecrets } from '../src/config/secret.ts';
import { silentLog } from '../src/domain/ports.ts';
import { openLedger } from '../src/ledger/open.ts';
import { type Audit, audit } from './audit.ts';
import { openMerchant } from './merchant.ts';
import type { Played } from './play.ts';
import type { Stage } from './stage.ts';

/** Hours of the clock without a change that end the wait: beyond every retry of a webhook and one reconciliation. */
const patienceHours = 6;
const hour = 3_600_000;
/** Real time without a change before the product is stopped: longer than a poll of its queue and the start of a job. */
const settledMs = 8_000;
/** The most stops of one wait. */
const longest = 30;

/**
 * Waits until nothing is left to do: no finding, no document without a final state, and, after a clean stop of the
 * processes, no job in the ledger due within an hour. Where only time is missing the product is stopped, the clock moves an
 * hour ahead, and the product starts again: six such hours without a change end the wait, and what is open is reported.
 * The processes stay stopped.
 */
export async function untilRest(
  stage: Stage,
  played: Played,
  report: (text: string) => void,
): Promise<Audit> {
  const merchant = openMerchant(stage);
  let reported = '';
  let hours = 0;
  for (let stops = 1; ; stops += 1) {
    const isQuiet = await untilQuiet();
    await Promise.all(stage.parts.map((part) => part.stop()));
    const left = await jobsWithin(stage, played, isQuiet ? hour : 0);
    if ((isQuiet && left.length === 0) || hours === patienceHours || stops === longest)
      return audit(stage, played);
    if (left.length > 0) report(`${left.length} jobs left: ${[...new Set(left)].join(', ')}`);
    await stage.restartAround(async () => {
      if (!isQuiet && left.length > 0) return;
      stage.skip(hour);
      hours += 1;
    });
  }

  /** Resolves when nothing is open (true), or nothing has changed for a while (false). */
  async function untilQuiet(): Promise<boolean> {
    for (let until = performance.now() + settledMs; performance.now() < until; await pause(500)) {
      const seen = await audit(stage, played);
      if (await merchant.answer(seen.alerts)) continue;
      const unreported = seen.forPerson.filter(({ reported }) => !reported).length;
      if (seen.findings.length + seen.underWay.length + unreported === 0) return true;
      const line = `${seen.findings.length} findings, ${seen.underWay.length} documents under way, ${unreported} of ${seen.forPerson.length} for a person unreported`;
      if (line === reported) continue;
      report(line);
      reported = line;
      until = performance.now() + settledMs;
      hours = 0;
    }
    return false;
  }
}

/**
 * The kinds of jobs about orders and documents that are due within a time of the clock, and of the orders that were not read
 * yet, whenever they are; the product is stopped.
 */
async function jobsWithin({ config: path, clock }: Stage, { sold }: Played, ms: number): Promise<string[]> {
  const config = await loadConfig({ path, cwd: process.cwd(), env: {} });
  const { cipher } = await openSecrets(config);
  const ledger = await openLedger(
    { ...config.ledger, encryptionKey: cipher },
    openClock(config.testClock),
    silentLog,
  );
  try {
    const until = new Date(clock.now().getTime() + ms);
    const jobs = await ledger.jobs.due(until, 100, 10_000);
    // Unreadable orders are retried without end.
    const endless = sold.filter(({ marks }) => marks.has('unreadable') || marks.has('hidden'));
    const stores = new Set(endless.map(({ storeId }) => storeId));
    const due = jobs.filter(
      ({ kind, storeId }) => kinds.has(kind) && !(kind === 'sync-order' && stores.has(storeId)),
    );
    const unread = (await ledger.failing.unreadOrders()).filter(({ storeId }) => !stores.has(storeId));
    return [...due.map(({ kind }) => kind), ...unread.map(() => 'sync-order')];
  } finally {
    await ledger.close();
  }
}

/** Without the reconciliations, which never end. */
const kinds = new Set(['sync-order', 'submit-document', 'settle-document', 'follow-up', 'write-back']);
