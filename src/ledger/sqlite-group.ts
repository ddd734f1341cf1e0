import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync } from 'node:sqlite';

/** Tasks that share one COMMIT: each is whole or leaves nothing, and each is answered after that COMMIT. */
export interface Group {
  /**
   * Queues a task. `whole`: it is a single statement, which SQLite undoes by itself when it fails. A task awaits
   * nothing but its own statements; all of them run one after another, and each may run again from its start.
   */
  run<T>(task: () => Promise<T> | T, options?: { whole: boolean }): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

interface Waiting {
  task(): Promise<unknown> | unknown;
  whole: boolean;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** How a task ended, and what tells whoever asked. */
interface Settled {
  failed: boolean;
  error?: unknown;
  answer(): void;
}

/** More would only make the first ones wait. */
const tasksAtOnce = 128;

/**
 * One connection, one transaction at a time: instead of a flush to disk for each task, whatever asks while one is
 * open joins it. Steps that run side by side so share their flushes as the door's webhooks do (measured, see bench/).
 * They run unguarded, since behind a savepoint SQLite copies every page a task touches. When one fails, which is rare,
 * all of it is taken back and its tasks run again, each behind a savepoint of its own.
 */
export function openGroup(db: DatabaseSync): Group {
  const savepoint = db.prepare('savepoint task');
  const release = db.prepare('release task');
  const undo = db.prepare('rollback to task');
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  async function one({ task, resolve, reject }: Waiting): Promise<Settled> {
    try {
      const answer = await task();
      return { failed: false, answer: () => resolve(answer) };
    } catch (error) {
      return { failed: true, error, answer: () => reject(error) };
    }
  }

  async function guarded(next: Waiting): Promise<Settled> {
    if (next.whole) return one(next);
    savepoint.run();
    const settled = await one(next);
    if (settled.failed && db.isTransaction) undo.run();
    if (db.isTransaction) release.run();
    return settled;
  }

  /**
   * Answers are kept back until the COMMIT: until then nothing of it may be believed.
   * @param how `guarded` keeps what fails to itself; else everything comes back that has to run again.
   */
  async function inOne(queue: Waiting[], how: 'unguarded' | 'guarded'): Promise<Waiting[]> {
    const answers: (() => void)[] = [];
    const begun: Waiting[] = [];
    try {
      db.exec('begin');
      while (queue.length > 0 && begun.length < tasksAtOnce) {
        const next = queue.shift() as Waiting;
        begun.push(next);
        const settled = await (how === 'guarded' ? guarded(next) : one(next));
        // SQLite gave up the whole transaction (disk full, I/O): nothing of the others is there any more either.
        if (!db.isTransaction) throw settled.error ?? new Error('SQLite ended the transaction by itself.');
        if (settled.failed && !next.whole && how === 'unguarded') {
          db.exec('rollback');
          return begun;
        }
        answers.push(settled.answer);
        // Whoever was about to ask gets to it before the flush.
        if (queue.length === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      db.exec('commit');
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('rollback');
      // Where not even the first began (the ledger was closed) nobody else would fare better.
      for (const task of begun.length > 0 ? begun : queue.splice(0)) task.reject(error);
      return [];
    }
    for (const answer of answers) answer();
    return [];
  }

  async function batch(): Promise<void> {
    const again = await inOne(waiting, 'unguarded');
    // What ends one of these COMMITs early takes only those with it that had begun.
    while (again.length > 0) await inOne(again, 'guarded');
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) await batch();
    running = null;
  }

  return {
    run: <T>(task: () => Promise<T> | T, { whole } = { whole: false }) =>
      new Promise<T>((resolve, reject) => {
        // A single statement runs nothing of its asker's.
        const inContext = whole ? null : AsyncLocalStorage.snapshot();
        waiting.push({
          task: inContext ? () => inContext(task) : task,
          whole,
          resolve: resolve as (answer: unknown) => void,
          reject,
        });
        running ??= Promise.resolve().then(work);
      }),
    async idle() {
      while (running) await running;
    },
  };
}
