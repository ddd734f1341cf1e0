import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { HttpDeps } from './deps.ts';
import { digestOf, jsonOf, ticketDoor } from './ticket-door.ts';

export const storePath = '/stores/:store';

const orders = ['add', 'remove', 'list'] as const;
export type StoreOrder = (typeof orders)[number];
const order = z.enum(orders);
const who = z.string().max(200).default('');

/** What a ticket for this door is issued for: one body only, from one person. */
export function storeUse(
  { store, asked, by }: { store: string; asked: StoreOrder; by: string },
  body: string | Uint8Array,
): string {
  return `store ${store} ${asked} ${by} ${digestOf(body)}`;
}

/** `POST /stores/:store?do=add|remove|list&by=<who>`. */
export function storeDoor(deps: Pick<HttpDeps, 'tickets' | 'storing' | 'log'>): RequestHandler {
  const { storing } = deps;
  return ticketDoor(deps, {
    name: 'stores',
    read(req, body) {
      const asked = order.safeParse(req.query.do);
      const store = String(req.params.store);
      const by = who.safeParse(req.query.by);
      if (!asked.success || !by.success) return null;
      return {
        asked: { store, what: asked.data, by: by.data, raw: jsonOf(body) },
        use: storeUse({ store, asked: asked.data, by: by.data }, body),
      };
    },
    async answer({ store, what, by, raw }) {
      if (what === 'list') return storing.list();
      if (what === 'add') return { done: await storing.add(store, raw, by) };
      await storing.remove(store, by);
      return { done: 'removed' };
    },
  });
}
