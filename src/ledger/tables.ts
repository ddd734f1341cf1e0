import type { Access } from './access.ts';
import { alertTable, auditLogTable, listenerCursorTable } from './alerts.ts';
import { attemptTable, fileTable, unknownDocumentTable } from './attempts.ts';
import type { Cipher } from './cipher.ts';
import { closeTable, dayTallyTable } from './closes.ts';
import { counterTable } from './counters.ts';
import { countTable, failingTable } from './counts.ts';
import { dayTable } from './days.ts';
import { documentTable } from './documents.ts';
import { jobTable } from './jobs.ts';
import { installationTable, retentionTable } from './marks.ts';
import { deliveryTable, orderTable, questionTable } from './orders.ts';
import { pauseTable, rateLimitTable } from './pauses.ts';
import { secondFactorTable, sessionTable } from './people.ts';
import { keyDigitsTable, seriesTable } from './series.ts';
import { credentialTable, lockTable, reconciliationTable, shopTable, storeTable } from './shops.ts';

const openings = {
  stores: storeTable,
  shops: shopTable,
  credentials: credentialTable,
  reconciliations: reconciliationTable,
  locks: lockTable,
  deliveries: deliveryTable,
  orders: orderTable,
  questions: questionTable,
  documents: documentTable,
  attempts: attemptTable,
  files: fileTable,
  unknownDocuments: unknownDocumentTable,
  sequences: seriesTable,
  keyDigits: keyDigitsTable,
  jobs: jobTable,
  pauses: pauseTable,
  rateLimits: rateLimitTable,
  alerts: alertTable,
  listenerCursors: listenerCursorTable,
  auditLog: auditLogTable,
  sessions: sessionTable,
  secondFactors: secondFactorTable,
  counters: counterTable,
  closes: closeTable,
  days: dayTable,
  dayTallies: dayTallyTable,
  counts: countTable,
  failing: failingTable,
  retention: retentionTable,
  installation: installationTable,
};

export type Tables = { [Name in keyof typeof openings]: ReturnType<(typeof openings)[Name]> };

export function openTables(access: Access, cipher: Cipher): Tables {
  const opened = new Map<PropertyKey, unknown>();
  return new Proxy<object>(openings, {
    get(_, name) {
      if (!opened.has(name) && Object.hasOwn(openings, name))
        opened.set(name, openings[name as keyof typeof openings](access, cipher));
      return opened.get(name);
    },
  }) as Tables;
}
