import { owner, type Store } from '../domain/settings.ts';
import type { ShopKey } from '../ledger/schema.ts';
import type { JobDeps } from './deps.ts';
import { resumeOpen } from './enqueue.ts';
import { beginReconciliations, enqueueReconciliation } from './reconciliation/reconciliation.ts';

export const notConnected = 'shop-not-connected';

export const uninstalledAlert = ({ platform, shop }: ShopKey) => ({
  code: 'shop-uninstalled' as const,
  subject: `${platform} ${shop}`,
});

/** Returns the store whose jobs are due again; null, with an alert, when none is configured. */
export async function shopConnected(
  deps: Pick<JobDeps, 'ledger' | 'clock' | 'storeOf' | 'alerts'>,
  platform: string,
  shop: string,
  app: string | null = null,
): Promise<string | null> {
  const { ledger, clock, alerts } = deps;
  const store = deps.storeOf(platform, shop);
  const subject = `${platform} ${shop}`;
  if (!store) {
    // Its sales count from now on, although its store is configured later.
    await ledger.stores.register({ id: shop, platform, shop, app, now: clock.now() });
    await alerts.raise({
      code: 'shop-without-store',
      subject,
      about: owner.shop({ platform, shop }),
      params: { shop },
    });
    return null;
  }
  await alerts.over({ code: 'shop-without-store', subject });
  await alerts.over(uninstalledAlert({ platform, shop }));
  await alerts.over({ code: notConnected, subject: store.id });
  const now = clock.now();
  await ledger.transaction(async (tables) => {
    await tables.stores.wake(store.id, now);
    await enqueueReconciliation(tables, store, now);
  });
  return store.id;
}

/** Stores that were registered while the process runs: reconciled from their start on; documents of earlier go on. */
export async function takeStores(deps: JobDeps, added: readonly Store[]): Promise<void> {
  if (added.length > 0) await resumeOpen(deps);
  await beginReconciliations(deps, added);
  for (const store of added)
    if (deps.shop(store) !== null) await shopConnected(deps, store.platform.name, store.shop);
}
