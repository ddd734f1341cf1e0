import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../core/errors.ts';

/** Tasks that share one COMMIT: each is whole or leaves nothing, and each is answered once that COMMIT is on disk. */
export interface Group {
  /**
   * Queues a task. `whole`: it is a single statement, which SQLite undoes by itself when it fails. A task awaits
   * nothing but its own statements; all of them run one after another.
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
  error?: unknown;
  answer(): void;
  reject(error: unknown): void;
}

/** More would only make the first ones wait. */
const tasksAtOnce = 128;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * One connection, one transaction at a time: instead of a flush to disk for each task, whatever asks while one is
 * open joins it, behind a savepoint of its own. Steps that run side by side so share their flushes as the door's
 * webhooks do (measured, see bench/). While the disk flushes one transaction the next one gathers, and the event loop
 * goes on.
 * @param flush makes durable what was committed before its call.
 */
export function openGroup(db: DatabaseSync, flush: () => Promise<void>): Group {
  const savepoint = db.prepare('savepoint task');
  const release = db.prepare('release task');
  const undo = db.prepare('rollback to task');
  const changes = db.prepare('select total_changes() as n');
  const waiting: Waiting[] = [];
  /** Committed, but not known to be on disk. */
  let committed: Settled[] = [];
  let running: Promise<void> | null = null;
  let flushing: Promise<void> | null = null;
  let broken: LedgerError | null = null;
  /** Wakes the open transaction: somebody asks, or the disk has finished. */
  let wake = () => {};

  async function one({ task, whole, resolve, reject }: Waiting): Promise<Settled> {
    if (!whole) savepoint.run();
    try {
      const answer = await task();
      return { answer: () => resolve(answer), reject };
    } catch (error) {
      if (!whole && db.isTransaction) undo.run();
      return { error, answer: () => reject(error), reject };
    } finally {
      if (!whole && db.isTransaction) release.run();
    }
  }

  /** Answers are kept back until the COMMIT is on disk: until then nothing of it may be believed. */
  async function batch(): Promise<void> {
    const settled: Settled[] = [];
    const begun: Waiting[] = [];
    try {
      const before = changes.get()?.n;
      db.exec('begin');
      while (waiting.length > 0 && begun.length < tasksAtOnce) {
        const next = waiting.shift() as Waiting;
        begun.push(next);
        const ended = await one(next);
        // SQLite gave up the whole transaction (disk full, I/O): nothing of the others is there any more either.
        if (!db.isTransaction) throw ended.error ?? new Error('SQLite ended the transaction by itself.');
        settled.push(ended);
        while (waiting.length === 0 && flushing) await new Promise<void>((resolve) => (wake = resolve));
        // Whoever was about to ask gets to it before the flush.
        if (waiting.length === 0) await nextTurn();
      }
      db.exec('commit');
      const wrote = changes.get()?.n !== before;
      if (wrote || flushing) committed.push(...settled);
      else for (const { answer } of settled) answer();
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('rollback');
      // Where not even the first began (the ledger was closed) nobody else would fare better.
      for (const task of begun.length > 0 ? begun : waiting.splice(0)) task.reject(error);
      return;
    }
    if (committed.length > 0) flushing ??= flushAll();
  }

  async function flushAll(): Promise<void> {
    while (committed.length > 0) {
      const together = committed;
      committed = [];
      await flush().catch((cause) => {
        broken ??= notOnDisk(cause);
      });
      for (const { answer, reject } of together) broken ? reject(broken) : answer();
    }
    flushing = null;
    wake();
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      if (broken) for (const { reject } of waiting.splice(0)) reject(broken);
      else await batch();
    }
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
        wake();
        running ??= Promise.resolve().then(work);
      }),
    async idle() {
      while (running || flushing) await (running ?? flushing);
    },
  };
}

/** What the disk did not confirm may be there or not; only opening the ledger anew tells. */
function notOnDisk(cause: unknown): LedgerError {
  return new LedgerError(
    'ledger-flush',
    'El disco no confirmó lo escrito en el registro: revise el disco y su espacio libre, y reinicie facturapuente.',
    'The disk did not confirm a flush of the ledger; nothing more is written until a restart reads what is there. Check the disk.',
    { cause },
  );
}
