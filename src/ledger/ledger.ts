import type { Clock, Day } from '../domain/clock.ts';
import type { Ambiente, Document, Series } from '../domain/document.ts';
import { IssuerRecord, issuerName, issuersUnder } from '../domain/issuer-record.ts';
import { isWithin, type Scope } from '../domain/settings.ts';
import type { Access } from './access.ts';
import { alertTable, auditLogTable, listenerCursorTable } from './alerts.ts';
import { attemptTable, fileTable, unknownDocumentTable } from './attempts.ts';
import type { Cipher } from './cipher.ts';
import { closeTable, dayTallyTable } from './closes.ts';
import { countTable, failingTable, storeFigureTable } from './counts.ts';
import { dayTable } from './days.ts';
import { documentTable } from './documents.ts';
import { jobTable } from './jobs.ts';
import { installationTable, retentionTable } from './marks.ts';
import { deliveryTable, type NewDelivery, orderTable, questionTable } from './orders.ts';
import { counterTable, pauseTable, rateLimitTable } from './pauses.ts';
import { secondFactorTable, sessionTable } from './people.ts';
import type { FileKind, OrderKey, ShopKey } from './schema.ts';
import { documentPageTable, findingTable } from './search.ts';
import { keyDigitsTable, seriesTable } from './series.ts';
import { credentialTable, lockTable, reconciliationTable, shopTable, storeTable } from './shops.ts';
import { taskTable } from './tasks.ts';
import { timelineReader } from './timeline.ts';

/** SQLite or PostgreSQL, with the same queries and one contract suite. No other module writes SQL. */
export interface Ledger extends Tables {
  readonly engine: 'sqlite' | 'postgresql';
  /**
   * `task` may await only queries of its tables (else LedgerError `internal`) and may run again from its start: PostgreSQL
   * may break a deadlock, and on SQLite another task of the same COMMIT may fail.
   */
  transaction<T>(task: (tables: Tables) => Promise<T>): Promise<T>;
  /** Stores the delivery and enqueues its job, in a COMMIT shared with others; resolves after it. */
  accept(delivery: NewDelivery): Promise<'stored' | 'duplicate'>;
  /** Called after every commit of this process that may have made a job due; answers how to stop. */
  onJob(listener: () => void): () => void;
  view(scope: Scope | null): LedgerView;
  /** Throws LedgerError `secret-changed`, `data-damaged`. */
  reencrypt(): Promise<number>;
  /** Rejects when the database does not answer or cannot be written, or refused a write within the last `withinMs`. */
  check(withinMs?: number): Promise<void>;
  /** The answer is in milliseconds; null on SQLite, which has no clock of its own. */
  aheadOfServer(clock: Clock): Promise<number | null>;
  close(): Promise<void>;
}

export interface LedgerOptions {
  /** A SQLite directory or a PostgreSQL URL. A pooler must be in session mode: the schema is set per connection. */
  directory?: string;
  url?: string;
  schema?: string;
  /** 32 bytes each; the first encrypts, all of them decrypt. */
  encryptionKey: Uint8Array | readonly Uint8Array[];
  trace?: () => string | null;
  /** `command`: beside the process that runs jobs, without its lock; nothing is recovered. Default `start`. */
  as?: 'start' | 'command';
  /** False refuses where there is no ledger yet, with `ledger-missing`; default true. */
  begins?: boolean;
  /** PostgreSQL connections besides the writing ones; default 4. */
  connections?: number;
}

export const wholeLabel = '*';

/** With a scope, rows of other stores are neither found nor listed nor counted. Pages and tools get a view only. */
export type LedgerView = ReturnType<typeof openView>;

export function openView(access: Access, tables: Tables, scope: Scope | null) {
  const has = (place: ShopKey) => isWithin(scope, place);
  const own = (document: Document | undefined) => (document && has(document) ? document : undefined);
  const { documents, attempts, files, orders, counts, reconciliations, pauses, closes, credentials } = tables;
  const tasks = taskTable(access, scope);
  const usesAccount = (account: string) => scope === null || scope.accounts.has(account);
  return {
    documents: {
      get: async (id: string) => own(await documents.get(id)),
      ofOrder: async (order: OrderKey) => (has(order) ? documents.ofOrder(order) : []),
      byNumber: async (series: Series, secuencial: string) =>
        own(await documents.byNumber(series, secuencial)),
      byAccessKey: async (accessKey: string) => own(await documents.byAccessKey(accessKey)),
      history: async (document: Document) => (has(document) ? documents.history(document.id) : []),
    },
    attempts: {
      ofDocument: async (document: Document) => (has(document) ? attempts.ofDocument(document.id) : []),
    },
    files: {
      get: async (document: Document, kind: FileKind) =>
        has(document) ? files.get(document.id, kind) : undefined,
    },
    orders: {
      get: async (order: OrderKey) => (has(order) ? orders.get(order) : undefined),
      ofDocument: async (document: Document) => (has(document) ? orders.ofDocument(document) : undefined),
    },
    timelines: timelineReader(access, scope),
    finding: findingTable(access, scope),
    documentPages: documentPageTable(access, undefined, scope),
    dayTallies: { since: (from: Day, now: Date) => tables.dayTallies.since(from, now, scope) },
    storeFigures: storeFigureTable(access, scope),
    tasks: {
      ...tasks,
      pasts: (found: readonly Document[]) => tasks.pasts(found.filter(has).map(({ id }) => id)),
    },
    counts: { openDocuments: () => counts.openDocuments(scope) },
    reconciliations: { freshness: () => reconciliations.freshness(scope) },
    pauses: {
      get: async (account: string, ambiente: Ambiente | null) =>
        usesAccount(account) ? pauses.get(account, ambiente) : undefined,
      list: async () => (await pauses.list()).filter(({ account }) => usesAccount(account)),
    },
    alerts: { open: () => tables.alerts.open(scope) },
    auditLog: { list: (page: { before?: string; limit: number }) => tables.auditLog.list(page, scope) },
    closes: {
      ofDay: (day: Day) => closes.ofDay(day, scope?.label ?? wholeLabel),
      recent: (limit: number) =>
        scope === null
          ? closes.recent(limit)
          : closes.recent(limit, [...new Set([scope.label, ...scope.stores.keys()])]),
    },
    async issuer(account: string, ruc: string): Promise<IssuerRecord | undefined> {
      const name = issuerName(account, ruc);
      if (scope !== null && !scope.issuers.has(name)) return undefined;
      const kept = await credentials.get({ platform: issuersUnder, shop: name });
      return IssuerRecord.safeParse(kept?.value).data;
    },
  };
}

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
