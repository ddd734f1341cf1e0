import { openShopBreakers } from '../../src/app/shop-breakers.ts';
import type { AlertChannel } from '../../src/domain/alerts.ts';
import type { DocumentListener } from '../../src/domain/document-event.ts';
import { type Log, silentLog } from '../../src/domain/log.ts';
import type { Mailer } from '../../src/domain/mail.ts';
import type { Shop } from '../../src/domain/platform.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { isShadowShop } from '../../src/domain/shadow.ts';
import { storeOfShop } from '../../src/domain/store-index.ts';
import { ledgerAlerts } from '../../src/jobs/alerts.ts';
import { defaultTimings, type StepDeps, type SweepTimings } from '../../src/jobs/deps.ts';
import { openDoubts } from '../../src/jobs/doubts.ts';

/** What a test gives the steps beside ledger, service and shop. */
export interface StepDepsOptions {
  /** From when on orders are invoiced; all by default. */
  invoiceFrom?: Date;
  sweep?: Partial<SweepTimings>;
  channels?: AlertChannel[];
  listeners?: DocumentListener[];
  mailer?: Mailer;
  /** Files of documents are kept within so many bytes; none by default. */
  keepBytes?: number;
}

export interface ToldSteps {
  deps: StepDeps;
  /** What was told to a person: codes, and "<code> over". */
  alerts: string[];
  /** What was logged as an error. */
  errors: Record<string, unknown>[];
}

/** The steps' dependences as the composition root assembles them, with what they tell people and the log written down. */
export function stepDeps(
  { ledger, clock, service }: Pick<StepDeps, 'ledger' | 'clock' | 'service'>,
  /** The config as it is at the time, and the shop of its only store. */
  { settings, shop }: { settings(): Settings; shop: Shop | null },
  options: StepDepsOptions,
): ToldSteps {
  const alerts: string[] = [];
  const channels = new Map(options.channels?.map((one) => [one.id, one]));
  const errors: Record<string, unknown>[] = [];
  const told = ledgerAlerts({ ledger, clock, log: alertLog(alerts), channels });
  const watchBreaker = openShopBreakers({ ledger, clock, log: silentLog, alerts: told });
  const deps: StepDeps = {
    ledger,
    clock,
    log: { ...silentLog, error: (fields: Record<string, unknown>) => void errors.push(fields) },
    timings: { ...defaultTimings, sweep: { ...defaultTimings.sweep, ...options.sweep } },
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
    shop: (one) => (isShadowShop(one.shop) ? null : shop && watchBreaker(one.id, shop)),
    onEvent: async () => null,
    service,
    revoked: new Set(),
    alerts: told,
    channels,
    listeners: new Map(options.listeners?.map((one) => [one.id, one])),
    doubts: openDoubts(),
    seriesChecks: new Map(),
    joinJourney: () => {},
    invoiceFrom: () => options.invoiceFrom ?? new Date(0),
    newestInvoiceFrom: async () => options.invoiceFrom ?? new Date(0),
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
