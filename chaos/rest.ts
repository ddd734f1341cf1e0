import { setTimeout as pause } from 'node:timers/promises';
import { openClock } from '../src/config/clock.ts';
import { loadConfig } from '../src/config/load.ts';
import { openSecrets } from '../src/config/secret.ts';
import { silentLog } from '../src/domain/log.ts';
import { openLedger } from '../src/ledger/open.ts';
import type { DueWork } from '../src/ledger/work/tables.ts';
import { type Audit, audit } from './audit.ts';
import { openMerchant } from './merchant.ts';
import type { Played } from './play.ts';
import type { Stage } from './stage.ts';

/** Clock time without any change that ends the wait: beyond every retry of a webhook and one look of the sweep. */
const patienceHours = 6;
/** And at least so long in real time, however fast the clock runs; a busy machine needs it. */
const leastSeconds = 60;
/** Changes may not go on for ever either. */
const longest = 5;

/**
 * Waits until nothing is left to do: no finding, no document under way, and, once the processes were stopped in
 * order, no work in the ledger that is due within the hour. What is still open after six hours of the clock without
 * a change is reported. The processes are left stopped.
 */
export async function untilRest(stage: Stage, played: Played, tell: (text: string) => void): Promise<Audit> {
  const patience = Math.max(leastSeconds * 1000, (patienceHours * 3_600_000) / stage.options.rate);
  const end = performance.now() + longest * patience;
  let until = performance.now() + patience;
  let told = '';
  const merchant = openMerchant(stage);
  for (;;) {
    const seen = await audit(stage, played);
    await merchant.answer(seen.alerts);
    const untold = seen.asks.filter(({ told }) => !told).length;
    const open = seen.findings.length + seen.underWay.length + untold;
    const line = `${seen.findings.length} findings, ${seen.underWay.length} documents under way, ${untold} of ${seen.asks.length} for a person untold`;
    if (line !== told) {
      tell(line);
      until = Math.min(performance.now() + patience, end);
    }
    told = line;
    const over = performance.now() > until;
    if (open === 0 || over) {
      await Promise.all(stage.parts.map((part) => part.stop()));
      const left = await workLeft(stage, played);
      if (left.length === 0 || over) return audit(stage, played);
      tell(`${left.length} works left: ${[...new Set(left.map(({ kind }) => kind))].join(', ')}`);
      for (const part of stage.parts) part.start();
      await Promise.all(stage.parts.map((part) => part.ready()));
    }
    await pause(500);
  }
}

/** Work about orders and documents that would still run within an hour of the clock. */
async function workLeft({ config: path, clock }: Stage, { sold }: Played): Promise<DueWork[]> {
  const config = await loadConfig({ path, cwd: process.cwd(), env: {} });
  const { seal } = await openSecrets(config);
  const ledger = await openLedger(
    { ...config.ledger, sealKey: seal },
    openClock(config.testClock),
    silentLog,
  );
  try {
    const soon = new Date(clock.now().getTime() + 3_600_000);
    const work = await ledger.work.due(soon, 100, 10_000);
    // What cannot be read is tried for ever.
    const unreadable = new Set(
      sold.flatMap(({ marks, storeId }) => (marks.has('unreadable') ? [storeId] : [])),
    );
    return work.filter(
      ({ kind, storeId }) => kinds.has(kind) && !(kind === 'sync-order' && unreadable.has(storeId)),
    );
  } finally {
    await ledger.close();
  }
}

/** Not the sweep's, which is never over. */
const kinds = new Set(['sync-order', 'submit-document', 'settle-document', 'follow-up', 'write-back']);
