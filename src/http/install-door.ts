import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ConfigError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';
import { ticketDoor } from './ticket-door.ts';

export const installPath = '/install/:store';

const orders = ['check', 'apply', 'remove'] as const;
export type InstallOrder = (typeof orders)[number];
const order = z.enum(orders);

/** What a ticket for this door is issued for. */
export const installUse = (store: string, asked: InstallOrder): string => `install ${store} ${asked}`;

/** `POST /install/:store?do=check|apply|remove`. */
export function installDoor(
  deps: Pick<HttpDeps, 'settings' | 'tickets' | 'installing' | 'log'>,
): RequestHandler {
  const { settings, installing } = deps;
  return ticketDoor(deps, {
    name: 'install',
    read(req) {
      const asked = order.safeParse(req.query.do);
      const store = String(req.params.store);
      return asked.success
        ? { asked: { store, what: asked.data }, use: installUse(store, asked.data) }
        : null;
    },
    async answer({ store, what }) {
      if (!settings.stores.has(store)) throw unknownStore(store);
      if (what === 'remove') return { items: await installing.uninstall(store), files: [] };
      return installing.install(store, what === 'apply');
    },
  });
}

function unknownStore(store: string): ConfigError {
  return new ConfigError(
    'unknown-store',
    'facturapuente start arrancó sin esta tienda en su configuración: reinícielo y repita.',
    `The running process knows no store ${store}; restart it.`,
  );
}
