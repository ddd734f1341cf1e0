import { readdirSync } from 'node:fs';
import { Connection } from '../../../adapters/shopify/settings.ts';
import { readShared, sharedPath } from '../../support/shared.ts';

export const connection = Connection.parse({ app: 'demo', shop: 'demo-ec.myshopify.com' });

const root = 'data/shopify/payloads';
export const folders = ['real', 'shopify-docs', 'synthetic-ec'] as const;

export interface Check {
  net_of_tax: string;
  tax: string;
  total: string;
}

/** One shared file without its wrapping. */
export function readPayload(path: string): { payload: unknown; check: Check | null } {
  const file = JSON.parse(readShared(`${root}/${path}`)) as Record<string, unknown>;
  const wrapped = '_source' in file || '_synthetic' in file;
  return { payload: wrapped ? file.payload : file, check: (file._check as Check | undefined) ?? null };
}

/** Every body in the shared payloads; lists of vendor answers are opened. */
export function allBodies(): { name: string; body: unknown }[] {
  return folders.flatMap((folder) =>
    readdirSync(sharedPath(`${root}/${folder}`))
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) => {
        const { payload } = readPayload(`${folder}/${file}`);
        const entries = Array.isArray(payload)
          ? payload.map((one, i) => ({ key: `[${i}]`, one }))
          : [{ key: '', one: payload }];
        return entries.flatMap(({ key, one }) => {
          const list = (one as { orders?: unknown }).orders;
          if (!Array.isArray(list)) return [{ name: `${folder}/${file}${key}`, body: one }];
          return list.map((body, i) => ({ name: `${folder}/${file}${key}.orders[${i}]`, body }));
        });
      }),
  );
}

/** Whether a body is an order with everything a factura needs (vendors also answer single fields). */
export function looksLikeOrder(body: unknown): boolean {
  const order = ((body as { order?: unknown }).order ?? body) as Record<string, unknown>;
  return Array.isArray(order.line_items) && 'taxes_included' in order && 'total_price' in order;
}
