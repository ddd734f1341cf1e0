import { z } from 'zod';
import type { LiveSettings } from '../../app/settings.ts';
import { keptIn } from '../../app/stores.ts';
import type { Config } from '../../config/load.ts';
import { sweepLists } from '../../domain/sweep-lists.ts';
import { workKinds } from '../../domain/work.ts';
import { type LedgerDesk, openDesk } from '../../setup/health.ts';
import type { AdminRequest } from '../../web/admin/requests.ts';
import { askRunning } from '../ask-running.ts';
import { keptElsewhere, openOwnLedger } from '../own-ledger.ts';

export interface OpenDesk extends LedgerDesk {
  /** True where `start` holds the ledger and answers for it. */
  running: boolean;
  close(): Promise<void>;
}

const credential = z.object({ value: z.unknown(), version: z.int() }).nullable();
const late = z.object({ since: z.string(), failed: z.boolean() });
const health = z.object({
  engine: z.enum(['sqlite', 'postgresql']),
  stores: z.array(z.string()),
  alerts: z.array(
    z.object({
      code: z.string(),
      subject: z.string(),
      what: z.string(),
      cure: z.string(),
      since: z.string(),
    }),
  ),
  sweeps: z.array(
    z.object({ storeId: z.string(), sweptTo: z.string(), behind: z.partialRecord(z.enum(sweepLists), late) }),
  ),
  breakers: z.array(
    z.object({
      storeId: z.string(),
      since: z.string(),
      retryAt: z.string(),
      probes: z.number(),
      reason: z.string(),
    }),
  ),
  stopped: z.array(z.object({ storeId: z.string(), kind: z.string(), reason: z.string() })),
  failing: z.array(
    z.object({
      kind: z.enum(workKinds),
      subject: z.string(),
      storeId: z.string(),
      failures: z.number(),
      since: z.string(),
      reason: z.string(),
      dueAt: z.string(),
    }),
  ),
  aheadOfServerMs: z.number().nullable(),
});

/**
 * The ledger's desk: opened here, or asked of the `start` that holds it. Stores of the ledger are taken up in `live`.
 * Throws LedgerError.
 */
export async function findDesk(config: Config, live: LiveSettings): Promise<OpenDesk> {
  const { ledger, clock } = await openOwnLedger(config);
  if (ledger !== null) {
    live.adopt(await keptIn(ledger));
    const desk = openDesk(ledger, { settings: live.settings, now: clock.now });
    return { ...desk, running: false, close: () => ledger.close() };
  }
  live.adopt(await keptElsewhere(config));
  const ask = <T>(asked: AdminRequest, shape: z.ZodType<T>) => askRunning(config, asked, shape);
  const which = (under: string, name: string) => ({ under, name }) as { under: '@issuers'; name: string };
  return {
    running: true,
    get: (under, name) => ask({ do: 'record-get', ...which(under, name) }, credential),
    put: (under, name, value, version) =>
      ask({ do: 'record-put', ...which(under, name), value, version }, z.boolean()),
    health: () => ask({ do: 'health' }, health),
    async writeDown(deed) {
      await ask({ do: 'write-down', ...deed }, z.null());
    },
    close: async () => {},
  };
}
