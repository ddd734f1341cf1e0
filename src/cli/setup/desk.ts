import { z } from 'zod';
import type { KeptStore, LiveSettings } from '../../app/settings.ts';
import { keptStores } from '../../app/stores.ts';
import type { Config } from '../../config/load.ts';
import { openSecrets } from '../../config/secret.ts';
import { silentLog } from '../../core/log.ts';
import { sweepLists } from '../../core/sweep-lists.ts';
import { type DeskOrder, deskPath, deskUse } from '../../http/desk-door.ts';
import { openLedgerReader } from '../../ledger/read.ts';
import { type LedgerDesk, openDesk } from '../../setup/health.ts';
import { openOwnLedger } from '../own-ledger.ts';
import { postRunning } from '../post-running.ts';

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
  stopped: z.array(z.object({ storeId: z.string(), kind: z.string(), reason: z.string() })),
  aheadOfServerMs: z.number().nullable(),
});

/**
 * The ledger's desk: opened here, or asked of the `start` that holds it. Stores of the ledger are taken up in `live`.
 * Throws LedgerError.
 */
export async function findDesk(config: Config, live: LiveSettings): Promise<OpenDesk> {
  const { ledger, clock, tickets } = await openOwnLedger(config);
  if (ledger !== null) {
    live.adopt(await keptStores(ledger));
    const desk = openDesk(ledger, { settings: live.settings, now: clock.now });
    return { ...desk, running: false, close: () => ledger.close() };
  }
  live.adopt(await heldStores(config));
  async function ask<T>(order: DeskOrder, shape: z.ZodType<T>): Promise<T> {
    const body = JSON.stringify(order);
    const said = await postRunning(config, { tickets, clock, path: deskPath, use: deskUse(body), body });
    return z.object({ answer: shape }).parse(said).answer;
  }
  const which = (under: string, name: string) => ({ under, name }) as { under: '@issuers'; name: string };
  return {
    running: true,
    get: (under, name) => ask({ do: 'get', ...which(under, name) }, credential),
    put: (under, name, value, version) =>
      ask({ do: 'put', ...which(under, name), value, version }, z.boolean()),
    health: () => ask({ do: 'health' }, health),
    async writeDown(deed) {
      await ask({ do: 'write-down', ...deed }, z.null());
    },
    close: async () => {},
  };
}

/** The stores of a ledger that somebody else holds, looked at beside him. */
async function heldStores(config: Config): Promise<KeptStore[]> {
  const { seal } = await openSecrets(config);
  const reader = openLedgerReader({ ...config.ledger, sealKey: seal }, silentLog);
  try {
    return reader.credentials ? await keptStores({ credentials: reader.credentials }) : [];
  } finally {
    await reader.close();
  }
}
