import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { LedgerError } from '../domain/errors.ts';
import { sqliteRefusal } from './sqlite.ts';

/** SQLSTATE classes of an unusable server: connection, authorisation, no database, resources, shut down, system error. */
const away = ['08', '28', '3D', '53', '57', '58'];

/** disk_full, io_error. */
const writeFaults = ['53100', '58030'];

const network = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];

const broken =
  /^(Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error|Client was closed)/;

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** Every error of a PostgreSQL server has a severity (postgresql.org/docs/current/protocol-error-fields.html). */
const isOfServer = (error: Error): boolean => 'severity' in error && typeof error.severity === 'string';

function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const when = failures.get(error);
  if (when === undefined) return null;
  const code = codeOf(error);
  if (when === 'connecting' && code !== '') return code;
  if (isOfServer(error)) return away.includes(code.slice(0, 2)) ? code : null;
  if (network.includes(code)) return code;
  return when === 'connecting' || broken.test(error.message) ? 'conexión cortada' : null;
}

const configured = 'ledger.url o DATABASE_URL sean correctos';

/** `ledger-unreachable` where the server is gone, `ledger-unwritable` where its disk is full; else the error as it is. */
export function lostLedger(error: unknown): unknown {
  return explained(error, reasonOf(error));
}

/** While a ledger opens, any refusal of the server (rights, a schema) counts. */
export function refusedLedger(error: unknown, rightAre = configured): unknown {
  return explained(error, reasonOf(error) ?? stateOf(error), rightAre);
}

/** A command can also get `ledger-missing`, and on SQLite `ledger-unwritable` (disk full) or `busy-elsewhere`. */
export function unusableLedger(error: unknown): unknown {
  const refusal = sqliteRefusal(error);
  if (refusal === 'unwritable') return unwritable(error);
  if (refusal === 'busy') return new LedgerError('busy-elsewhere', { why: 'ledger' }, { cause: error });
  const state = stateOf(error);
  if (state === null || !(error instanceof Error) || failures.get(error) === undefined)
    return lostLedger(error);
  // 42P01 no such table, 3F000 no such schema: no process has created the ledger yet.
  if (['42P01', '3F000'].includes(state)) return missingTables(error);
  // 42501 insufficient privilege, 25006 read-only server.
  return ['42501', '25006'].includes(state) ? explained(error, state) : lostLedger(error);
}

export const unwritable = (cause: unknown): LedgerError =>
  new LedgerError(
    'ledger-unwritable',
    { why: 'refused', cause: cause instanceof Error ? cause.message : String(cause) },
    { cause },
  );

const stateOf = (error: unknown): string | null =>
  error instanceof Error && isOfServer(error) ? codeOf(error) || null : null;

function explained(error: unknown, reason: string | null, rightAre = configured): unknown {
  if (reason === null) return error;
  if (writeFaults.includes(reason)) return unwritable(error);
  // The driver keeps an address it could not parse in its error, with the password.
  const cause = reason === 'ERR_INVALID_URL' ? {} : { cause: error };
  return new LedgerError('ledger-unreachable', { reason, rightAre }, cause);
}

/** Throws LedgerError `ledger-missing`; only `start` creates a ledger. */
export function refuseMissing(directory: string | undefined): void {
  if (directory !== undefined && existsSync(join(directory, 'ledger.db'))) return;
  throw new LedgerError('ledger-missing', { place: directory ?? 'la carpeta configurada' });
}

export function missingTables(cause?: unknown): LedgerError {
  return new LedgerError('ledger-missing', { place: 'la base PostgreSQL' }, { cause });
}

type PostgresFailure = 'connecting' | 'asking';

/** An ECONNREFUSED itself does not say who refused. */
const failures = new WeakMap<Error, PostgresFailure>();

export function markPool(pool: Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  // Kysely passes no callback; an invalid address throws before there is a promise.
  pool.connect = (async () => {
    try {
      return await connect();
    } catch (error) {
      throw remembered(error, 'connecting');
    }
  }) as typeof pool.connect;
}

export function markClient(client: ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const answer = query(...args);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      throw remembered(error, 'asking');
    });
  }) as typeof client.query;
}

function remembered(error: unknown, when: PostgresFailure): unknown {
  // Opening a connection runs statements too: the first mark stays.
  if (error instanceof Error && failures.get(error) !== 'connecting') failures.set(error, when);
  return error;
}
