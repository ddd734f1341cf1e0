import { z } from 'zod';
import { clockRate } from '../config/clock.ts';
import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import { LedgerError } from '../core/errors.ts';
import type { Tickets } from '../core/tickets.ts';

const refusal = z.looseObject({ error: z.string(), message: z.string() });

/** As long as a slow shop may take for all that is asked of it. */
const patienceMs = 5 * 60_000;
/** As long as a request may be under way: real time, in which whoever would repeat it lives too. */
const ticketMs = 60_000;

/**
 * Asks `start`, which holds the ledger, through a door on this machine that only a ticket opens; answers its JSON.
 * Throws LedgerError with what it refused, or `install-unheard`.
 */
export async function postRunning(
  { port, testClock }: Pick<Config, 'port' | 'testClock'>,
  asked: { tickets: Tickets; clock: Clock; path: string; use: string; body?: string },
): Promise<unknown> {
  const { tickets, clock, path, use, body } = asked;
  const ticket = tickets.issue(use, new Date(clock.now().getTime() + ticketMs * clockRate(testClock)));
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ticket}`, connection: 'close' },
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
    ...(body === undefined ? {} : { body }),
  }).catch((error: Error) => {
    throw unheard(port, error);
  });
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said;
  const refused = refusal.safeParse(said).data;
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
