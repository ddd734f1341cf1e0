import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDirectory } from '../config/ledger-place.ts';
import type { Config } from '../config/load.ts';
import { LedgerError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { placeIn } from '../ledger/move/address.ts';
import { isSamePlace, movedElsewhere, moveMark } from '../ledger/moved.ts';
import { openLedgerReader } from '../ledger/read.ts';

/**
 * Whoever sets DATABASE_URL and forgets `move`, or names another place than it went to, would start with an empty
 * ledger, which gives the numbers of the one in the directory a second time. Throws LedgerError `ledger-left-behind`, or
 * `ledger-moved`, while PostgreSQL knows no document, and the directory beside the config does, or did.
 */
export async function refuseLeftBehind(
  config: Pick<Config, 'file' | 'ledger'>,
  ledger: Pick<Ledger, 'documents'>,
): Promise<void> {
  const directory = defaultDirectory(config.file);
  if ('directory' in config.ledger || !existsSync(join(directory, 'ledger.db'))) return;
  const mark = moveMark(directory);
  const place = placeIn(config.ledger.url, config.ledger.schema);
  if (mark?.finished && place && isSamePlace(mark, place)) return;
  if ((await ledger.documents.list({ limit: 1 })).length > 0) return;
  if (mark?.finished) throw movedElsewhere(directory, mark);
  if (!(await hasDocuments(directory))) return;
  throw new LedgerError(
    'ledger-left-behind',
    `La base PostgreSQL está vacía y el registro con sus comprobantes sigue en ${directory}: llévelo con «facturapuente move --to DIRECCIÓN», sin DATABASE_URL ni ledger.url. Si esos comprobantes son de otra instalación, saque de ahí la carpeta.`,
    `The PostgreSQL ledger is empty while ${directory} holds documents that were not moved; run \`facturapuente move\`, or take that directory away.`,
  );
}

/** Of a move whose end nobody knows as well: the reader refuses to show it, and it must not be passed over. */
async function hasDocuments(directory: string): Promise<boolean> {
  if (moveMark(directory)) return true;
  const reader = openLedgerReader({ directory }, silentLog);
  try {
    return (await reader.documents.list({ limit: 1 })).length > 0;
  } finally {
    await reader.close();
  }
}
