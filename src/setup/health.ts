import type { OpenAlert } from '../domain/alerts.ts';
import type { OpenBreaker } from '../domain/circuit-breaker.ts';
import { documentKinds } from '../domain/document.ts';
import { seriesOf } from '../domain/series.ts';
import type { Settings } from '../domain/settings.ts';
import type { Behind } from '../domain/sweep-lists.ts';
import { keepsFailing } from '../domain/work.ts';
import type { DeedOutcome } from '../ledger/deeds.ts';
import type { FailingJob } from '../ledger/failing.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Records } from './records.ts';

/** What the ledger knows of the installation's health; what `doctor` shows beside its own looks. */
export interface LedgerHealth {
  engine: 'sqlite' | 'postgresql';
  /** All that are known there, those of the ledger included. */
  stores: string[];
  alerts: OpenAlert[];
  /** Until when all changes of a shop are known, and which of its lists do not come to their end. */
  sweeps: { storeId: string; sweptTo: string; behind: Behind }[];
  /** Shops that do not answer, and when they are tried again. */
  breakers: OpenBreaker[];
  /** Series that give no numbers until somebody looks. */
  stopped: { storeId: string; kind: string; reason: string }[];
  /** Jobs that keep failing (domain/work.ts, `keepsFailing`). */
  failing: FailingJob[];
  /** How far the clock here is ahead of the database server's; null where there is none. */
  aheadOfServerMs: number | null;
}

/** Records and health, read where the ledger is held: here, or by the `start` that holds it. */
export interface LedgerDesk extends Records {
  health(): Promise<LedgerHealth>;
  /** That somebody had the service's side installed, and what came of it. */
  writeDown(deed: ServiceDeed): Promise<void>;
}

export interface ServiceDeed {
  who: string;
  /** The store it was done for; null for all. */
  subject: string | null;
  outcome: Exclude<DeedOutcome, 'refused'>;
  facts: Record<string, unknown>;
}

export function openDesk(
  ledger: Ledger,
  { settings, now }: { settings: Pick<Settings, 'stores'>; now(): Date },
): LedgerDesk {
  return {
    get: (platform, shop) => ledger.credentials.get({ platform, shop }),
    put: (platform, shop, value, version) =>
      ledger.credentials.put({ platform, shop }, value, version, now()),
    writeDown: (deed) => ledger.deeds.add({ ...deed, what: 'install-service', now: now() }),
    async health() {
      const stores = [...settings.stores.values()];
      const series = stores.flatMap((store) => documentKinds.map((kind) => ({ store, kind })));
      const stops = await Promise.all(
        series.map(({ store, kind }) => ledger.sequences.stopped(seriesOf(store, kind))),
      );
      const known = new Set(stores.map(({ platform, shop }) => `${platform.name} ${shop}`));
      return {
        engine: ledger.engine,
        stores: stores.map(({ id }) => id),
        alerts: await ledger.alerts.open(),
        sweeps: (await ledger.sweeps.freshness())
          .filter(({ platform, shop }) => known.has(`${platform} ${shop}`))
          .map(({ storeId, sweptTo, behind }) => ({ storeId, sweptTo, behind })),
        breakers: (await ledger.breakers.list()).filter(({ storeId }) => settings.stores.has(storeId)),
        failing: await ledger.failing.list({
          failures: keepsFailing.failures,
          since: new Date(now().getTime() - keepsFailing.forMs),
        }),
        aheadOfServerMs: await ledger.aheadOfServer({ now: () => new Date() }),
        stopped: series.flatMap(({ store, kind }, at) => {
          const stop = stops[at] ?? null;
          return stop === null ? [] : [{ storeId: store.id, kind, reason: stop.reason }];
        }),
      };
    },
  };
}
