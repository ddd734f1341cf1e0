import type { Config } from '../config/load.ts';
import { ecuadorDay } from '../domain/calendar.ts';
import type { Log } from '../domain/log.ts';
import type { Settings } from '../domain/settings.ts';
import { failingJobs } from '../jobs/watch/failing.ts';
import { ratesOf, watchInstallation } from '../observability/installation.ts';
import { type Metrics, openMetrics } from '../observability/metrics.ts';
import { type Observer, openObserver } from '../observability/observer.ts';
import { tracedLog } from '../observability/traced-log.ts';
import { openSpans } from '../observability/tracing.ts';
import type { Transport } from '../queue/transport.ts';
import type { Runtime } from './runtime.ts';
import { packageVersion } from './version.ts';

/** How a process is watched: its log, its metrics, its spans. */
export interface Observation {
  log: Log;
  metrics: Metrics;
  observer: Observer;
  close(): Promise<void>;
}

/** Throws ConfigError `tracing-missing` when tracing is asked for and not installed. */
export async function openObservation(config: Config, role: string, given: Log): Promise<Observation> {
  const log = tracedLog(given);
  const metrics = openMetrics({ version: packageVersion, role });
  const spans = await openSpans(config.tracing, packageVersion);
  const observer = openObserver({ metrics, spans, log });
  return {
    log,
    metrics,
    observer,
    // A collector that is away must not keep a process from stopping.
    close: () => spans.close().catch((error) => log.warn({ err: error }, 'The last spans were lost')),
  };
}

/** Shows what is true of the installation, as far as this role knows it. */
export function showInstallation(
  { metrics }: Observation,
  { ledger, clock, budgets, accounts, steps }: Runtime,
  stores: Settings['stores'],
  transport: Transport | null,
): void {
  for (const account of steps.accounts.keys()) metrics.account(account);
  watchInstallation(metrics.registry, {
    counts: ledger.counts,
    clock,
    rates: () => ratesOf(accounts, budgets),
    pauses: () => ledger.pauses.list(),
    async breakers() {
      const open = new Map((await ledger.breakers.list()).map(({ storeId, since }) => [storeId, since]));
      return [...stores.values()].map(({ id }) => ({ store: id, since: open.get(id) ?? null }));
    },
    failing: () => failingJobs({ ledger, clock }),
    lookUps: () => ledger.lookUps.ofDay(ecuadorDay(clock.now()), 'store'),
    async sweeps() {
      const shops = await ledger.sweeps.freshness();
      // A store that left the config is swept no more, and nobody needs to hear of it for ever.
      const configured = shops.filter(({ platform, shop }) => steps.storeOf(platform, shop));
      return configured.map(({ storeId, sweptTo, behind }) => ({ store: storeId, sweptTo, behind }));
    },
    ...(transport ? { jobs: async () => ({ ...(await transport.counts()) }) } : {}),
  });
}
