import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { LedgerError } from '../core/errors.ts';

/** Where a ledger went; never a password. */
export interface MovedTo {
  host: string;
  database: string;
  schema: string;
}

const fileOf = (directory: string): string => join(directory, 'moved.json');

/** From here on the directory is history: whoever wrote into it would give numbers twice. */
export function markMoved(directory: string, to: MovedTo, clock: Clock): void {
  const text = JSON.stringify({ ...to, at: clock.now().toISOString() });
  writeFileSync(fileOf(directory), `${text}\n`, { mode: 0o600, flush: true });
}

/** Throws LedgerError `ledger-moved` for a directory whose ledger lives elsewhere now. */
export function refuseMoved(directory: string): void {
  const file = fileOf(directory);
  if (!existsSync(file)) return;
  const { host, database, schema, at } = JSON.parse(readFileSync(file, 'utf8')) as MovedTo & { at: string };
  throw new LedgerError(
    'ledger-moved',
    `El registro ${directory} se movió a PostgreSQL (${host}/${database}, esquema ${schema}) el ${at}. Escriba esa base en ledger.url o DATABASE_URL.`,
    `The ledger in ${directory} was moved to PostgreSQL at ${host}/${database}, schema ${schema}; use that one.`,
  );
}
