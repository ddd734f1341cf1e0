import type { Ledger } from '../ledger.ts';
import type { Claims } from './tables.ts';

type Task<T> = (work: Claims) => Promise<T>;

/**
 * What workers say of their work, all that comes while the last COMMIT is under way in one transaction: on a disk that
 * needs milliseconds to flush, claims and endings one by one would be all a process can do (measured, see bench/).
 */
export function claimsTogether(ledger: Pick<Ledger, 'transaction'>): Claims {
  const together = commitTogether(ledger);
  return {
    claim: (id, leaseMs, now) => together((work) => work.claim(id, leaseMs, now)),
    extend: (id, token, leaseMs, now) => together((work) => work.extend(id, token, leaseMs, now)),
    finish: (id, token, now) => together((work) => work.finish(id, token, now)),
    postpone: (id, token, later) => together((work) => work.postpone(id, token, later)),
  };
}

function commitTogether(ledger: Pick<Ledger, 'transaction'>): <T>(task: Task<T>) => Promise<T> {
  let waiting: { run: Task<() => void>; reject: (error: unknown) => void }[] = [];
  let committing = false;

  async function commit(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const answers = await ledger.transaction(async ({ work }) => {
          const answering: (() => void)[] = [];
          for (const { run } of batch) answering.push(await run(work));
          return answering;
        });
        for (const answer of answers) answer();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    committing = false;
  }

  return (task) =>
    new Promise((resolve, reject) => {
      const run = async (work: Claims) => {
        const answer = await task(work);
        return () => resolve(answer);
      };
      waiting.push({ run, reject });
      if (committing) return;
      committing = true;
      setImmediate(commit);
    });
}
