import type { RequestHandler } from 'express';
import type { HttpDeps } from './deps.ts';
import { digestOf, jsonOf, ticketDoor } from './ticket-door.ts';

export const commandPath = '/commands/:name';

/** What a ticket for this door is issued for: one command with one body. */
export const commandUse = (name: string, body: string | Uint8Array): string =>
  `command ${name} ${digestOf(body)}`;

/** `POST /commands/:name`: the commands of core/commands.ts. */
export function commandDoor(deps: Pick<HttpDeps, 'tickets' | 'commands' | 'log'>): RequestHandler {
  return ticketDoor(deps, {
    name: 'commands',
    read(req, body) {
      const name = String(req.params.name);
      return { asked: { name, input: jsonOf(body) }, use: commandUse(name, body) };
    },
    answer: ({ name, input }) => deps.commands.run(name, input),
  });
}
