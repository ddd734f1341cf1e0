import type { Clock } from '../core/clock.ts';
import { ConfigError } from '../core/errors.ts';
import { owner } from '../core/scope.ts';
import type { StoreList, Storing } from '../core/storing.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { refuseUnconfirmed } from './production.ts';
import type { LiveSettings } from './settings.ts';
import { keptStores, keptUnder } from './stores.ts';

/** Adds stores to the ledger and takes them away; see core/storing.ts. */
export function openStoring(
  { ledger, clock, live }: { ledger: Ledger; clock: Clock; live: LiveSettings },
  changed: () => Promise<unknown> = async () => {},
): Storing {
  const writeDown = (what: string, subject: string, by: string | undefined) =>
    ledger.deeds.add({
      who: by ?? null,
      what,
      subject,
      about: owner.store(subject),
      outcome: 'done',
      now: clock.now(),
    });
  const key = (id: string) => ({ platform: keptUnder, shop: id });
  return {
    async add(id, raw, by) {
      const others = (await keptStores(ledger)).filter((one) => one.id !== id);
      const { settings, merged } = live.check([...others, { id, version: 0, raw }]);
      const added = [...settings.stores].filter(([name]) => name === id);
      await refuseUnconfirmed(new Map(added), merged, ledger);
      const before = await ledger.credentials.get(key(id));
      if (JSON.stringify(before?.value) === JSON.stringify(raw)) return 'same';
      if (!(await ledger.credentials.put(key(id), raw, before?.version ?? null, clock.now())))
        throw raced(id);
      await changed();
      await writeDown('store-add', id, by);
      return before === null ? 'added' : 'changed';
    },
    async remove(id, by) {
      await refuseBusy(ledger, id);
      if (!(await ledger.credentials.remove(key(id)))) throw unknownStore(id);
      await changed();
      await writeDown('store-remove', id, by);
    },
    async list(): Promise<StoreList> {
      const kept = new Set(await ledger.credentials.shops(keptUnder));
      const shops = await installedShops(ledger, live);
      const stores = [...live.settings.stores.values()].map(({ id, platform, shop, account, issuer }) => ({
        id,
        platform: platform.name,
        shop,
        account: account.id,
        ruc: issuer.ruc,
        ambiente: issuer.ambiente,
        from: kept.has(id) ? ('ledger' as const) : ('config' as const),
      }));
      const known = new Set(stores.map(({ platform, shop }) => `${platform} ${shop}`));
      return { stores, waiting: shops.filter(({ platform, shop }) => !known.has(`${platform} ${shop}`)) };
    },
  };
}

/** Shops that gave an app of ours access, whether anybody invoices for them or not. */
async function installedShops({ credentials }: Ledger, { settings }: LiveSettings) {
  const names = new Set([...settings.apps.values()].map(({ platform }) => platform.name));
  const all: { platform: string; shop: string }[] = [];
  for (const platform of names)
    for (const shop of await credentials.shops(platform))
      if (!shop.includes(' ')) all.push({ platform, shop });
  return all;
}

/** Nobody would finish what is on its way, and its numbers are given already. */
async function refuseBusy({ documents }: Ledger, id: string): Promise<void> {
  const states = ['ready', 'sending', 'processing', 'uncertain'] as const;
  const found = await documents.list({ states: [...states], limit: 10_000 });
  const { length } = found.filter(({ storeId }) => storeId === id);
  if (length === 0) return;
  throw new ConfigError(
    'store-busy',
    `La tienda «${id}» tiene ${length} comprobantes en camino: espere a que terminen (facturapuente documents) y repita.`,
    `Store ${id} has ${length} documents under way; remove it when they are done.`,
  );
}

function unknownStore(id: string): ConfigError {
  return new ConfigError(
    'unknown-store',
    `No hay ninguna tienda «${id}» registrada con «store add»; las del archivo de configuración se quitan ahí.`,
    `The ledger keeps no store ${id}.`,
  );
}

function raced(id: string): ConfigError {
  return new ConfigError(
    'store-raced',
    `Alguien más cambió la tienda «${id}» a la vez; repita.`,
    `Store ${id} changed while it was written; repeat.`,
  );
}
