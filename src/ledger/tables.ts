import type { Access } from './access.ts';
import { alertTable, auditLogTable, listenerCursorTable } from './alerts.ts';
import { attemptTable, fileTable, unknownDocumentTable } from './attempts.ts';
import type { Cipher } from './cipher.ts';
import { clockCorrectionTable } from './clock-correction.ts';
import { closeTable, dayTallyTable } from './closes.ts';
import { counterTable } from './counters.ts';
import { countTable, failingTable } from './counts.ts';
import { dayTable } from './days.ts';
import { documentTable } from './documents.ts';
import { jobTable } from './jobs.ts';
import { installationTable, retentionTable } from './marks.ts';
import { deliveryTable, orderTable, questionTable } from './orders.ts';
import { breakerTable, pauseTable, rateLimitTable } from './pauses.ts';
import { secondFactorTable, sessionTable } from './people.ts';
import { keyDigitsTable, seriesTable } from './series.ts';
import { credentialTable, lockTable, reconciliationTable, shopTable, storeTable } from './shops.ts';

/** The tables of the ledger by name; each file says what its tables keep. */
export type Tables = ReturnType<typeof openTables>;

export function openTables(access: Access, cipher: Cipher) {
  return {
    stores: storeTable(access),
    shops: shopTable(access),
    credentials: credentialTable(access, cipher),
    reconciliations: reconciliationTable(access),
    locks: lockTable(access),
    deliveries: deliveryTable(access),
    orders: orderTable(access),
    questions: questionTable(access, cipher),
    documents: documentTable(access),
    attempts: attemptTable(access, cipher),
    files: fileTable(access, cipher),
    unknownDocuments: unknownDocumentTable(access),
    sequences: seriesTable(access),
    keyDigits: keyDigitsTable(access),
    jobs: jobTable(access),
    pauses: pauseTable(access),
    breakers: breakerTable(access),
    rateLimits: rateLimitTable(access),
    alerts: alertTable(access),
    listenerCursors: listenerCursorTable(access),
    auditLog: auditLogTable(access),
    sessions: sessionTable(access, cipher),
    secondFactors: secondFactorTable(access, cipher),
    counters: counterTable(access),
    closes: closeTable(access),
    days: dayTable(access),
    dayTallies: dayTallyTable(access),
    counts: countTable(access),
    failing: failingTable(access),
    retention: retentionTable(access, cipher),
    installation: installationTable(access),
    clockCorrection: clockCorrectionTable(access),
  };
}
