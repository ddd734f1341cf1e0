import type { Log } from '../domain/ports.ts';
import { openAccess } from './access.ts';
import { alertTable } from './alerts.ts';
import { attemptTable } from './attempts.ts';
import { openCipher } from './cipher.ts';
import { closeTable } from './closes.ts';
import { documentTable } from './documents.ts';
import type { LedgerOptions } from './ledger.ts';
import { refuseMissing } from './lost.ts';
import { refuseMoved } from './moved.ts';
import { deliveryTable, orderTable, questionTable } from './orders.ts';
import { pauseTable } from './pauses.ts';
import { openPostgres } from './postgres.ts';
import { credentialTable, shopTable } from './shops.ts';
import { openSqliteReader } from './sqlite.ts';
import { timelineReader } from './timeline.ts';

/** Read-only: takes no lock, may run beside the process that writes. */
export type LedgerReader = ReturnType<typeof openLedgerReader>;

/** Throws LedgerError `ledger-missing`, `ledger-moved`. */
export function openLedgerReader(
  options: Omit<LedgerOptions, 'encryptionKey'> & Partial<Pick<LedgerOptions, 'encryptionKey'>>,
  log: Log,
) {
  const { directory, url, schema = 'facturapuente', encryptionKey } = options;
  if (url === undefined) {
    refuseMissing(directory);
    refuseMoved(directory ?? '');
  }
  const engine = url === undefined ? openSqliteReader(directory ?? '') : openPostgres(url, schema, 1, log);
  const access = openAccess(engine, () => {});
  const cipher = encryptionKey === undefined ? null : openCipher(encryptionKey);
  return {
    documents: documentTable(access),
    pauses: pauseTable(access),
    deliveries: deliveryTable(access),
    orders: orderTable(access),
    shops: shopTable(access),
    timelines: timelineReader(access),
    alerts: alertTable(access),
    closes: closeTable(access),
    encrypted: cipher && {
      attempts: attemptTable(access, cipher),
      questions: questionTable(access, cipher),
    },
    credentials: cipher && credentialTable(access, cipher),
    close: () => engine.close(),
  };
}
