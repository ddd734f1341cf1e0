import type { Access } from './access.ts';
import { aheadTable } from './ahead.ts';
import { alertTable } from './alerts.ts';
import { attemptTable } from './attempts.ts';
import { breakerTable } from './breakers.ts';
import { budgetTable } from './budgets.ts';
import { closeTable } from './closes.ts';
import { countTable } from './counts.ts';
import { credentialTable } from './credentials.ts';
import { dayTallyTable } from './day-tallies.ts';
import { dayTable } from './days.ts';
import { deedTable } from './deeds.ts';
import { deliveryTable } from './deliveries.ts';
import { documentPageTable } from './document-pages.ts';
import { documentTable } from './documents.ts';
import { failingTable } from './failing.ts';
import { failureCountTable } from './failure-counts.ts';
import { fileTable } from './files.ts';
import { findingTable } from './finding.ts';
import { hearingTable } from './hearings.ts';
import { installationTable } from './installation.ts';
import { keyDigitsTable } from './key-digits.ts';
import type { Tables } from './ledger.ts';
import { linkVersionTable } from './link-versions.ts';
import { lookUpTable } from './look-ups.ts';
import { openDocumentTable } from './open-documents.ts';
import { orderTable } from './orders.ts';
import { pauseTable } from './pauses.ts';
import { questionTable } from './questions.ts';
import { retentionTable } from './retention.ts';
import type { Seal } from './seal.ts';
import { secondFactorTable } from './second-factors.ts';
import { seriesTable } from './sequences.ts';
import { sessionTable } from './sessions.ts';
import { shopTable } from './shops.ts';
import { storeFigureTable } from './store-figures.ts';
import { storeTable } from './stores.ts';
import { storyReader } from './story.ts';
import { sweepTable } from './sweeps.ts';
import { taskTable } from './tasks.ts';
import { turnTable } from './turns.ts';
import { unknownDocumentTable } from './unknown-documents.ts';
import { workTable } from './work/work.ts';

/** How each table is opened. */
const opening: { [Name in keyof Tables]: (access: Access, seal: Seal) => Tables[Name] } = {
  stores: storeTable,
  shops: shopTable,
  deliveries: deliveryTable,
  orders: orderTable,
  documents: documentTable,
  openDocuments: openDocumentTable,
  attempts: attemptTable,
  sequences: seriesTable,
  keyDigits: keyDigitsTable,
  work: workTable,
  budgets: budgetTable,
  pauses: pauseTable,
  breakers: breakerTable,
  counts: countTable,
  alerts: alertTable,
  hearings: hearingTable,
  sweeps: sweepTable,
  credentials: credentialTable,
  turns: turnTable,
  questions: questionTable,
  linkVersions: linkVersionTable,
  lookUps: lookUpTable,
  files: fileTable,
  unknownDocuments: unknownDocumentTable,
  installation: installationTable,
  retention: retentionTable,
  closes: closeTable,
  days: dayTable,
  finding: (access) => findingTable(access),
  documentPages: (access) => documentPageTable(access),
  dayTallies: dayTallyTable,
  storeFigures: (access) => storeFigureTable(access),
  stories: (access) => storyReader(access),
  sessions: sessionTable,
  secondFactors: secondFactorTable,
  failureCounts: failureCountTable,
  deeds: deedTable,
  tasks: (access) => taskTable(access),
  ahead: aheadTable,
  failing: failingTable,
};

/** The tables, all open at once. */
export function openTables(access: Access, seal: Seal): Tables {
  const opened = Object.entries(opening).map(([name, open]) => [name, open(access, seal)]);
  return Object.fromEntries(opened) as Tables;
}

/** Tables that open when somebody reaches for them: a transaction needs few of them, and there are many of those. */
export function tablesInside(access: Access, seal: Seal): Tables {
  return Object.create(atNeed, { [parts]: { value: { access, seal } } }) as Tables;
}

const parts = Symbol('parts');
type Parts = { [parts]: { access: Access; seal: Seal } };

const atNeed: object = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.entries(opening).map(([name, open]) => [
      name,
      {
        get(this: Parts) {
          const { access, seal } = this[parts];
          const table = open(access, seal);
          Object.defineProperty(this, name, { value: table });
          return table;
        },
      },
    ]),
  ),
);
