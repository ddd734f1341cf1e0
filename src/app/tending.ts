import type { Alerts } from '../domain/alerts.ts';
import type { Log } from '../domain/log.ts';
import type { Platform, ShopContext } from '../domain/platform.ts';
import { owner } from '../domain/scope.ts';
import { addressOf, type Settings, type Store } from '../domain/settings.ts';
import type { Tickets } from '../domain/tickets.ts';
import type { ShopProofs } from '../jobs/prove-shop.ts';
import { installRequest } from './installing.ts';

interface TendDeps {
  settings: Settings;
  proofs: ShopProofs;
  tickets: Tickets;
  contextOf(platform: Platform): ShopContext;
  alerts: Alerts;
  log: Log;
}

/** One round over all stores; a store that fails keeps no other from its turn. */
export function openTending({
  settings,
  tickets,
  proofs,
  contextOf,
  alerts,
  log,
}: TendDeps): () => Promise<void> {
  const code = 'shop-installation';

  async function tendStore(store: Store): Promise<void> {
    const { id, platform } = store;
    // In a shop that is held nothing is put right.
    if (!(await proofs.isProven(store)) || !platform.tend) return;
    const request = installRequest(settings, store, { apply: true, tickets });
    const found = await platform.tend(request, contextOf(platform));
    // Perhaps it was another process, or this one before it was started again, that told of it.
    if (found.length === 0) return alerts.over({ code, subject: id });
    const what = found.map((item) => `${item.what}: ${item.cure ?? 'faltaba y se puso.'}`).join(' ');
    await alerts.raise({
      code,
      subject: id,
      about: owner.store(id),
      what: `La instalación de la tienda «${id}» no estaba completa. ${what}`,
      cure: `Si se repite, revise que ${settings.publicUrl} responda siempre, y ejecute «facturapuente install --store ${id} --check».`,
    });
  }

  async function keepWaiting(platform: Platform): Promise<void> {
    const ours = ({ platform: one }: { platform: Platform }) => one === platform;
    const apps = [...settings.apps.values()].filter(ours).map(({ id, settings: app }) => [id, app] as const);
    const configured = [...settings.stores.values()].filter(ours).map(addressOf);
    await platform.keepWaiting?.(new Map(apps), new Set(configured), contextOf(platform));
  }

  return async () => {
    await proofs
      .endOfNobody()
      .catch((error: Error) => log.warn({ err: error }, 'Holds of shops that left could not be ended'));
    for (const platform of new Set([...settings.apps.values()].map((app) => app.platform)))
      await keepWaiting(platform).catch((error: Error) =>
        log.warn({ platform: platform.name, err: error }, 'Shops that wait could not be looked after'),
      );
    for (const store of settings.stores.values())
      await tendStore(store).catch((error: Error) =>
        log.warn(
          { store: store.id, err: error },
          'A store could not be looked after; it is tried again in an hour',
        ),
      );
  };
}
