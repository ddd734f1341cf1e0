import { resolve } from 'node:path';
import { z } from 'zod';
import { openSettings } from '../../app/settings.ts';
import { packageVersion } from '../../app/version.ts';
import { loadConfig } from '../../config/load.ts';
import { LedgerError } from '../../domain/errors.ts';
import { silentLog } from '../../domain/log.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import { openLedgerReader } from '../../ledger/read.ts';
import { writePrivate } from '../../reports/write-private.ts';
import { maskOrder } from './mask.ts';

export interface BundleFlags {
  config?: string;
  store?: string;
  out?: string;
}

const mark = 'facturapuente support bundle';

/** Writes what support needs to see of an order, with other people in it; answers a sentence. */
export async function writeBundle(name: string, { config: path, store, out }: BundleFlags): Promise<string> {
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const reader = openLedgerReader(config.ledger, silentLog);
  try {
    const stories = (await reader.stories.find(name)).filter(
      ({ order }) => !store || order.storeId === store,
    );
    const [story, ...others] = stories;
    if (!story)
      throw new LedgerError(
        'order-unknown',
        `El registro no conoce ningún pedido ${name}.`,
        `No order ${name}.`,
      );
    if (others.length > 0)
      throw new LedgerError(
        'order-ambiguous',
        `Hay ${stories.length} pedidos ${name}: indique la tienda con --store (${stories.map(({ order }) => order.storeId).join(', ')}).`,
        `${stories.length} orders are named ${name}; name the store.`,
      );
    const { snapshot, decision, ...order } = story.order;
    const settings = await openSettings(config);
    const bundle = {
      bundle: mark,
      madeAt: new Date().toISOString(),
      version: packageVersion,
      node: process.version,
      ledger: 'url' in config.ledger ? 'postgresql' : 'sqlite',
      redis: config.redis !== undefined,
      store: outlineOf(settings.stores.get(order.storeId)),
      order: maskOrder(snapshot as Order),
      about: order,
      decision,
      documents: story.documents,
      work: story.work,
    };
    const file = resolve(process.cwd(), out ?? `soporte-${order.name.replace(/[^\w-]/g, '')}.json`);
    await writePrivate(file, `${JSON.stringify(bundle, null, 2)}\n`);
    return `${file}: sin nombres, identificaciones, direcciones ni claves. Se puede repetir con «facturapuente plan ${file}».\n`;
  } finally {
    await reader.close();
  }
}

/** How the store decides, without whom it belongs to: no key, no secret, no address. */
function outlineOf(store: Store | undefined) {
  if (!store) return null;
  const { id, platform, series, policy, issuer } = store;
  const { ambiente, obligado_contabilidad, regimen_rimpe, regimen_rimpe_popular, exportador_habitual } =
    issuer;
  return {
    id,
    platform: platform.name,
    series,
    policy,
    issuer: { ambiente, obligado_contabilidad, regimen_rimpe, regimen_rimpe_popular, exportador_habitual },
  };
}

const shape = z.looseObject({
  bundle: z.literal(mark),
  madeAt: z.iso.datetime(),
  order: z.looseObject({ platform: z.string() }),
  store: z.looseObject({ platform: z.string(), policy: z.looseObject({}) }).nullable(),
});

/** The order of a bundle and how its store decides; null where the file is none. Our own file, read as it was written. */
export function readBundle(
  payload: unknown,
): { order: Order; policy: Store['policy'] | null; madeAt: Date } | null {
  const found = shape.safeParse(payload).data;
  if (!found) return null;
  const policy = found.store?.policy as (Store['policy'] & { invoiceFrom: string | null }) | undefined;
  return {
    order: found.order as unknown as Order,
    policy: policy
      ? { ...policy, invoiceFrom: policy.invoiceFrom === null ? null : new Date(policy.invoiceFrom) }
      : null,
    madeAt: new Date(found.madeAt),
  };
}
