import type { RequestHandler } from 'express';
import { z } from 'zod';
import { accountsUnder, issuersUnder } from '../core/issuer-record.ts';
import { type LedgerDesk, openDesk } from '../setup/health.ts';
import type { HttpDeps } from './deps.ts';
import { digestOf, jsonOf, ticketDoor } from './ticket-door.ts';

export const deskPath = '/desk';

const record = { under: z.enum([issuersUnder, accountsUnder]), name: z.string().min(1).max(200) };
const order = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('get'), ...record }),
  z.strictObject({
    do: z.literal('put'),
    ...record,
    value: z.unknown(),
    version: z.int().min(1).nullable(),
  }),
  z.strictObject({ do: z.literal('health') }),
  z.strictObject({
    do: z.literal('write-down'),
    who: z.string().min(1).max(200),
    subject: z.string().max(63).nullable(),
    outcome: z.enum(['done', 'nothing', 'failed']),
    facts: z.record(z.string().max(40), z.unknown()),
  }),
]);
export type DeskOrder = z.input<typeof order>;

/** What a ticket for this door is issued for: one body only. */
export const deskUse = (body: string | Uint8Array): string => `desk ${digestOf(body)}`;

/** `POST /desk`: what the ledger keeps for `install` and `doctor`. */
export function deskDoor(
  deps: Pick<HttpDeps, 'ledger' | 'settings' | 'clock' | 'tickets' | 'log'>,
): RequestHandler {
  const { ledger, settings, clock } = deps;
  const desk = openDesk(ledger, { settings, now: clock.now });
  return ticketDoor(deps, {
    name: 'desk',
    read(_req, body) {
      const asked = order.safeParse(jsonOf(body));
      return asked.success ? { asked: asked.data, use: deskUse(body) } : null;
    },
    answer: async (asked) => ({ answer: await answer(desk, asked) }),
  });
}

async function answer(desk: LedgerDesk, asked: z.output<typeof order>): Promise<unknown> {
  if (asked.do === 'health') return desk.health();
  if (asked.do === 'write-down') {
    const { do: _do, ...deed } = asked;
    await desk.writeDown(deed);
    return null;
  }
  const { under, name } = asked;
  return asked.do === 'get' ? desk.get(under, name) : desk.put(under, name, asked.value, asked.version);
}
