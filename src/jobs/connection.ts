import { ShopError } from '../domain/errors.ts';
import type { JobHandler } from '../domain/job.ts';
import { owner, type Store } from '../domain/settings.ts';
import type { ShopKey } from '../ledger/schema.ts';
import { again, type JobDeps } from './deps.ts';
import { resumeOpen } from './enqueue.ts';
import { beginReconciliations, enqueueReconciliation } from './reconciliation/reconciliation.ts';
import { unprovenRest } from './verify-shop.ts';

const restMs = 6 * 3_600_000;

const code = 'shop-not-connected';

export const uninstalledAlert = ({ platform, shop }: ShopKey) => ({
  code: 'shop-uninstalled' as const,
  subject: `${platform} ${shop}`,
});

/** While a shop refuses access or is held, its jobs wait without failing. `opens`: a handler that surely calls the shop. */
export function whileConnected(deps: JobDeps): (handler: JobHandler, opens: boolean) => JobHandler {
  const { alerts, clock, ledger } = deps;
  let known: Promise<Set<string>> | undefined;
  /** Stores with an alert, also of a process that ended since. */
  const disconnected = () => {
    known ??= ledger.alerts
      .open()
      .then((open) => new Set(open.filter((one) => one.code === code).map(({ subject }) => subject)))
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  };
  return (handler, opens) => async (job) => {
    const { storeId } = job;
    const out = await disconnected();
    try {
      const outcome = await handler(job);
      if (opens && out.delete(storeId)) {
        await alerts.over({ code, subject: storeId });
        await ledger.stores.wake(storeId, clock.now());
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      const unproven = unprovenRest(error);
      if (unproven !== null) return again(clock, unproven, error.merchant);
      if (!error.disconnected) throw error;
      if (!out.has(storeId)) {
        const about = owner.store(storeId);
        await alerts.raise({ code, subject: storeId, about, params: { reason: error.merchant } });
      }
      out.add(storeId);
      return again(clock, restMs, error.merchant);
    }
  };
}

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
  await alerts.over({ code, subject: store.id });
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
