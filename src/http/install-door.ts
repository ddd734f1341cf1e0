import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ConfigError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';
import { ticketDoor } from './ticket-door.ts';

export const installPath = '/install/:store';

const orders = ['check', 'apply', 'remove'] as const;
export type InstallOrder = (typeof orders)[number];
const order = z.enum(orders);
const who = z.string().max(200).default('');

/** What a ticket for this door is issued for. */
export const installUse = (store: string, asked: InstallOrder, by: string): string =>
  `install ${store} ${asked} ${by}`;

/** `POST /install/:store?do=check|apply|remove&by=<who>`. */
export function installDoor(
  deps: Pick<HttpDeps, 'settings' | 'tickets' | 'installing' | 'log'>,
): RequestHandler {
  const { settings, installing } = deps;
  return ticketDoor(deps, {
    name: 'install',
    read(req) {
      const asked = order.safeParse(req.query.do);
      const store = String(req.params.store);
      const by = who.safeParse(req.query.by);
      if (!asked.success || !by.success) return null;
      return {
        asked: { store, what: asked.data, by: by.data },
        use: installUse(store, asked.data, by.data),
      };
    },
    async answer({ store, what, by }) {
      if (!settings.stores.has(store)) throw unknownStore(store);
      if (what === 'remove') return { items: await installing.uninstall(store, by || null), files: [] };
      return installing.install(store, what === 'apply', by || null);
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
