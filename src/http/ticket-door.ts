import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { FacturapuenteError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';
import { refuse } from './failures.ts';
import { openRawBody } from './raw-body.ts';

/** A door of the command line: what is asked, the ticket it takes, and the answer. */
interface TicketDoor<Asked> {
  /** For the log. */
  name: string;
  /** What a request asks and the use its ticket must be for; null where it asks nothing that exists. */
  read(req: Request, body: Uint8Array): { asked: Asked; use: string } | null;
  /** JSON; undefined where there is no such thing. */
  answer(asked: Asked): Promise<unknown>;
}

const bodyLimit = 64 * 1024;

/**
 * Where the command line asks the process that holds the ledger. Whoever has no ticket finds nothing here; what is
 * refused is told with 409 and a sentence.
 */
export function ticketDoor<Asked>(
  { tickets, log }: Pick<HttpDeps, 'tickets' | 'log'>,
  { name, read, answer }: TicketDoor<Asked>,
): RequestHandler {
  const readBody = openRawBody(bodyLimit);
  return async (req, res) => {
    const hidden = () => refuse(res, 404, 'not-found', 'Esta dirección no existe.');
    const ticket = /^Bearer (\S{1,200})$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const { body } = await readBody(req, res);
    const known = read(req, body);
    if (!known || !tickets.admits(known.use, ticket)) return hidden();
    try {
      const said = await answer(known.asked);
      if (said === undefined) return hidden();
      log.info({ door: name }, 'The command line was answered');
      res.set('Cache-Control', 'no-store').json(said);
    } catch (error) {
      if (!(error instanceof FacturapuenteError)) throw error;
      log.warn({ door: name, err: error }, 'The command line was refused');
      refuse(res, 409, error.code, error.merchant);
    }
  };
}

/** A ticket is good for one body only. */
export const digestOf = (body: string | Uint8Array): string =>
  createHash('sha256').update(body).digest('base64url');

/** The body as JSON; null where it is none. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
