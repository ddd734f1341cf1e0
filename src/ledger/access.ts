import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type DeleteResult,
  type InsertResult,
  type Kysely,
  type RawBuilder,
  sql,
  type UpdateResult,
} from 'kysely';
import { LedgerError } from '../domain/errors.ts';
import type { Scope } from '../domain/settings.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** What differs between the two engines. */
export interface Dialect {
  /** Column types of the migrations. */
  types: { text: string; bytes: string; real: string; identity: string; table: string };
  /** Ends a select inside a transaction: nobody else may change or lock its rows until COMMIT. */
  lockRows: RawBuilder<unknown>;
  /** How many transactions of the endpoint may run at once: a second one hides the round trip to the server. */
  batchesAtOnce: number;
  /** Runs first in the migrating transaction: lets one process migrate while the others wait. */
  beforeMigrating: RawBuilder<unknown>[];
  /** Inside a transaction: takes new space on the disk and gives it back; empty where each COMMIT takes some anyway. */
  takeSpace: RawBuilder<unknown>[];
  /** Joins, to each row of the outer table, the rows of `inner`, a select on `jobs` that ends in a limit per outer row. */
  joinEach(inner: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The part of a text before its first '/', or between that and the second. */
  part(text: RawBuilder<unknown>, n: 1 | 2): RawBuilder<string>;
  /** The database broke a deadlock or asked to repeat: the same statements may run again. */
  mayRunAgain(error: unknown): boolean;
  /** The database refused the contents of one row; the other rows may be fine. */
  blamesRow(error: unknown): boolean;
  /** The database could not write: no space, a failing disk, or it only lets read. */
  isUnwritable(error: unknown): boolean;
}

/** An open database. */
export interface Engine {
  name: 'sqlite' | 'postgresql';
  dialect: Dialect;
  /** Runs `task` in a transaction; resolves after its COMMIT, which SQLite shares with what was queued meanwhile. */
  transaction<T>(task: (db: Database) => Promise<T>): Promise<T>;
  /** The few writing connections, on SQLite the one connection: for migrating and moving, before others use it. */
  writer: Database;
  /** For single statements, each committed by itself. */
  others: Database;
  close(): Promise<void>;
}

/* The conditions of a scope. `||` keeps the engines from using an index for them instead of the query's own. */

/** Neither engine's IN takes an empty list the same way; no value of ours is an empty text. */
export const anyOf = (values: Iterable<string>): RawBuilder<unknown> => sql.join([...values, '']);

/** Rows of `table` that are of the scope's shops; all rows without a scope. */
export const ofShops = (scope: Scope | null, table: string): RawBuilder<boolean> =>
  scope === null
    ? everyRow
    : sql<boolean>`(${sql.ref(`${table}.platform`)} || ' ' || ${sql.ref(`${table}.shop`)}) in (${anyOf(scope.shops)})`;

/** Rows of `table` that are of the scope's stores, by id. */
export const ofStores = (scope: Scope | null, table: string): RawBuilder<boolean> =>
  scope === null
    ? everyRow
    : sql<boolean>`(${sql.ref(`${table}.store_id`)} || '') in (${anyOf(scope.storeIds)})`;

/** Rows of `series` that the scope's stores number from. */
export const ofSeries = (scope: Scope | null): RawBuilder<boolean> =>
  scope === null
    ? everyRow
    : sql<boolean>`(ruc || ' ' || ambiente || ' ' || cod_doc || ' ' || establecimiento || '-' || punto_emision)
    in (${anyOf(scope.series)})`;

export const everyRow = sql<boolean>`true`;

/** How many rows, as a number on both engines. */
export const count = sql<number>`cast(count(*) as integer)`.as('count');

/** Runs a statement that writes; answers whether it wrote a row. */
export async function wrote(statement: {
  executeTakeFirst(): Promise<InsertResult | UpdateResult | DeleteResult | undefined>;
}): Promise<boolean> {
  const result = await statement.executeTakeFirst();
  if (result === undefined) return false;
  if ('numUpdatedRows' in result) return result.numUpdatedRows > 0n;
  if ('numDeletedRows' in result) return result.numDeletedRows > 0n;
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const process = randomBytes(8).readBigUInt64BE().toString(36).padStart(13, '0').slice(-10);
let counter = 0;

/**
 * A new id, for instance "k3j9x2m1qa-00001f": ten random characters of this process and a counter, so that
 * rows of one process are neighbours in the index and sort in the order they were made.
 */
export function newId(): string {
  counter += 1;
  return `${process}-${counter.toString(36).padStart(6, '0')}`;
}

/** How the tables reach the database: directly, or inside an open transaction. */
export interface Access {
  readonly dialect: Dialect;
  /** For one statement, committed by itself unless a transaction is open. */
  readonly db: () => Database;
  /** Several statements that belong together: joins the open transaction or opens one. */
  atomic<T>(task: (access: Access) => Promise<T>): Promise<T>;
  /** The trace id of the running job or request; null outside of all. */
  trace(): string | null;
  /** A job was enqueued or is due again: listeners are notified after the COMMIT. */
  jobChanged(): void;
}

/**
 * A transaction holds the only writing connection, and on SQLite the only one at all: a query beside it would
 * wait for a COMMIT that waits for the query. The mark turns that deadlock into an error.
 */
const open = new AsyncLocalStorage<{ open: boolean }>();

/** Throws LedgerError `internal` when called by the task of an open transaction. */
export function refuseInside(): void {
  if (open.getStore()?.open !== true) return;
  throw new LedgerError('internal', { why: 'transaction' });
}

const tries = 4;

/** `notify` is called after every commit that changed jobs; `trace` answers the current trace id. */
export function openAccess(
  engine: Engine,
  notify: () => void,
  trace: () => string | null = () => null,
): Access {
  const { dialect } = engine;

  async function once<T>(task: (access: Access) => Promise<T>): Promise<T> {
    let changed = false;
    const mark = { open: true };
    const answer = await open.run(mark, () =>
      engine
        .transaction((db) => {
          // The task may run again from its start.
          changed = false;
          const inside: Access = {
            dialect,
            trace,
            db: () => db,
            atomic: (nested) => nested(inside),
            jobChanged: () => {
              changed = true;
            },
          };
          return task(inside);
        })
        .finally(() => {
          mark.open = false;
        }),
    );
    if (changed) notify();
    return answer;
  }

  return {
    dialect,
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
          if (n === tries || !dialect.mayRunAgain(error)) throw error;
        }
      }
    },
    jobChanged: notify,
  };
}
