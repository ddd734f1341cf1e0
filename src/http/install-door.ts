import type { RequestHandler } from 'express';
import { z } from 'zod';
import { FacturapuenteError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';
import { refuse } from './failures.ts';

export const installPath = '/install/:store';

const orders = ['check', 'apply', 'remove'] as const;
export type InstallOrder = (typeof orders)[number];
const order = z.enum(orders);

/** What a ticket for this door is issued for. */
export const installUse = (store: string, asked: InstallOrder): string => `install ${store} ${asked}`;

/**
 * `POST /install/:store?do=check|apply|remove`: where the command line asks the process that holds the ledger. Whoever
 * has no ticket finds nothing here.
 */
export function installDoor({
  settings,
  tickets,
  installing,
  log,
}: Pick<HttpDeps, 'settings' | 'tickets' | 'installing' | 'log'>): RequestHandler<{ store: string }> {
  return async (req, res) => {
    const { store } = req.params;
    const asked = order.safeParse(req.query.do);
    const ticket = /^Bearer (\S{1,200})$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    if (!asked.success || !tickets.admits(installUse(store, asked.data), ticket))
      return refuse(res, 404, 'not-found', 'Esta dirección no existe.');
    if (!settings.stores.has(store))
      return refuse(
        res,
        409,
        'unknown-store',
        'facturapuente start arrancó sin esta tienda en su configuración: reinícielo y repita.',
      );
    try {
      res.set('Cache-Control', 'no-store');
      res.json(
        asked.data === 'remove'
          ? { items: await installing.uninstall(store), files: [] }
          : await installing.install(store, asked.data === 'apply'),
      );
    } catch (error) {
      if (!(error instanceof FacturapuenteError)) throw error;
      log.warn({ store, err: error }, 'Installing a store failed');
      refuse(res, 409, error.code, error.merchant);
    }
  };
}
