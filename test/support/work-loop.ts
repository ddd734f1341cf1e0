import type { Clock } from '../../src/domain/clock.ts';
import type { ClaimedWork, Step, WorkKind } from '../../src/domain/work.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

export const leaseMs = 60_000;

/** A dispatcher and a worker without haste: whatever is due now, one step after another. */
export interface WorkLoop {
  /** Runs everything due at this moment, again and again, until nothing is. Answers what ran. */
  run(): Promise<WorkKind[]>;
}

/** @param isDead asked after every step: a dead process settles nothing any more. */
export function openWorkLoop(parts: {
  ledger: Pick<Ledger, 'work'>;
  steps: Readonly<Record<WorkKind, Step>>;
  clock: Clock;
  isDead?: () => boolean;
  onClaim?: (work: ClaimedWork) => void;
}): WorkLoop {
  const { ledger, steps, clock, isDead = () => false, onClaim = () => {} } = parts;

  async function runOne(id: string): Promise<WorkKind | undefined> {
    if ((await ledger.work.release([id], clock.now())).length === 0) return undefined;
    const work = await ledger.work.claim(id, leaseMs, clock.now());
    if (!work) return undefined;
    onClaim(work);
    const outcome = await steps[work.kind](work).catch((error: Error) => error);
    if (isDead()) throw outcome instanceof Error ? outcome : new Error('The process died.');
    const { id: of, token } = work;
    if (outcome instanceof Error) {
      const dueAt = new Date(clock.now().getTime() + 1_000);
      await ledger.work.postpone(of, token, {
        dueAt,
        failedAt: clock.now(),
        reason: outcome.message,
      });
    } else if (outcome.kind === 'done') await ledger.work.finish(of, token, clock.now());
    else if (outcome.kind !== 'finished') {
      const { dueAt, reason } = outcome;
      const putBack = outcome.kind === 'put-back';
      await ledger.work.postpone(of, token, { dueAt, putBack, failedAt: null, reason });
    }
    return work.kind;
  }

  return {
    async run() {
      const ran: WorkKind[] = [];
      for (let turn = 0; turn < 50; turn += 1) {
        const due = await ledger.work.due(clock.now(), 10, 100);
        if (due.length === 0) return ran;
        for (const work of due) {
          const kind = await runOne(work.id);
          if (kind) ran.push(kind);
        }
      }
      throw new Error(`The work never came to rest: ${ran.join(', ')}`);
    },
  };
}
