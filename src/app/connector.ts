import type { RequestListener } from 'node:http';
import type { Config } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { Clock } from '../domain/clock.ts';
import type { DocumentListener } from '../domain/document-event.ts';
import type { Log } from '../domain/log.ts';
import { variableOf } from '../domain/overrides.ts';
import type { Platform } from '../domain/platform.ts';
import type { Store } from '../domain/settings.ts';
import { takeStores } from '../jobs/connection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lostLedger } from '../ledger/lost.ts';
import type { Transport } from '../queue/transport.ts';
import { overrideItem } from '../setup/overrides.ts';
import { clocksAgree } from '../setup/server-clock.ts';
import { openTickets } from '../web/tickets.ts';
import { openAdmin } from './admin.ts';
import { openDoors } from './doors.ts';
import { linksOf } from './links.ts';
import { openObservation, showInstallation } from './observation.ts';
import { type Periodic, startPeriodic } from './periodic.ts';
import { askedAtStart, refuseUnconfirmed } from './production.ts';
import { openRuntime } from './runtime.ts';
import { openLiveSettings } from './settings.ts';
import { takeNewStores } from './stores.ts';
import { openTimekeeping, timeEveryMs } from './timekeeping.ts';
import { startWork } from './working.ts';

/** `web` answers the doors, `worker` does the work, `all` both in one process. */
export type Role = 'all' | 'web' | 'worker';

export interface ConnectorOptions {
  config: Config;
  role: Role;
  log: Log;
  /** Instead of the config's; 0 takes a free one. */
  port?: number;
  host?: string;
  /** Beside the built-in ones and those the config names. */
  platforms?: readonly Platform[];
  /** False opens no server of its own: the doors are `handler`, in the server of the program around. */
  listen?: boolean;
  /** Hears what becomes of documents, beside the webhooks of the config. */
  listeners?: readonly DocumentListener[];
}

export interface Connector {
  /** Where the doors listen; null for a worker, and where `listen` is false. */
  url: string | null;
  /** The doors, to be mounted where `publicUrl` leads; null for a worker. */
  handler: RequestListener | null;
  /** Where `/metrics` is answered; null for a worker without `metrics.port`. */
  metricsUrl: string | null;
  /** Stops taking in, finishes or gives back what runs within `deadlineMs`, closes everything. */
  close(deadlineMs: number): Promise<void>;
}

/** Opens what a role needs, in the order of dependence; what fails closes what was opened before. */
export async function openConnector(options: ConnectorOptions): Promise<Connector> {
  const { config, role } = options;
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const live = await openLiveSettings(config, options.platforms);
    const { settings } = live;
    const observation = await openObservation(config, role, options.log);
    closers.push(() => observation.close());
    const { log, observer } = observation;
    warnOfOverrides(config, log);
    const secrets = await openSecrets(config);
    const links = linksOf(config, secrets);
    const runtime = await openRuntime({
      config,
      live,
      secrets,
      links,
      log,
      observer,
      listeners: options.listeners,
    });
    closers.push(() => runtime.close());
    await warnOfClock(runtime.ledger, config, log);
    const { ledger, clock, steps } = runtime;
    const look = openTimekeeping({ ledger, clock, alerts: steps.alerts, log });
    const failed = 'The time could not be compared; again soon';
    closers.push(startPeriodic([{ run: look, everyMs: timeEveryMs[ledger.engine], failed }], log));
    await refuseUnconfirmed(askedAtStart(settings.stores, config), live, runtime.ledger);

    const tickets = openTickets(secrets.tickets, runtime.clock);
    let transport: Transport | null = null;
    let deadline = 0;
    if (role !== 'web') {
      transport = await startWork(runtime, settings, {
        tickets,
        config,
        log,
        observer,
        closers,
        deadline: () => deadline,
      });
    }
    const take = (added: Store[]) => takeStores(runtime.steps, added);
    const refresh: Periodic = {
      run: () => takeNewStores(runtime.stores, take, log),
      // So soon every process takes up a store that was added or taken away.
      everyMs: 3_000,
      failed: 'The stores of the ledger could not be read; again soon',
    };
    closers.push(startPeriodic([refresh], log));
    closers.push(await openAdmin(config, { runtime, live, secrets, tickets, log }));
    showInstallation(observation, runtime, settings.stores, transport);
    const doors = await openDoors(options, {
      runtime,
      observation,
      live,
      links,
      tickets,
      transport,
      closers,
    });
    return {
      ...doors,
      async close(deadlineMs) {
        deadline = deadlineMs;
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw lostLedger(error);
  }
}

/**
 * Whoever sets DATABASE_URL believes that the ledger is there. The config wins all the same, so that a variable meant
 * for another program moves no ledger and stops no installation; but never without a word.
 */
function warnOfOverrides({ overrides }: Pick<Config, 'overrides'>, log: Log): void {
  for (const setting of overrides) {
    const variable = variableOf[setting];
    const { what, cure } = overrideItem(setting);
    log.warn({ variable, setting, aviso: `${what}. ${cure}` }, `${variable} is set, but ${setting} counts`);
  }
}

/**
 * All processes go by the clock of PostgreSQL's server (timekeeping.ts). A machine whose own differs has a wrong clock, or the
 * server has: a person is to find out which, since documents bear the server's date.
 */
export async function warnOfClock(
  ledger: Pick<Ledger, 'aheadOfServer'>,
  { testClock }: Pick<Config, 'testClock'>,
  log: Log,
  machine: Clock = { now: () => new Date() },
): Promise<void> {
  if (testClock !== undefined) return;
  const aheadMs = await ledger.aheadOfServer(machine);
  if (aheadMs === null || clocksAgree(aheadMs)) return;
  const seconds = Math.round(aheadMs / 1000);
  const aviso = `El reloj de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${Math.abs(seconds)} s frente al del servidor PostgreSQL: se trabaja con la hora de PostgreSQL. Sincronice ambos (NTP).`;
  log.warn({ aheadMs, aviso }, "The clock differs from the database server's, which counts.");
}
