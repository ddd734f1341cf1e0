import type { Ledger } from '../ledger/ledger.ts';
import type { WorkTable } from '../ledger/work-tables.ts';

type Task<T> = (work: WorkTable) => Promise<T>;

/**
 * Answers a function that runs small writes on the work table, all that come while the last COMMIT is under
 * way in one transaction: on a disk that needs milliseconds to flush, claims and endings one by one would be
 * all a process can do (measured, see bench/).
 */
export function commitTogether(ledger: Pick<Ledger, 'transaction'>): <T>(task: Task<T>) => Promise<T> {
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
      const run = async (work: WorkTable) => {
        const answer = await task(work);
        return () => resolve(answer);
      };
      waiting.push({ run, reject });
      if (committing) return;
      committing = true;
      setImmediate(commit);
    });
}
