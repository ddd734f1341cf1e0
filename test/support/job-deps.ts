import type { AlertChannel } from '../../src/domain/alerts.ts';
import type { DocumentListener } from '../../src/domain/document.ts';
import type { Shop } from '../../src/domain/platform.ts';
import { type Log, type Mailer, silentLog } from '../../src/domain/ports.ts';
import { type Settings, storeOfShop } from '../../src/domain/settings.ts';
import { ledgerAlerts } from '../../src/jobs/alerts.ts';
import {
  defaultTimings,
  type JobDeps,
  openFailureCounter,
  type ReconciliationTimings,
} from '../../src/jobs/deps.ts';

/** What a test gives the steps beside ledger, service and shop. */
export interface JobDepsOptions {
  /** From when on orders are invoiced; all by default. */
  invoiceFrom?: Date;
  reconciliation?: Partial<ReconciliationTimings>;
  channels?: AlertChannel[];
  listeners?: DocumentListener[];
  mailer?: Mailer;
  /** Files of documents are kept within so many bytes; none by default. */
  keepBytes?: number;
}

export interface ReportedJobs {
  deps: JobDeps;
  /** What was told to a person: codes, and "<code> over". */
  alerts: string[];
  /** What was logged as an error. */
  errors: Record<string, unknown>[];
}

/** The steps' dependences as the composition root assembles them, with what they tell people and the log written down. */
export function jobDeps(
  { ledger, clock, service }: Pick<JobDeps, 'ledger' | 'clock' | 'service'>,
  /** The config as it is at the time, and the shop of its only store. */
  { settings, shop }: { settings(): Settings; shop: Shop | null },
  options: JobDepsOptions,
): ReportedJobs {
  const alerts: string[] = [];
  const channels = new Map(options.channels?.map((one) => [one.id, one]));
  const errors: Record<string, unknown>[] = [];
  const reported = ledgerAlerts({ ledger, clock, log: alertLog(alerts), channels });
  const deps: JobDeps = {
    ledger,
    clock,
    log: { ...silentLog, error: (fields: Record<string, unknown>) => void errors.push(fields) },
    timings: {
      ...defaultTimings,
      reconciliation: { ...defaultTimings.reconciliation, ...options.reconciliation },
    },
    links: {
      page: (id) => `http://127.0.0.1:1/d/${id}`,
      pdf: (id) => `http://127.0.0.1:1/d/${id}.pdf`,
      xml: (id) => `http://127.0.0.1:1/d/${id}.xml`,
      identification: (id, at) => `http://127.0.0.1:1/identificacion/${id}@${at.toISOString()}`,
    },
    mailer: options.mailer ?? null,
    keepBytes: options.keepBytes ?? 0,
    get accounts() {
      return settings().accounts;
    },
    storeOf: (platform, shopId) => storeOfShop(settings().stores, platform, shopId),
    storeById: (id) => settings().stores.get(id),
    shop: () => shop,
    onEvent: async () => null,
    service,
    revoked: new Set(),
    alerts: reported,
    channels,
    listeners: new Map(options.listeners?.map((one) => [one.id, one])),
    failureCounter: openFailureCounter(),
    seriesChecks: new Map(),
    startedAt: clock.now(),
    joinTrace: () => {},
    invoiceFrom: () => options.invoiceFrom ?? new Date(0),
  };
  return { deps, alerts, errors };
}

/** Alerts as the log tells them, by their codes. */
function alertLog(codes: string[]): Log {
  return {
    ...silentLog,
    error: ({ alert }) => void codes.push(String(alert)),
    info: ({ alert }) => void codes.push(`${alert} over`),
  };
}
