import { describe } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { alertsContract } from './contract/alerts.ts';
import { closesContract } from './contract/closes.ts';
import { countersContract } from './contract/counters.ts';
import { credentialsContract } from './contract/credentials.ts';
import { deliveriesContract } from './contract/deliveries.ts';
import { documentsContract } from './contract/documents.ts';
import { findingContract } from './contract/finding.ts';
import { forgettingContract } from './contract/forgetting.ts';
import { jobDeathsContract } from './contract/job-deaths.ts';
import { jobEndingsContract } from './contract/job-endings.ts';
import { jobContract } from './contract/jobs.ts';
import { keyDigitsContract } from './contract/key-digits.ts';
import { linksContract } from './contract/links.ts';
import { openDocumentsContract } from './contract/open-documents.ts';
import { ordersContract } from './contract/orders.ts';
import { pausesContract } from './contract/pauses.ts';
import { peopleContract } from './contract/people.ts';
import { questionsContract } from './contract/questions.ts';
import { reconciliationsContract } from './contract/reconciliations.ts';
import { retentionContract } from './contract/retention.ts';
import { seriesContract } from './contract/series.ts';
import { shopsContract } from './contract/shops.ts';
import { talliesContract } from './contract/tallies.ts';
import { transactionsContract } from './contract/transactions.ts';
import { viewContract } from './contract/view.ts';
import { waitsContract } from './contract/waits.ts';
import { watchingContract } from './contract/watching.ts';

/** A ledger of the test's own, closed and removed afterwards. */
export type OpenLedger = () => Promise<Ledger>;

/** What every ledger keeps, whatever database lies beneath. */
export function ledgerContract(name: string, open: OpenLedger): void {
  describe(`the ledger on ${name}`, () => {
    deliveriesContract(open);
    documentsContract(open);
    seriesContract(open);
    jobContract(open);
    jobDeathsContract(open);
    jobEndingsContract(open);
    openDocumentsContract(open);
    ordersContract(open);
    reconciliationsContract(open);
    shopsContract(open);
    credentialsContract(open);
    forgettingContract(open);
    retentionContract(open);
    questionsContract(open);
    linksContract(open);
    countersContract(open);
    keyDigitsContract(open);
    pausesContract(open);
    alertsContract(open);
    closesContract(open);
    peopleContract(open);
    transactionsContract(open);
    watchingContract(open);
    findingContract(open);
    talliesContract(open);
    viewContract(open);
    waitsContract(open);
  });
}
