import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig, openClock } from '../src/config/load.ts';
import { openSecrets } from '../src/config/secret.ts';
import { silentLog } from '../src/domain/ports.ts';
import type { DueJob } from '../src/ledger/jobs/tables.ts';
import { openLedger } from '../src/ledger/open.ts';
import { type Audit, audit } from './audit.ts';
import { openMerchant } from './merchant.ts';
import type { Played } from './play.ts';
import type { Stage } from './stage.ts';

/** Clock time without any change that ends the wait: beyond every retry of a webhook and one look of the reconciliation. */
const patienceHours = 6;
/** The minimum wait in real time, for a busy machine. */
const leastSeconds = 60;
/** The maximum wait. */
const longest = 5;

/**
 * Waits until nothing is left to do: no finding, no document without a final state, and, after a clean stop of the
 * processes, no job in the ledger due within an hour. What is still open after six hours of the clock without a change is
 * reported. The processes stay stopped.
 */
export async function untilRest(
  stage: Stage,
  played: Played,
  report: (text: string) => void,
): Promise<Audit> {
  const patience = Math.max(leastSeconds * 1000, (patienceHours * 3_600_000) / stage.options.rate);
  const end = performance.now() + longest * patience;
  let until = performance.now() + patience;
  let reported = '';
  const merchant = openMerchant(stage);
  for (;;) {
    const seen = await audit(stage, played);
    await merchant.answer(seen.alerts);
    const unreported = seen.forPerson.filter(({ reported }) => !reported).length;
    const open = seen.findings.length + seen.underWay.length + unreported;
    const line = `${seen.findings.length} findings, ${seen.underWay.length} documents under way, ${unreported} of ${seen.forPerson.length} for a person unreported`;
    if (line !== reported) {
      report(line);
      until = Math.min(performance.now() + patience, end);
    }
    reported = line;
    const over = performance.now() > until;
    if (open === 0 || over) {
      await Promise.all(stage.parts.map((part) => part.stop()));
      const left = await jobLeft(stage, played);
      if (left.length === 0 || over) return audit(stage, played);
      report(`${left.length} works left: ${[...new Set(left.map(({ kind }) => kind))].join(', ')}`);
      for (const part of stage.parts) part.start();
      await Promise.all(stage.parts.map((part) => part.ready()));
    }
    await pause(500);
  }
}

/** Jobs about orders and documents that are due within an hour of the clock. */
async function jobLeft({ config: path, clock }: Stage, { sold }: Played): Promise<DueJob[]> {
  const config = await loadConfig({ path, cwd: process.cwd(), env: {} });
  const { cipher } = await openSecrets(config);
  const ledger = await openLedger(
    { ...config.ledger, encryptionKey: cipher },
    openClock(config.testClock),
    silentLog,
  );
  try {
    const soon = new Date(clock.now().getTime() + 3_600_000);
    const job = await ledger.jobs.due(soon, 100, 10_000);
    // Unreadable orders are retried without end.
    const unreadable = new Set(
      sold.flatMap(({ marks, storeId }) => (marks.has('unreadable') ? [storeId] : [])),
    );
    return job.filter(
      ({ kind, storeId }) => kinds.has(kind) && !(kind === 'sync-order' && unreadable.has(storeId)),
    );
  } finally {
    await ledger.close();
  }
}

/** Without the reconciliations, which never end. */
const kinds = new Set(['sync-order', 'submit-document', 'settle-document', 'follow-up', 'write-back']);
