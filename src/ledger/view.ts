import type { Day } from '../domain/calendar.ts';
import type { Attempt, Document } from '../domain/document.ts';
import { IssuerRecord, issuerName, issuersUnder } from '../domain/issuer-record.ts';
import { isWithin, type Scope } from '../domain/scope.ts';
import type { Access } from './access.ts';
import type { KeptClose } from './closes.ts';
import { type DocumentPages, documentPageTable } from './document-pages.ts';
import type { Documents, HistoryEntry } from './document-tables.ts';
import type { FileKind } from './files.ts';
import { type Finding, findingTable } from './finding.ts';
import type { Tables } from './ledger.ts';
import type { Orders } from './shop-tables.ts';
import { type StoreFigures, storeFigureTable } from './store-figures.ts';
import { type Stories, storyReader } from './story.ts';
import { type DocumentPast, type Tasks, taskTable } from './tasks.ts';

/**
 * What people and assistants read of the ledger. With a scope, whatever is not of its stores is as if it were not
 * there: not found, not listed, not counted. Pages and tools get this and never the ledger itself.
 */
export interface LedgerView {
  documents: Pick<Documents, 'get' | 'ofOrder' | 'byNumber' | 'byAccessKey'> & {
    history(document: Document): Promise<HistoryEntry[]>;
  };
  attempts: { ofDocument(document: Document): Promise<Attempt[]> };
  files: { get(document: Document, kind: FileKind): Promise<Uint8Array | undefined> };
  orders: Pick<Orders, 'get' | 'ofDocument'>;
  stories: Stories;
  finding: Finding;
  documentPages: DocumentPages;
  dayTallies: { since(from: Day, now: Date): ReturnType<Tables['dayTallies']['since']> };
  storeFigures: StoreFigures;
  tasks: Omit<Tasks, 'pasts'> & { pasts(documents: readonly Document[]): Promise<Map<string, DocumentPast>> };
  counts: { openDocuments(): ReturnType<Tables['counts']['openDocuments']> };
  sweeps: { freshness(): ReturnType<Tables['sweeps']['freshness']> };
  /** Of accounts the stores use. */
  pauses: Pick<Tables['pauses'], 'get' | 'list'>;
  breakers: Pick<Tables['breakers'], 'list'>;
  alerts: { open(): ReturnType<Tables['alerts']['open']> };
  deeds: { list(page: { before?: string; limit: number }): ReturnType<Tables['deeds']['list']> };
  /** Closes of all the stores together (`ofDay`), and of each by itself. */
  closes: { ofDay(day: Day): Promise<KeptClose | undefined>; recent(limit: number): Promise<KeptClose[]> };
  /** What `install` remembers of an issuer the stores use. */
  issuer(account: string, ruc: string): Promise<IssuerRecord | undefined>;
}

/** The label of closes of all stores. */
export const wholeLabel = '*';

export function openView(access: Access, tables: Tables, scope: Scope | null): LedgerView {
  const has = (place: { platform: string; shop: string }) => isWithin(scope, place);
  const own = (document: Document | undefined) => (document && has(document) ? document : undefined);
  const { documents, attempts, files, orders, counts, sweeps, pauses, closes, credentials } = tables;
  const tasks = taskTable(access, scope);
  const usesAccount = (account: string) => scope === null || scope.accounts.has(account);
  return {
    documents: {
      get: async (id) => own(await documents.get(id)),
      ofOrder: async (order) => (has(order) ? documents.ofOrder(order) : []),
      byNumber: async (series, secuencial) => own(await documents.byNumber(series, secuencial)),
      byAccessKey: async (accessKey) => own(await documents.byAccessKey(accessKey)),
      history: async (document) => (has(document) ? documents.history(document.id) : []),
    },
    attempts: { ofDocument: async (document) => (has(document) ? attempts.ofDocument(document.id) : []) },
    files: { get: async (document, kind) => (has(document) ? files.get(document.id, kind) : undefined) },
    orders: {
      get: async (order) => (has(order) ? orders.get(order) : undefined),
      ofDocument: async (document) => (has(document) ? orders.ofDocument(document) : undefined),
    },
    stories: storyReader(access, scope),
    finding: findingTable(access, scope),
    documentPages: documentPageTable(access, undefined, scope),
    dayTallies: { since: (from, now) => tables.dayTallies.since(from, now, scope) },
    storeFigures: storeFigureTable(access, scope),
    tasks: { ...tasks, pasts: (found) => tasks.pasts(found.filter(has).map(({ id }) => id)) },
    counts: { openDocuments: () => counts.openDocuments(scope) },
    sweeps: { freshness: () => sweeps.freshness(scope) },
    pauses: {
      get: async (account, ambiente) => (usesAccount(account) ? pauses.get(account, ambiente) : undefined),
      list: async () => (await pauses.list()).filter(({ account }) => usesAccount(account)),
    },
    breakers: {
      list: async () =>
        (await tables.breakers.list()).filter(({ storeId }) => scope === null || scope.storeIds.has(storeId)),
    },
    alerts: { open: () => tables.alerts.open(scope) },
    deeds: { list: (page) => tables.deeds.list(page, scope) },
    closes: {
      ofDay: (day) => closes.ofDay(day, scope?.label ?? wholeLabel),
      recent: (limit) =>
        scope === null
          ? closes.recent(limit)
          : closes.recent(limit, [...new Set([scope.label, ...scope.stores.keys()])]),
    },
    async issuer(account, ruc) {
      const name = issuerName(account, ruc);
      if (scope !== null && !scope.issuers.has(name)) return undefined;
      const kept = await credentials.get({ platform: issuersUnder, shop: name });
      return IssuerRecord.safeParse(kept?.value).data;
    },
  };
}
