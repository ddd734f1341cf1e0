import { type Alert, type AlertChannel, type Alerts, logAlerts, type OpenAlert } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Ledger, Tables } from '../ledger/ledger.ts';
import { priorities } from './deps.ts';

/** What begins or ends within this time is told in one message. */
const gatherMs = 60_000;

type Channels = ReadonlyMap<string, AlertChannel>;

async function askTelling({ work }: Pick<Tables, 'work'>, channels: Channels, now: Date): Promise<void> {
  for (const id of channels.keys())
    await work.ask({
      kind: 'tell-alerts',
      subject: id,
      storeId: `avisos:${id}`,
      budget: null,
      priority: priorities.download,
      dueAt: new Date(now.getTime() + gatherMs),
    });
}

/**
 * Raises an alert inside the transaction that writes its cause, so that no death between the two loses it. Answers whether
 * it is new.
 */
export async function beginAlert(
  { channels }: { channels: Channels },
  tables: Pick<Tables, 'alerts' | 'work'>,
  alert: Alert,
  now: Date,
): Promise<boolean> {
  if (!(await tables.alerts.raise(alert, now))) return false;
  await askTelling(tables, channels, now);
  return true;
}

/** Ends an alert inside the transaction that ends its cause, so that no death between the two leaves it standing. */
export async function endAlert(
  { channels }: { channels: Channels },
  tables: Pick<Tables, 'alerts' | 'work'>,
  { code, subject }: { code: string; subject: string },
  now: Date,
): Promise<void> {
  if (await tables.alerts.end({ code, subject }, now)) await askTelling(tables, channels, now);
}

/** Ends what was told under these codes and does not last. */
export async function keepOnly(
  { ledger, alerts }: { ledger: Pick<Ledger, 'alerts'>; alerts: Alerts },
  codes: string | readonly string[],
  lasts: (alert: OpenAlert) => boolean,
): Promise<void> {
  for (const alert of await ledger.alerts.open()) {
    const { code, subject } = alert;
    if ([codes].flat().includes(code) && !lasts(alert)) await alerts.over({ code, subject });
  }
}

/**
 * Alerts by way of the ledger: told once for all processes, and every channel hears of them (tell-alerts.ts). They
 * stand in the log as well.
 */
export function ledgerAlerts(parts: {
  ledger: Pick<Ledger, 'alerts' | 'transaction'>;
  clock: Clock;
  log: Log;
  channels: Channels;
}): Alerts {
  const { ledger, clock, log, channels } = parts;
  const logged = logAlerts(log);

  /** The change and the work that tells of it, in one COMMIT; a ledger that fails must not fail the caller. */
  async function change(
    run: (tables: Parameters<Parameters<Ledger['transaction']>[0]>[0], now: Date) => Promise<boolean>,
  ) {
    const now = clock.now();
    return ledger
      .transaction(async (tables) => {
        if (!(await run(tables, now))) return false;
        await askTelling(tables, channels, now);
        return true;
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'An alert could not be kept; it stands in this log alone');
        return true;
      });
  }

  return {
    async raise(alert) {
      if (await change(({ alerts }, now) => alerts.raise(alert, now))) await logged.raise(alert);
    },
    async over({ code, subject }) {
      const codes = [code].flat();
      // Where the look fails, so will the change, and that is said.
      for (const one of await ledger.alerts.lasting(subject, codes).catch(() => codes)) {
        const name = { code: one, subject };
        if (await change(({ alerts }, now) => alerts.end(name, now))) await logged.over(name);
      }
    },
  };
}
