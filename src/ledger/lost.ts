import { DatabaseError } from 'pg';
import { LedgerError } from '../core/errors.ts';

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

/** Why PostgreSQL cannot be used, in a word; null for an error that is none of its connection. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof LedgerError) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof DatabaseError) return away.includes(code.slice(0, 2)) ? code : null;
  if (network.includes(code)) return code;
  return broken.test(error.message) ? 'conexión cortada' : null;
}

/**
 * `ledger-unreachable` for an error of an open ledger whose server went away; every other one as it is, for it may be a
 * defect. Only for what speaks to no other server: a connection refused does not say by whom.
 */
export function lostLedger(error: unknown): unknown {
  return explained(error, reasonOf(error));
}

/** The same while a ledger opens: whatever else the server says no to (rights, a schema) keeps it from being used too. */
export function refusedLedger(error: unknown): unknown {
  return explained(error, reasonOf(error) ?? (error instanceof DatabaseError ? (error.code ?? null) : null));
}

/** In a sentence; the server's own words may name the database, never the password. */
function explained(error: unknown, reason: string | null): unknown {
  if (reason === null) return error;
  return new LedgerError(
    'ledger-unreachable',
    `No se puede usar la base PostgreSQL (${reason}): revise que el servidor esté en marcha y que ledger.url o DATABASE_URL sean correctos.`,
    `PostgreSQL cannot be used (${reason}); check that it runs and that its URL, user and database are right.`,
    { cause: error },
  );
}
