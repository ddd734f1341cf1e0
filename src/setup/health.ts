import { item } from '../domain/checks.ts';
import { documentKinds } from '../domain/document.ts';
import { keepsFailing } from '../domain/job.ts';
import type { InstallItem } from '../domain/platform.ts';
import { type Settings, seriesOf } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditEntryOutcome } from '../ledger/schema.ts';
import type { ServiceCalls } from '../service/index.ts';
import type { Records } from './deps.ts';

export interface SetupLedger extends Records {
  health(): Promise<LedgerHealth>;
  writeDown(auditEntry: ServiceAuditEntry): Promise<void>;
}

export interface ServiceAuditEntry {
  who: string;
  subject: string | null;
  outcome: Exclude<AuditEntryOutcome, 'refused'>;
  facts: Record<string, unknown>;
}

/** Instants are ISO; `aheadOfServerMs` is null for SQLite. */
export type LedgerHealth = Awaited<ReturnType<typeof healthOf>>;

export function openSetupLedger(
  ledger: Ledger,
  { settings, now }: { settings: Pick<Settings, 'stores'>; now(): Date },
): SetupLedger {
  return {
    get: (platform, shop) => ledger.credentials.get({ platform, shop }),
    put: (platform, shop, value, version) =>
      ledger.credentials.put({ platform, shop }, value, version, now()),
    writeDown: (auditEntry) => ledger.auditLog.add({ ...auditEntry, what: 'install-service', now: now() }),
    health: () => healthOf(ledger, settings, now()),
  };
}

async function healthOf(ledger: Ledger, settings: Pick<Settings, 'stores'>, now: Date) {
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
    failing: await ledger.failing.list({
      failures: keepsFailing.failures,
      since: new Date(now.getTime() - keepsFailing.forMs),
    }),
    aheadOfServerMs: await ledger.aheadOfServer({ now: () => new Date() }),
    stopped: series.flatMap(({ store, kind }, at) => {
      const stop = stops[at] ?? null;
      return stop === null ? [] : [{ storeId: store.id, kind, reason: stop.reason }];
    }),
  };
}

/** Spec, public status route. */
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

/** By the service's list of the last deliveries (spec, `ultimas_entregas`). */
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

/** All processes use the database server's clock. */
export function serverClockItem(aheadMs: number): InstallItem {
  const of = 'database';
  if (clocksAgree(aheadMs)) return item('account-clock', 'ok', { of });
  return item('account-clock', 'warning', { of, why: of, seconds: Math.round(aheadMs / 1000) });
}
