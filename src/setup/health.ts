import { z } from 'zod';
import { item } from '../domain/checks.ts';
import { documentKinds } from '../domain/document.ts';
import { jobKinds, keepsFailing } from '../domain/job.ts';
import { reconciliationLists } from '../domain/listing.ts';
import type { InstallItem } from '../domain/platform.ts';
import { type Settings, seriesOf } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditEntryOutcome } from '../ledger/schema.ts';
import type { ServiceCalls } from '../service/index.ts';
import type { Records } from './records.ts';

const text = z.string();

/** What the ledger knows of the installation's health: `doctor` shows it beside its own checks. Instants are ISO. */
export const ledgerHealth = z.object({
  engine: z.enum(['sqlite', 'postgresql']),
  /** Of config and ledger. */
  stores: z.array(text),
  alerts: z.array(z.object({ code: text, subject: text, what: text, resolution: text, since: text })),
  /** Until when all changes of a shop are known, and which of its lists were not read to the end. */
  reconciliations: z.array(
    z.object({
      storeId: text,
      reconciledTo: text,
      behind: z.partialRecord(z.enum(reconciliationLists), z.object({ since: text, failed: z.boolean() })),
    }),
  ),
  /** Shops that do not answer, and when they are tried again. */
  breakers: z.array(
    z.object({ storeId: text, since: text, retryAt: text, probes: z.number(), reason: text }),
  ),
  /** Series that give no numbers until a person decides. */
  stopped: z.array(z.object({ storeId: text, kind: text, reason: text })),
  /** Jobs that keep failing (domain/job.ts, `keepsFailing`). */
  failing: z.array(
    z.object({
      kind: z.enum(jobKinds),
      subject: text,
      storeId: text,
      failures: z.number(),
      since: text,
      reason: text,
      dueAt: text,
    }),
  ),
  /** How far this machine's clock is ahead of the database server's; null for SQLite. */
  aheadOfServerMs: z.number().nullable(),
});
export type LedgerHealth = z.output<typeof ledgerHealth>;

/** Records and health of the ledger, read by the process that holds it. */
export interface SetupLedger extends Records {
  health(): Promise<LedgerHealth>;
  /** Adds to the audit log who installed the service's side, with the outcome. */
  writeDown(auditEntry: ServiceAuditEntry): Promise<void>;
}

export interface ServiceAuditEntry {
  who: string;
  /** The store it was done for; null for all. */
  subject: string | null;
  outcome: Exclude<AuditEntryOutcome, 'refused'>;
  facts: Record<string, unknown>;
}

export function openSetupLedger(
  ledger: Ledger,
  { settings, now }: { settings: Pick<Settings, 'stores'>; now(): Date },
): SetupLedger {
  return {
    get: (platform, shop) => ledger.credentials.get({ platform, shop }),
    put: (platform, shop, value, version) =>
      ledger.credentials.put({ platform, shop }, value, version, now()),
    writeDown: (auditEntry) => ledger.auditLog.add({ ...auditEntry, what: 'install-service', now: now() }),
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
        reconciliations: (await ledger.reconciliations.freshness())
          .filter(({ platform, shop }) => known.has(`${platform} ${shop}`))
          .map(({ storeId, reconciledTo, behind }) => ({ storeId, reconciledTo, behind })),
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

/** The state of the service and of the tax authority (spec, public status route). */
export async function statusItem({
  estadoServicio,
}: Pick<ServiceCalls, 'estadoServicio'>): Promise<InstallItem> {
  const answer = await estadoServicio();
  if (answer.kind !== 'status') return item('account-service', 'warning', { why: 'silent' });
  const bad = (word: string | null) => (word === 'operativo' ? null : word);
  const { estado, sri } = answer;
  const states = {
    service: bad(estado),
    reception: bad(sri.recepcion),
    authorization: bad(sri.autorizacion),
  };
  const words = Object.values(states).filter((word) => word !== null);
  if (words.length === 0) return item('account-service', 'ok', {});
  const state = words.includes('caido') ? 'problem' : 'warning';
  return item('account-service', state, { why: 'states', ...states });
}

/** Whether the service's webhooks arrive, by its list of the last deliveries (spec, `ultimas_entregas`). */
export async function deliveriesItem({
  leerWebhook,
}: Pick<ServiceCalls, 'leerWebhook'>): Promise<InstallItem[]> {
  const answer = await leerWebhook();
  if (answer.kind !== 'webhook' || answer.url === null) return [];
  const [last] = answer.ultimasEntregas;
  const about = { of: 'deliveries', at: null } as const;
  if (last === undefined) return [item('service-webhook', 'warning', { ...about, why: 'none' })];
  const { exito, evento: event, enviadoEn: at, estadoHttp: status, error: reason } = last;
  if (exito !== false) return [item('service-webhook', 'ok', { ...about, at })];
  const lost = { ...about, attempt: { event, at } };
  if (status === 401) return [item('service-webhook', 'problem', { ...lost, why: 'signature' })];
  if (status !== null) return [item('service-webhook', 'problem', { ...lost, why: 'answered', status })];
  return [item('service-webhook', 'problem', { ...lost, why: 'lost', reason })];
}

/** Dates and signatures tolerate more; a busy network may delay the answer by less. */
const toleratedMs = 5_000;

export const clocksAgree = (aheadMs: number): boolean => Math.abs(aheadMs) <= toleratedMs;

/** The clock of this machine compared with the database server's, which all processes use. */
export function serverClockItem(aheadMs: number): InstallItem {
  const of = 'database';
  if (clocksAgree(aheadMs)) return item('account-clock', 'ok', { of });
  return item('account-clock', 'warning', { of, why: of, seconds: Math.round(aheadMs / 1000) });
}
