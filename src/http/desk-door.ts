import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { accountsUnder, issuersUnder } from '../core/issuer-record.ts';
import { type LedgerDesk, openDesk } from '../setup/health.ts';
import type { HttpDeps } from './deps.ts';
import { refuse } from './failures.ts';
import { openRawBody } from './raw-body.ts';

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
]);
export type DeskOrder = z.input<typeof order>;

/** What a ticket for this door is issued for: one body only. */
export const deskUse = (body: string | Uint8Array): string =>
  `desk ${createHash('sha256').update(body).digest('base64url')}`;

/**
 * `POST /desk`: where `install` and `doctor` read and write what the ledger keeps for them, while this process holds
 * it. Whoever has no ticket finds nothing here.
 */
export function deskDoor(deps: Pick<HttpDeps, 'ledger' | 'settings' | 'clock' | 'tickets'>): RequestHandler {
  const { ledger, settings, clock, tickets } = deps;
  const desk = openDesk(ledger, { settings, now: clock.now });
  const read = openRawBody(16 * 1024);
  return async (req, res) => {
    const ticket = /^Bearer (\S{1,200})$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const { body } = await read(req, res);
    const asked = order.safeParse(parse(body));
    if (!tickets.admits(deskUse(body), ticket) || !asked.success)
      return refuse(res, 404, 'not-found', 'Esta dirección no existe.');
    res.set('Cache-Control', 'no-store').json({ answer: await answer(desk, asked.data) });
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}

function answer(desk: LedgerDesk, asked: z.output<typeof order>): Promise<unknown> {
  if (asked.do === 'health') return desk.health();
  const { under, name } = asked;
  return asked.do === 'get' ? desk.get(under, name) : desk.put(under, name, asked.value, asked.version);
}
