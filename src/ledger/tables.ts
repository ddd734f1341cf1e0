import type { Behind } from '../domain/listing.ts';
import { camelCased, snakeCased } from '../domain/text.ts';
import { type Access, ofShops } from './access.ts';
import { alertTable, cursorTable } from './alerts.ts';
import { attemptTable, fileTable, keyDigitsTable, unknownDocumentTable } from './attempts.ts';
import { auditLogTable } from './audit-log.ts';
import type { Cipher } from './cipher.ts';
import { clockCorrectionTable } from './clock-correction.ts';
import { closeTable, dayTallyTable } from './closes.ts';
import { countTable, failingTable } from './counts.ts';
import { dayTable } from './days.ts';
import { documentPageTable, openDocumentTable } from './document-pages.ts';
import { documentTable } from './documents.ts';
import { findingTable } from './finding.ts';
import { jobTable } from './jobs/jobs.ts';
import { waiting } from './jobs/partitions.ts';
import type { RateLimitTable } from './jobs/tables.ts';
import { lookUpTable } from './look-ups.ts';
import { deliveryTable, orderTable } from './orders.ts';
import { breakerTable, pauseTable } from './pauses.ts';
import { linkVersionTable, questionTable } from './questions.ts';
import { retentionTable } from './retention.ts';
import { failureCountTable, secondFactorTable } from './second-factors.ts';
import { seriesTable } from './sequences.ts';
import { sessionTable } from './sessions.ts';
import type { Reconciliations, ShopKey, Stores } from './shop-tables.ts';
import { credentialTable, lockTable, shopTable } from './shops.ts';
import { storeFigureTable } from './store-figures.ts';
import { installationTable, taskTable } from './tasks.ts';
import { timelineReader } from './timeline.ts';

function reconciliationTable({ db }: Access): Reconciliations {
  return {
    async begin({ platform, shop }, reconciledTo) {
      await db()
        .insertInto('reconciliations')
        .values({
          ...{ platform, shop, version: 1, reconciled_to: reconciledTo.toISOString() },
          ...{ behind_since: null, behind: null, progress: null },
        })
        .onConflict((known) => known.columns(['platform', 'shop']).doNothing())
        .execute();
    },

    async get({ platform, shop }) {
      const row = await db()
        .selectFrom('reconciliations')
        .select(['version', 'reconciled_to', 'behind_since', 'behind', 'progress'])
        .where((is) => is.and({ platform, shop }))
        .executeTakeFirst();
      if (!row) return undefined;
      return {
        ...camelCased(row),
        behind: readBehind(row.behind),
        progress: row.progress === null ? null : JSON.parse(row.progress),
      };
    },

    async save({ platform, shop }, { version, reconciledTo, behindSince, behind, progress }) {
      const saved = await db()
        .updateTable('reconciliations')
        .set({
          version: version + 1,
          ...snakeCased({ reconciledTo, behindSince }),
          behind: JSON.stringify(behind),
          progress: JSON.stringify(progress),
        })
        .where((is) => is.and({ platform, shop, version }))
        .executeTakeFirst();
      return saved.numUpdatedRows > 0n;
    },

    async freshness(scope = null) {
      const rows = await db()
        .selectFrom('reconciliations')
        .innerJoin('stores', (join) =>
          join
            .onRef('stores.platform', '=', 'reconciliations.platform')
            .onRef('stores.shop', '=', 'reconciliations.shop'),
        )
        .select([
          'reconciliations.platform',
          'reconciliations.shop',
          'stores.id as store_id',
          'version',
          'reconciled_to',
          'behind',
        ])
        .where(ofShops(scope, 'reconciliations'))
        .orderBy('stores.id')
        .execute();
      return rows.map((row) => ({ ...camelCased(row), behind: readBehind(row.behind) }));
    },
  };
}

/** Our own JSON; null before the first run ended. */
function readBehind(text: string | null): Behind {
  return text === null ? {} : JSON.parse(text);
}

