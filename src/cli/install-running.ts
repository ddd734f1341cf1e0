import { z } from 'zod';
import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Installation } from '../core/install.ts';
import type { Tickets } from '../core/tickets.ts';
import { type InstallOrder, installUse } from '../http/install-door.ts';
import { postRunning } from './post-running.ts';

const answerShape = z.object({
  items: z.array(
    z.object({
      code: z.string().exactOptional(),
      what: z.string(),
      state: z.enum(['ok', 'missing', 'differs', 'problem', 'warning']),
      cure: z.string().nullable(),
      done: z.boolean().exactOptional(),
    }),
  ),
  files: z.array(z.object({ name: z.string().regex(/^[\w.-]+$/), content: z.string() })),
});

/** The same, done by `start`, which holds the ledger, through its door on this machine. Throws LedgerError. */
export async function askRunning(
  config: Pick<Config, 'port' | 'testClock'>,
  asking: { tickets: Tickets; clock: Clock; store: string; asked: InstallOrder; by: string },
): Promise<Installation> {
  const { tickets, clock, store, asked, by } = asking;
  const path = `/install/${encodeURIComponent(store)}?do=${asked}&by=${encodeURIComponent(by)}`;
  return answerShape.parse(
    await postRunning(config, { tickets, clock, path, use: installUse(store, asked, by) }),
  );
}
