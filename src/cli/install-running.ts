import { z } from 'zod';
import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import { LedgerError } from '../core/errors.ts';
import type { Installation } from '../core/install.ts';
import type { Tickets } from '../core/tickets.ts';
import { type InstallOrder, installUse } from '../http/install-door.ts';

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
const refusal = z.looseObject({ error: z.string(), message: z.string() });

/** As long as a slow shop may take for all that is asked of it. */
const patienceMs = 5 * 60_000;

/** The same, done by `start`, which holds the ledger, through its door on this machine. Throws LedgerError. */
export async function askRunning(
  { port }: Pick<Config, 'port'>,
  { tickets, clock, store, asked }: { tickets: Tickets; clock: Clock; store: string; asked: InstallOrder },
): Promise<Installation> {
  const ticket = tickets.issue(installUse(store, asked), new Date(clock.now().getTime() + 60_000));
  const address = `http://127.0.0.1:${port}/install/${encodeURIComponent(store)}?do=${asked}`;
  const answer = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${ticket}`, connection: 'close' },
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  }).catch((error: Error) => {
    throw unheard(port, error);
  });
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return answerShape.parse(body);
  const refused = refusal.safeParse(body).data;
  if (!refused || answer.status === 404) throw unheard(port);
  throw new LedgerError(
    refused.error,
    refused.message,
    `The running process on port ${port} refused: ${refused.error}.`,
  );
}

function unheard(port: number, cause?: Error): LedgerError {
  return new LedgerError(
    'install-unheard',
    `El registro lo tiene facturapuente start y no atiende en el puerto ${port} de esta máquina: si lo inició con otro --port, escríbalo en «port»; si no, deténgalo y repita.`,
    `The ledger is held, and nobody who can read our ticket answers on port ${port}; set \`port\`, or stop start and repeat.`,
    { cause },
  );
}
