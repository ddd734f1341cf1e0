import type { Log } from '../domain/ports.ts';
import { openAccess } from './access.ts';
import { type AlertTable, alertTable } from './alerts.ts';
import { attemptTable } from './attempts.ts';
import { openCipher } from './cipher.ts';
import { type Closes, closeTable } from './closes.ts';
import type { Attempts, Documents } from './document-tables.ts';
import { documentTable } from './documents.ts';
import type { LedgerOptions } from './ledger.ts';
import { refuseMissing } from './lost.ts';
import { refuseMoved } from './moved.ts';
import { deliveryTable, orderTable } from './orders.ts';
import { type Pauses, pauseTable } from './pauses.ts';
import { openPostgres } from './postgres.ts';
import { type LinkVersions, linkVersionTable, type Questions, questionTable } from './questions.ts';
import type { Deliveries, Orders } from './shop-tables.ts';
import { type CredentialTable, credentialTable, type Shops, shopTable } from './shops.ts';
import { openSqliteReader } from './sqlite.ts';
import { type Timelines, timelineReader } from './timeline.ts';

/** The ledger, read-only: takes no lock, changes nothing, may run beside the process that writes. */
export interface LedgerReader {
  documents: Pick<Documents, 'get' | 'list' | 'ofOrder' | 'byNumber' | 'history'>;
  pauses: Pick<Pauses, 'list'>;
  deliveries: Pick<Deliveries, 'ofTopics' | 'ofOrder'>;
  orders: Pick<Orders, 'ofShop'>;
  shops: Pick<Shops, 'addresses'>;
  linkVersions: Pick<LinkVersions, 'of'>;
  timelines: Timelines;
  alerts: Pick<AlertTable, 'open'>;
  closes: Pick<Closes, 'ofDay' | 'recent' | 'chain'>;
  /** Null without an encryption key. */
  encrypted: { attempts: Pick<Attempts, 'ofDocument'>; questions: Pick<Questions, 'get'> } | null;
  /** Null without an encryption key. */
  credentials: Pick<CredentialTable, 'get' | 'shops'> | null;
  close(): Promise<void>;
}

/** Throws LedgerError `ledger-missing` where there is no ledger yet, `ledger-moved` where it was moved. */
export function openLedgerReader(
  options: Omit<LedgerOptions, 'encryptionKey'> & Partial<Pick<LedgerOptions, 'encryptionKey'>>,
  log: Log,
): LedgerReader {
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
    linkVersions: linkVersionTable(access),
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
