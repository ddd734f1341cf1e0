import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LedgerError } from '../domain/errors.ts';

/** Throws LedgerError `ledger-missing` where no ledger lies yet: it is made by `start`, never by looking for it. */
export function refuseMissing(directory: string | undefined): void {
  if (directory !== undefined && existsSync(join(directory, 'ledger.db'))) return;
  throw new LedgerError(
    'ledger-missing',
    `Todavía no hay registro en ${directory ?? 'la carpeta configurada'}: inicie facturapuente start una vez.`,
    `No ledger in ${directory ?? 'the configured directory'}; it is created by the first start.`,
  );
}

/** The same of a PostgreSQL database, told by what it answered. */
export function missingTables(cause: unknown): LedgerError {
  return new LedgerError(
    'ledger-missing',
    'Todavía no hay registro en la base PostgreSQL: inicie facturapuente start una vez, o revise ledger.url (DATABASE_URL) y ledger.schema.',
    'No ledger in this database and schema; it is created by the first start.',
    { cause },
  );
}
