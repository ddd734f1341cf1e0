import { ShopError } from '../domain/errors.ts';
import { owner } from '../domain/scope.ts';
import type { Store } from '../domain/settings.ts';
import { isShadowStore } from '../domain/shadow.ts';
import type { Step, StepOutcome } from '../domain/work.ts';
import type { StepDeps } from './deps.ts';
import { unprovenRest } from './prove-shop.ts';
import { resumeOpen } from './resume.ts';
import { beginSweeps } from './sweep/begin.ts';
import { askSweep } from './sweep/sweep.ts';

/** How long the work of a shop that does not let us in rests before it is looked at again by itself. */
const restMs = 6 * 3_600_000;

const code = 'shop-disconnected';

/** The alert that a shop took the app away; over when it is back. */
export function uninstalledAlert({ platform, shop }: { platform: string; shop: string }) {
  return { code: 'shop-uninstalled', subject: `${platform} ${shop}` };
}

/**
 * Steps that need the shop: where it no longer lets us in (uninstalled, keys revoked), or is held, their work waits and a
 * person is told once; nothing is dropped and nothing fails. As soon as one gets through, the others of the store follow.
 */
export function whileConnected(deps: StepDeps): (step: Step, proves: boolean) => Step {
  const { alerts, clock, ledger } = deps;
  let known: Promise<Set<string>> | undefined;
  /** Stores that were told of, also by a process that ended since. */
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
  return (step, proves) => async (work) => {
    const { storeId } = work;
    const out = await disconnected();
    try {
      const outcome = await step(work);
      if (proves && out.delete(storeId)) {
        await alerts.over({ code, subject: storeId });
        await ledger.stores.wake(storeId, clock.now());
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      const later = (ms: number): StepOutcome => ({
        kind: 'again',
        dueAt: new Date(clock.now().getTime() + ms),
        reason: error.merchant,
      });
      const unproven = unprovenRest(error);
      if (unproven !== null) return later(unproven);
      if (!error.disconnected) throw error;
      // The store behind a shadow tells it.
      if (!out.has(storeId) && !isShadowStore(storeId)) {
        const cure = 'Vuelva a conectar la tienda; lo que espera sigue solo.';
        await alerts.raise({
          code,
          subject: storeId,
          about: owner.store(storeId),
          what: error.merchant,
          cure,
        });
      }
      out.add(storeId);
      return later(restMs);
    }
  };
}

/**
 * A shop lets us in (again): what waited for it is due, and it is searched for what came meanwhile. Answers its store;
 * null when nobody has configured one, which a person is told.
 */
export async function shopConnected(
  deps: Pick<StepDeps, 'ledger' | 'clock' | 'storeOf' | 'alerts'>,
  platform: string,
  shop: string,
  app: string | null = null,
): Promise<string | null> {
  const { ledger, clock, alerts } = deps;
  const store = deps.storeOf(platform, shop);
  const subject = `${platform} ${shop}`;
  if (!store) {
    // From now on its sales count, whenever somebody says who invoices them.
    await ledger.stores.register({ id: shop, platform, shop, app, now: clock.now() });
    await alerts.raise({
      code: 'shop-without-store',
      subject,
      about: owner.shop({ platform, shop }),
      what: `La tienda ${shop} instaló la app y todavía no tiene quién emita sus facturas.`,
      cure: 'Regístrela con «facturapuente store add» o en la configuración; sus webhooks se guardan mientras tanto.',
    });
    return null;
  }
  await alerts.over({ code: 'shop-without-store', subject });
  await alerts.over(uninstalledAlert({ platform, shop }));
  await alerts.over({ code, subject: store.id });
  const now = clock.now();
  await ledger.transaction(async (tables) => {
    await tables.stores.wake(store.id, now);
    await askSweep(tables, store, now);
  });
  return store.id;
}

/**
 * Stores that were registered while we run: searched for what came before, from the start they were given on. One that
 * comes back finds its documents.
 */
export async function takeStores(deps: StepDeps, added: readonly Store[]): Promise<void> {
  if (added.length > 0) await resumeOpen(deps);
  await beginSweeps(deps, added);
  for (const store of added)
    if (deps.shop(store) !== null) await shopConnected(deps, store.platform.name, store.shop);
}
