import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { FacturapuenteError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';
import { refuse } from './failures.ts';
import { openRawBody } from './raw-body.ts';

export const storePath = '/stores/:store';

const orders = ['add', 'remove', 'list'] as const;
export type StoreOrder = (typeof orders)[number];
const order = z.enum(orders);

/** What a ticket for this door is issued for: one body only. */
export function storeUse(store: string, asked: StoreOrder, body: string | Uint8Array): string {
  return `store ${store} ${asked} ${createHash('sha256').update(body).digest('base64url')}`;
}

/**
 * `POST /stores/:store?do=add|remove|list`: where the command line asks the process that holds the ledger. Whoever has
 * no ticket finds nothing here.
 */
export function storeDoor({
  tickets,
  storing,
  log,
}: Pick<HttpDeps, 'tickets' | 'storing' | 'log'>): RequestHandler<{ store: string }> {
  const read = openRawBody(64 * 1024);
  return async (req, res) => {
    const { store } = req.params;
    const asked = order.safeParse(req.query.do);
    const ticket = /^Bearer (\S{1,200})$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const { body } = await read(req, res);
    if (!asked.success || !tickets.admits(storeUse(store, asked.data, body), ticket))
      return refuse(res, 404, 'not-found', 'Esta dirección no existe.');
    res.set('Cache-Control', 'no-store');
    try {
      if (asked.data === 'list') return void res.json(await storing.list());
      if (asked.data === 'remove')
        return void res.json({ done: await storing.remove(store).then(() => 'removed') });
      res.json({ done: await storing.add(store, JSON.parse(Buffer.from(body).toString('utf8'))) });
      log.info({ store }, 'A store was added to the ledger');
    } catch (error) {
      if (!(error instanceof FacturapuenteError)) throw error;
      log.warn({ store, err: error }, 'A change of the stores was refused');
      refuse(res, 409, error.code, error.merchant);
    }
  };
}
