import type { Clock } from '../../src/domain/clock.ts';
import type { ClaimedJob, JobHandler, JobKind } from '../../src/domain/job.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { reasonOf } from '../../src/queue/worker.ts';

export const leaseMs = 60_000;

/** A dispatcher and a worker without haste: whatever is due now, one step after another. */
export interface JobLoop {
  /** Runs everything due at this moment, again and again, until nothing is. Answers what ran. */
  run(): Promise<JobKind[]>;
}

/** @param isDead asked after every step: a dead process settles nothing any more. */
export function openJobLoop(parts: {
  ledger: Pick<Ledger, 'jobs'>;
  runJob: JobHandler;
  clock: Clock;
  isDead?: () => boolean;
  onClaim?: (job: ClaimedJob) => void;
}): JobLoop {
  const { ledger, runJob, clock, isDead = () => false, onClaim = () => {} } = parts;

  async function runOne(id: string): Promise<JobKind | undefined> {
    if ((await ledger.jobs.release([id], clock.now())).length === 0) return undefined;
    const job = await ledger.jobs.claim(id, leaseMs, clock.now());
    if (!job) return undefined;
    onClaim(job);
    const outcome = await runJob(job).catch((error: Error) => error);
    if (isDead()) throw outcome instanceof Error ? outcome : new Error('The process died.');
    const { id: of, token } = job;
    if (outcome instanceof Error) {
      const dueAt = new Date(clock.now().getTime() + 1_000);
      await ledger.jobs.postpone(of, token, {
        dueAt,
        failedAt: clock.now(),
        reason: reasonOf(outcome),
      });
    } else if (outcome.kind === 'done') await ledger.jobs.finish(of, token);
    else if (outcome.kind !== 'finished') {
      const { dueAt, reason } = outcome;
      const putBack = outcome.kind === 'put-back';
      await ledger.jobs.postpone(of, token, { dueAt, putBack, failedAt: null, reason });
    }
    return job.kind;
  }

  return {
    async run() {
      const ran: JobKind[] = [];
      for (let turn = 0; turn < 50; turn += 1) {
        const due = await ledger.jobs.due(clock.now(), 10, 100);
        if (due.length === 0) return ran;
        for (const job of due) {
          const kind = await runOne(job.id);
          if (kind) ran.push(kind);
        }
      }
      throw new Error(`The work never came to rest: ${ran.join(', ')}`);
    },
  };
}
