import type { Log } from '../domain/log.ts';
import { openAccess } from './access.ts';
import { type AlertTable, alertTable } from './alerts.ts';
import { attemptTable } from './attempts.ts';
import { type Closes, closeTable } from './closes.ts';
import { type CredentialTable, credentialTable } from './credentials.ts';
import { deliveryTable } from './deliveries.ts';
import type { Attempts, Documents } from './document-tables.ts';
import { documentTable } from './documents.ts';
import type { LedgerOptions } from './ledger.ts';
import { type LinkVersions, linkVersionTable } from './link-versions.ts';
import { refuseMissing } from './missing.ts';
import { refuseMoved } from './moved.ts';
import { orderTable } from './orders.ts';
import { type Pauses, pauseTable } from './pauses.ts';
import { openPostgres } from './postgres.ts';
import { type Questions, questionTable } from './questions.ts';
import { openSeal } from './seal.ts';
import type { Deliveries, Orders } from './shop-tables.ts';
import { type Shops, shopTable } from './shops.ts';
import { openSqliteReader } from './sqlite.ts';
import { type Stories, storyReader } from './story.ts';

/** The ledger for looking: takes no lock, changes nothing, may run beside the process that writes. */
export interface LedgerReader {
  documents: Pick<Documents, 'get' | 'list' | 'ofOrder' | 'byNumber' | 'history'>;
  pauses: Pick<Pauses, 'list'>;
  deliveries: Pick<Deliveries, 'ofTopics' | 'ofOrder'>;
  orders: Pick<Orders, 'ofShop'>;
  shops: Pick<Shops, 'addresses'>;
  linkVersions: Pick<LinkVersions, 'of'>;
  stories: Stories;
  alerts: Pick<AlertTable, 'open'>;
  closes: Pick<Closes, 'ofDay' | 'recent' | 'chain'>;
  /** What was sent and answered; null where the keys that opened it were not given. */
  sealed: { attempts: Pick<Attempts, 'ofDocument'>; questions: Pick<Questions, 'get'> } | null;
  /** null where the keys that opened it were not given. */
  credentials: Pick<CredentialTable, 'get' | 'shops'> | null;
  close(): Promise<void>;
}

/** Throws LedgerError `ledger-missing` when there is nothing to look at yet. */
export function openLedgerReader(
  options: Omit<LedgerOptions, 'sealKey'> & Partial<Pick<LedgerOptions, 'sealKey'>>,
  log: Log,
): LedgerReader {
  const { directory, url, schema = 'facturapuente', sealKey } = options;
  if (url === undefined) refuseMissing(directory);
  if (url === undefined) refuseMoved(directory ?? '');
  const engine = url === undefined ? openSqliteReader(directory ?? '') : openPostgres(url, schema, 1, log);
  const access = openAccess(engine, () => {});
  return {
    documents: documentTable(access),
    pauses: pauseTable(access),
    deliveries: deliveryTable(access),
    orders: orderTable(access),
    shops: shopTable(access),
    linkVersions: linkVersionTable(access),
    stories: storyReader(access),
    alerts: alertTable(access),
    closes: closeTable(access),
    sealed:
      sealKey === undefined
        ? null
        : {
            attempts: attemptTable(access, openSeal(sealKey)),
            questions: questionTable(access, openSeal(sealKey)),
          },
    credentials: sealKey === undefined ? null : credentialTable(access, openSeal(sealKey)),
    close: () => engine.close(),
  };
}
