import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { openOutbound } from '../app/outbound.ts';
import { openLiveSettings } from '../app/settings.ts';
import { openShopContext } from '../app/shops.ts';
import { keptIn } from '../app/stores.ts';
import { openStoring } from '../app/storing.ts';
import { readFragment } from '../config/fragment.ts';
import { loadConfig } from '../config/load.ts';
import { ConfigError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import type { Confirmation } from '../domain/shop-identity.ts';
import type { StoreList, Storing } from '../domain/storing.ts';
import { ledgerAlerts } from '../jobs/alerts.ts';
import type { AdminRequest } from '../web/admin/requests.ts';
import { askRunning } from './ask-running.ts';
import { openOwnLedger } from './own-ledger.ts';
import { whoAmI } from './who-am-i.ts';

interface Flags {
  config?: string;
}

/** Throws ConfigError with everything that is wrong with the file. */
export async function addStore(file: string, flags: Flags): Promise<string> {
  const path = resolve(process.cwd(), file);
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new ConfigError(
      'store-file',
      `No se pudo leer ${path}.`,
      `${path} could not be read: ${cause.message}`,
    );
  });
  const { id, raw } = readFragment(text, { file: path, env: process.env });
  const by = whoAmI();
  const done = await ask(flags, { do: 'store-add', store: id, raw, by }, added, (storing) =>
    storing.add(id, raw, by),
  );
  return said[done](id);
}

export async function removeStore(id: string, flags: Flags): Promise<string> {
  const by = whoAmI();
  await ask(flags, { do: 'store-remove', store: id, by }, z.null(), async (storing) => {
    await storing.remove(id, by);
    return null;
  });
  return `La tienda «${id}» ya no se factura; sus comprobantes siguen en el registro.\n`;
}

/** What a person says of a store whose shop is held. Throws ConfigError. */
export async function confirmStore(
  id: string,
  { as, ...flags }: Flags & { as: Confirmation },
): Promise<string> {
  const by = whoAmI();
  await ask(flags, { do: 'store-confirm', store: id, as, by }, z.null(), async (storing) => {
    await storing.confirm(id, as, by);
    return null;
  });
  return confirmed[as](id);
}

const confirmed: Record<Confirmation, (id: string) => string> = {
  moved: (id) => `La tienda «${id}» sigue en su nueva dirección con sus pedidos y comprobantes.\n`,
  same: (id) => `La tienda «${id}» sigue con sus pedidos y comprobantes.\n`,
  new: (id) => `La tienda «${id}» empieza de nuevo; los comprobantes de la anterior quedan en el registro.\n`,
};

export async function listStores(flags: Flags): Promise<string> {
  const { stores, waiting } = await ask(flags, { do: 'store-list' }, listed, (storing) => storing.list());
  const lines = stores.map(
    ({ id, platform, shop, ruc, ambiente, from, held }) =>
      `${id}  ${platform}  ${shop}  RUC ${ruc}  ambiente ${ambiente}  ${from === 'config' ? 'configuración' : 'store add'}${held === null ? '' : `  RETENIDA: ${held}`}`,
  );
  const open = waiting.map(
    ({ platform, shop }) => `(sin registrar)  ${platform}  ${shop}  instaló la app; falta «store add»`,
  );
  if (lines.length + open.length === 0) return 'Todavía no hay ninguna tienda.\n';
  return [...lines, ...open, ''].join('\n');
}

const added = z.enum(['added', 'changed', 'same']);
const said = {
  added: (id: string) =>
    `La tienda «${id}» quedó registrada; los procesos en marcha la toman en unos segundos.\n`,
  changed: (id: string) =>
    `La tienda «${id}» quedó cambiada; los procesos en marcha la toman en unos segundos.\n`,
  same: (id: string) => `La tienda «${id}» ya estaba así.\n`,
};
const text = z.string();
const listed: z.ZodType<StoreList> = z.object({
  stores: z.array(
    z.object({
      id: text,
      platform: text,
      shop: text,
      account: text,
      ruc: text,
      ambiente: z.literal([1, 2]),
      from: z.enum(['config', 'ledger']),
      held: text.nullable(),
    }),
  ),
  waiting: z.array(z.object({ platform: text, shop: text })),
});

/** By ourselves where the ledger is free, else by the process that holds it. */
async function ask<T>(
  { config: path }: Flags,
  asked: AdminRequest,
  shape: z.ZodType<T>,
  run: (storing: Storing) => Promise<T>,
): Promise<T> {
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const { ledger, clock } = await openOwnLedger(config);
  if (ledger === null) return askRunning(config, asked, shape);
  try {
    const live = await openLiveSettings(config);
    live.adopt(await keptIn(ledger));
    const outbound = openOutbound(config.outbound.allow);
    // Nobody is told from here that it is over; the page of alerts and doctor say so.
    const alerts = ledgerAlerts({ ledger, clock, log: silentLog, channels: new Map() });
    const contextOf = openShopContext({ ledger, clock, log: silentLog, outbound });
    return await run(openStoring({ ledger, clock, live, alerts, contextOf }));
  } finally {
    await ledger.close();
  }
}
