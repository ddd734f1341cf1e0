import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  CamelCasePlugin,
  type DeleteResult,
  HandleEmptyInListsPlugin,
  type InsertResult,
  type Kysely,
  type KyselyPlugin,
  type RawBuilder,
  replaceWithNoncontingentExpression,
  sql,
  type UpdateResult,
} from 'kysely';
import { LedgerError } from '../domain/errors.ts';
import type { Scope } from '../domain/settings.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface Dialect {
  types: { text: string; bytes: string; real: string; identity: string; table: string };
  /** Ends a select inside a transaction: nobody else may change or lock its rows until COMMIT. */
  lockRows: RawBuilder<unknown>;
  batchesAtOnce: number;
  beforeMigrating: RawBuilder<unknown>[];
  takeSpace: RawBuilder<unknown>[];
  /** Joins the rows of `inner`, a select on `jobs` with a limit, to each row of the outer table. */
  joinEach(inner: RawBuilder<unknown>): RawBuilder<unknown>;
  part(text: RawBuilder<unknown>, n: 1 | 2): RawBuilder<string>;
  /** The database broke a deadlock or asked to repeat: the same statements may run again. */
  mayRunAgain(error: unknown): boolean;
  /** The database refused the contents of one row; the other rows may be fine. */
  blamesRow(error: unknown): boolean;
  /** The database could not write: no space, a failing disk, or it only lets read. */
  isUnwritable(error: unknown): boolean;
}

export interface Engine {
  name: 'sqlite' | 'postgresql';
  dialect: Dialect;
  /** Runs `task` in a transaction; resolves after its COMMIT, which SQLite shares with what was queued meanwhile. */
  transaction<T>(task: (db: Database) => Promise<T>): Promise<T>;
  writer: Database;
  others: Database;
  close(): Promise<void>;
}

/* `||` keeps the engines from using an index for the conditions of a scope instead of the query's own. */

/** Neither engine's IN takes an empty list the same way; no value of ours is an empty text. */
export const anyOf = (values: Iterable<string>): RawBuilder<unknown> => sql.join([...values, '']);

export const ofShops = (scope: Scope | null, table: string): RawBuilder<boolean> =>
  scope === null
    ? everyRow
    : sql<boolean>`(${sql.ref(`${table}.platform`)} || ' ' || ${sql.ref(`${table}.shop`)}) in (${anyOf(scope.shops)})`;

export const ofStores = (scope: Scope | null, table: string): RawBuilder<boolean> =>
  scope === null
    ? everyRow
    : sql<boolean>`(${sql.ref(`${table}.store_id`)} || '') in (${anyOf(scope.storeIds)})`;

export const ofSeries = (scope: Scope | null): RawBuilder<boolean> =>
  scope === null
    ? everyRow
    : sql<boolean>`(ruc || ' ' || ambiente || ' ' || cod_doc || ' ' || establecimiento || '-' || punto_emision)
    in (${anyOf(scope.series)})`;

export const everyRow = sql<boolean>`true`;

export const count = sql<number>`cast(count(*) as integer)`.as('count');

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

/** Ids such as "k3j9x2m1qa-00001f" keep rows of one process together in the index, in the order they were made. */
export function newId(): string {
  counter += 1;
  return `${process}-${counter.toString(36).padStart(6, '0')}`;
}

export interface Access {
  readonly dialect: Dialect;
  readonly db: () => Database;
  /** Joins the open transaction or opens one. */
  atomic<T>(task: (access: Access) => Promise<T>): Promise<T>;
  trace(): string | null;
  /** A job was enqueued or is due again: listeners are notified after the COMMIT. */
  jobChanged(): void;
}

/** A query beside a transaction on the only writing connection would wait for ever; the mark makes it an error. */
const open = new AsyncLocalStorage<{ open: boolean }>();

/** Throws LedgerError `internal` when called by the task of an open transaction. */
export function refuseInside(): void {
  if (open.getStore()?.open !== true) return;
  throw new LedgerError('internal', { why: 'transaction' });
}

const tries = 4;

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

/** The columns whose text is JSON; no other column has one of these names. */
const json = new Set(
  ['snapshot', 'decision', 'fingerprint', 'paid', 'behind', 'progress', 'verification', 'note'].concat([
    'nettedRefunds',
    'leftOut',
    'lineReferences',
    'errors',
    'payload',
    'tallies',
    'facts',
    'params',
  ]),
);

class Columns extends CamelCasePlugin {
  protected override mapRow(row: Record<string, unknown>): Record<string, unknown> {
    const mapped: Record<string, unknown> = {};
    for (const column in row) {
      const name = this.camelCase(column);
      const value = row[column];
      mapped[name] = typeof value === 'string' && json.has(name) ? JSON.parse(value) : value;
    }
    return mapped;
  }
}

/** `in ()`, which PostgreSQL refuses, is false. */
export const plugins: KyselyPlugin[] = [
  new Columns(),
  new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }),
];
