import { z } from 'zod';
import { documentKinds } from '../domain/document.ts';
import { jobKinds, keepsFailing } from '../domain/job.ts';
import { reconciliationLists } from '../domain/listing.ts';
import type { InstallItem } from '../domain/platform.ts';
import { type Settings, seriesOf } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditEntryOutcome } from '../ledger/schema.ts';
import type { DeliveryAttempt, ServiceCalls } from '../service/index.ts';
import { item } from './deps.ts';
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
  const what = 'Estado del servicio y del SRI';
  const answer = await estadoServicio();
  if (answer.kind !== 'status')
    return item('service-status', what, 'warning', {
      resolution: 'El servicio no dice cómo está; si las facturas salen, no es nada.',
    });
  const { estado, sri } = answer;
  const parts = {
    servicio: estado,
    'recepción del SRI': sri.recepcion,
    'autorización del SRI': sri.autorizacion,
  };
  const bad = Object.entries(parts).filter(([, word]) => word !== null && word !== 'operativo');
  if (bad.length === 0) return item('service-status', what, 'ok');
  const down = bad.some(([, word]) => word === 'caido');
  return item('service-status', what, down ? 'problem' : 'warning', {
    resolution: `${bad.map(([name, word]) => `${name}: ${word}`).join(', ')}. No hay que hacer nada: lo que espera sale solo cuando vuelva.`,
  });
}

/** Whether the service's webhooks arrive, by its list of the last deliveries (spec, `ultimas_entregas`). */
export async function deliveriesItem({
  leerWebhook,
}: Pick<ServiceCalls, 'leerWebhook'>): Promise<InstallItem[]> {
  const answer = await leerWebhook();
  if (answer.kind !== 'webhook' || answer.url === null) return [];
  const what = 'Avisos del servicio';
  const [last] = answer.ultimasEntregas;
  if (last === undefined)
    return [
      item('deliveries', what, 'warning', {
        resolution:
          'El servicio todavía no ha enviado ninguno: pida en su panel una entrega de prueba (webhook.prueba) y repita.',
      }),
    ];
  if (last.exito !== false)
    return [item('deliveries', `${what}, el último ${last.enviadoEn ?? ''}`.trim(), 'ok')];
  return [item('deliveries', what, 'problem', { resolution: whyLost(last) })];
}

function whyLost({ evento, enviadoEn, estadoHttp, error }: DeliveryAttempt): string {
  const when = `El último (${evento ?? 'sin nombre'}, ${enviadoEn ?? 'sin fecha'})`;
  if (estadoHttp === 401)
    return `${when} llegó con otra firma: el secreto del servicio no es el de la configuración; repítalo con «facturapuente install --resend».`;
  if (estadoHttp !== null)
    return `${when} recibió la respuesta ${estadoHttp}: revise que publicUrl lleve a facturapuente y que su proxy deje pasar POST.`;
  return `${when} no llegó (${error ?? 'sin respuesta'}): publicUrl debe abrirse desde internet. Mientras tanto se pregunta por cada documento.`;
}

/** Dates and signatures tolerate more; a busy network may delay the answer by less. */
const toleratedMs = 5_000;

export const clocksAgree = (aheadMs: number): boolean => Math.abs(aheadMs) <= toleratedMs;

/** The clock of this machine compared with the database server's, which all processes use. */
export function serverClockItem(aheadMs: number): InstallItem {
  const what = 'Reloj de esta máquina frente al de PostgreSQL';
  if (clocksAgree(aheadMs)) return item('server-clock', what, 'ok');
  const seconds = Math.round(aheadMs / 1000);
  return item('server-clock', what, 'warning', {
    resolution: `El de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${Math.abs(seconds)} s: sincronice ambos (NTP). Se trabaja con la hora de PostgreSQL, que va en los documentos.`,
  });
}
