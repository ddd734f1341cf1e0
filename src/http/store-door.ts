import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { HttpDeps } from './deps.ts';
import { digestOf, jsonOf, ticketDoor } from './ticket-door.ts';

export const storePath = '/stores/:store';

const orders = ['add', 'remove', 'list'] as const;
export type StoreOrder = (typeof orders)[number];
const order = z.enum(orders);

/** What a ticket for this door is issued for: one body only. */
export function storeUse(store: string, asked: StoreOrder, body: string | Uint8Array): string {
  return `store ${store} ${asked} ${digestOf(body)}`;
}

/** `POST /stores/:store?do=add|remove|list`. */
export function storeDoor(deps: Pick<HttpDeps, 'tickets' | 'storing' | 'log'>): RequestHandler {
  const { storing } = deps;
  return ticketDoor(deps, {
    name: 'stores',
    read(req, body) {
      const asked = order.safeParse(req.query.do);
      const store = String(req.params.store);
      if (!asked.success) return null;
      return {
        asked: { store, what: asked.data, raw: jsonOf(body) },
        use: storeUse(store, asked.data, body),
      };
    },
    async answer({ store, what, raw }) {
      if (what === 'list') return storing.list();
      if (what === 'add') return { done: await storing.add(store, raw) };
      await storing.remove(store);
      return { done: 'removed' };
    },
  });
}
