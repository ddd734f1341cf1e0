import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { FacturapuenteError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';
import { refuse } from './failures.ts';
import { openRawBody } from './raw-body.ts';

export const commandPath = '/commands/:name';

/** What a ticket for this door is issued for: one command with one body. */
export function commandUse(name: string, body: string | Uint8Array): string {
  return `command ${name} ${createHash('sha256').update(body).digest('base64url')}`;
}

/**
 * `POST /commands/:name`: where the command line asks the process that holds the ledger. Whoever has no ticket finds
 * nothing here.
 */
export function commandDoor({
  tickets,
  commands,
  log,
}: Pick<HttpDeps, 'tickets' | 'commands' | 'log'>): RequestHandler<{ name: string }> {
  const read = openRawBody(16 * 1024);
  return async (req, res) => {
    const { name } = req.params;
    const ticket = /^Bearer (\S{1,200})$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const { body } = await read(req, res);
    const hidden = () => refuse(res, 404, 'not-found', 'Esta dirección no existe.');
    if (!tickets.admits(commandUse(name, body), ticket)) return hidden();
    try {
      const answer = await commands.run(name, JSON.parse(Buffer.from(body).toString('utf8')));
      if (answer === undefined) return hidden();
      log.info({ command: name, done: answer.done }, 'A command was carried out');
      res.set('Cache-Control', 'no-store').json(answer);
    } catch (error) {
      if (!(error instanceof FacturapuenteError)) throw error;
      log.warn({ command: name, err: error }, 'A command was refused');
      refuse(res, 409, error.code, error.merchant);
    }
  };
}