function storeTable(access: Access): Stores {
  const { db } = access;
  const find = ({ platform, shop }: ShopKey) =>
    db()
      .selectFrom('stores')
      .select(['first_started_at', 'app'])
      .where((is) => is.and({ platform, shop }))
      .executeTakeFirst();
  return {
    async register({ id, platform, shop, app = null, now }) {
      const row = await db()
        .insertInto('stores')
        .values({
          platform,
          shop,
          id,
          app,
          first_started_at: now.toISOString(),
          address: null,
          asked_at: null,
        })
        .onConflict((known) => known.columns(['platform', 'shop']).doUpdateSet({ id, app }))
        .returning('first_started_at')
        .executeTakeFirstOrThrow();
      return camelCased(row);
    },

    async list() {
      const rows = await db()
        .selectFrom('stores')
        .select(['platform', 'shop', 'id', 'first_started_at'])
        .execute();
      return rows.map(camelCased);
    },

    firstStart: async (shop) => (await find(shop))?.first_started_at,

    async moveFirstStart({ platform, shop }, to) {
      await db()
        .updateTable('stores')
        .set({ first_started_at: to.toISOString() })
        .where((is) => is.and({ platform, shop }))
        .execute();
    },

    lastApp: async (shop) => (await find(shop))?.app ?? null,

    async wake(storeId, now) {
      await db()
        .updateTable('jobs')
        .set({ due_at: now.toISOString() })
        .where((is) => is.and({ store_id: storeId, state: waiting }))
        .where('kind', 'in', ['sync-order', 'write-back', 'reconciliation', 'submit-document'])
        .where('due_at', '>', now.toISOString())
        .execute();
      access.jobChanged();
    },
  };
}

function rateLimitTable({ db }: Access): RateLimitTable {
  return {
    async read(name) {
      const row = await db()
        .selectFrom('rate_limits')
        .select(['tat', 'slow_until'])
        .where('key_hash', '=', name)
        .executeTakeFirst();
      return row ? { tat: row.tat, slowUntil: row.slow_until } : null;
    },

    async swap(name, expected, { tat, slowUntil }) {
      if (expected === null) {
        const made = await db()
          .insertInto('rate_limits')
          .values({ key_hash: name, tat, slow_until: slowUntil })
          .onConflict((known) => known.column('key_hash').doNothing())
          .returning('tat')
          .executeTakeFirst();
        return made !== undefined;
      }
      const swapped = await db()
        .updateTable('rate_limits')
        .set({ tat, slow_until: slowUntil })
        .where((is) => is.and({ key_hash: name, tat: expected.tat, slow_until: expected.slowUntil }))
        .executeTakeFirst();
      return swapped.numUpdatedRows > 0n;
    },
  };
}

const openings = {
  stores: storeTable,
  shops: shopTable,
  deliveries: deliveryTable,
  orders: orderTable,
  documents: documentTable,
  openDocuments: openDocumentTable,
  attempts: attemptTable,
  sequences: seriesTable,
  keyDigits: keyDigitsTable,
  jobs: jobTable,
  rateLimits: rateLimitTable,
  pauses: pauseTable,
  breakers: breakerTable,
  counts: countTable,
  alerts: alertTable,
  cursors: cursorTable,
  reconciliations: reconciliationTable,
  credentials: credentialTable,
  locks: lockTable,
  questions: questionTable,
  linkVersions: linkVersionTable,
  lookUps: lookUpTable,
  files: fileTable,
  unknownDocuments: unknownDocumentTable,
  installation: installationTable,
  retention: retentionTable,
  closes: closeTable,
  days: dayTable,
  finding: (access: Access) => findingTable(access),
  documentPages: (access: Access) => documentPageTable(access),
  dayTallies: dayTallyTable,
  storeFigures: (access: Access) => storeFigureTable(access),
  timelines: (access: Access) => timelineReader(access),
  sessions: sessionTable,
  secondFactors: secondFactorTable,
  failureCounts: failureCountTable,
  auditLog: auditLogTable,
  tasks: (access: Access) => taskTable(access),
  clockCorrection: clockCorrectionTable,
  failing: failingTable,
};

/** The tables of the ledger by name; each of these types says what its table keeps. */
export type Tables = { [Name in keyof typeof openings]: ReturnType<(typeof openings)[Name]> };

export function openTables(access: Access, cipher: Cipher): Tables {
  const opened = Object.entries(openings).map(([name, open]) => [name, open(access, cipher)]);
  return Object.fromEntries(opened) as Tables;
}

/** The tables of one transaction, each opened when it is first used: a transaction uses few of them. */
export function tablesInside(access: Access, cipher: Cipher): Tables {
  const opened = new Map<PropertyKey, unknown>();
  return new Proxy<object>(openings, {
    get(_, name) {
      if (!opened.has(name) && Object.hasOwn(openings, name))
        opened.set(name, openings[name as keyof typeof openings](access, cipher));
      return opened.get(name);
    },
  }) as Tables;
}
