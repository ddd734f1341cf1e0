import { AsyncLocalStorage } from 'node:async_hooks';
import { LedgerError } from '../domain/errors.ts';
import type { Database, Dialect, Engine } from './schema.ts';

/** How the tables reach the database: directly, or inside an open transaction. */
export interface Access {
  readonly dialect: Dialect;
  /** For one statement, committed by itself unless a transaction is open. */
  db(): Database;
  /** Several statements that belong together: joins the open transaction or opens one. */
  atomic<T>(task: (access: Access) => Promise<T>): Promise<T>;
  /** The journey that is under way; null outside of all. */
  trace(): string | null;
  /** Work was asked for or came back; whoever listens hears of it after the COMMIT. */
  workChanged(): void;
  /** What holds once the COMMIT succeeded; at once outside of a transaction, after its statement. */
  afterCommit(effect: () => void): void;
}

/**
 * A transaction holds the only writing connection, and on SQLite the only one at all: a query beside it would
 * wait for a COMMIT that waits for the query. The mark turns that silence into an error.
 */
const open = new AsyncLocalStorage<{ open: boolean }>();

/** Throws LedgerError `inside-transaction` when called by the task of an open transaction. */
export function refuseInside(): void {
  if (open.getStore()?.open !== true) return;
  throw new LedgerError(
    'inside-transaction',
    'Error interno: una operación del registro quedó dentro de otra. Avise al soporte técnico.',
    'The ledger was used beside an open transaction; inside transaction(task) use only the tables given to the task.',
  );
}

const tries = 4;

/** `notify` is called after every commit that changed work; `trace` tells the journey under way. */
export function openAccess(
  engine: Engine,
  notify: () => void,
  trace: () => string | null = () => null,
): Access {
  async function once<T>(task: (access: Access) => Promise<T>): Promise<T> {
    let changed = false;
    let effects: (() => void)[] = [];
    const mark = { open: true };
    const answer = await open.run(mark, () =>
      engine
        .transaction((db) => {
          // Of an earlier run of the same task nothing stands.
          changed = false;
          effects = [];
          const inside: Access = {
            dialect: engine.dialect,
            trace,
            db: () => db,
            atomic: (nested) => nested(inside),
            workChanged: () => {
              changed = true;
            },
            afterCommit: (effect) => {
              effects.push(effect);
            },
          };
          return task(inside);
        })
        .finally(() => {
          mark.open = false;
        }),
    );
    for (const effect of effects) effect();
    if (changed) notify();
    return answer;
  }

  return {
    dialect: engine.dialect,
    trace,
    db() {
      refuseInside();
      return engine.others;
    },
    async atomic(task) {
      refuseInside();
      for (let n = 1; ; n += 1) {
        try {
          return await once(task);
        } catch (error) {
          if (n === tries || !engine.dialect.mayRunAgain(error)) throw error;
        }
      }
    },
    workChanged: notify,
    afterCommit: (effect) => effect(),
  };
}
