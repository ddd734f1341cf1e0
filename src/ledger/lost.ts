import { DatabaseError } from 'pg';
import { LedgerError } from '../domain/errors.ts';
import { heardOf } from './heard.ts';
import { missingTables } from './missing.ts';

/** SQLSTATE classes of a server that lets nobody work: connection, authorisation, no such database, resources, shut down. */
const away = ['08', '28', '3D', '53', '57'];

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

/** What the driver says, without a code, of a connection that broke or was never had. */
const broken =
  /^(Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error|Client was closed)/;

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** Why PostgreSQL cannot be used, in a word; null for an error that is none of its connection. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const when = heardOf(error);
  if (when === undefined) return null;
  const code = codeOf(error);
  if (when === 'connecting' && code !== '') return code;
  if (error instanceof DatabaseError) return away.includes(code.slice(0, 2)) ? code : null;
  if (network.includes(code)) return code;
  return when === 'connecting' || broken.test(error.message) ? 'conexión cortada' : null;
}

const configured = 'ledger.url o DATABASE_URL sean correctos';

/**
 * `ledger-unreachable` for an error of an open ledger whose server went away; every other one as it is, for it may be a
 * defect.
 */
export function lostLedger(error: unknown): unknown {
  return explained(error, reasonOf(error));
}

/**
 * The same while a ledger opens: whatever else the server says no to (rights, a schema) keeps it from being used too.
 * `rightAre`: where its address comes from.
 */
export function refusedLedger(error: unknown, rightAre = configured): unknown {
  return explained(error, reasonOf(error) ?? stateOf(error), rightAre);
}

/** The same for a command at its end: also that there is no ledger yet, or that we may not look at it. */
export function unusableLedger(error: unknown): unknown {
  const state = stateOf(error);
  if (state === null || !(error instanceof Error) || heardOf(error) === undefined) return lostLedger(error);
  // 42P01 no such table, 3F000 no such schema: commands that look change nothing, so nobody has made them.
  if (['42P01', '3F000'].includes(state)) return missingTables(error);
  // 42501 no right to it, 25006 a server that is only read.
  return ['42501', '25006'].includes(state) ? explained(error, state) : lostLedger(error);
}

/** What the server itself called it. */
const stateOf = (error: unknown): string | null =>
  error instanceof DatabaseError ? (error.code ?? null) : null;

/** In a sentence; the server's own words may name the database, never the password. */
function explained(error: unknown, reason: string | null, rightAre = configured): unknown {
  if (reason === null) return error;
  // The driver keeps an address it could not read in its error, and the password with it.
  const cause = reason === 'ERR_INVALID_URL' ? {} : { cause: error };
  return new LedgerError(
    'ledger-unreachable',
    `No se puede usar la base PostgreSQL (${reason}): revise que el servidor esté en marcha y que ${rightAre}.`,
    `PostgreSQL cannot be used (${reason}); check that it runs and that its URL, user and database are right.`,
    cause,
  );
}
