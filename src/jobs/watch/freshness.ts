import { owner } from '../../domain/scope.ts';
import { failedLists, inSentence, listLosses, listNames, type SweepList } from '../../domain/sweep-lists.ts';
import type { StepDeps } from '../deps.ts';

/** So many looks in vain, and at least so long, before a person is told. */
const looks = 6;
const atLeastMs = 3_600_000;

type FreshnessDeps = Pick<StepDeps, 'ledger' | 'clock' | 'alerts' | 'timings' | 'storeOf' | 'shop'>;

/**
 * Warns of shops that could not be searched for a while: what no webhook told stays unknown there. A long way to catch
 * up is no trouble as long as it goes on.
 */
export function openFreshnessWatch({ ledger, clock, alerts, timings, storeOf, shop: shopOf }: FreshnessDeps) {
  const stoodAt = new Map<string, { sweptTo: string; version: number; since: number }>();
  const limit = Math.max(looks * timings.sweep.every, atLeastMs);
  return async (): Promise<void> => {
    const now = clock.now().getTime();
    // Of a shop that does not answer people know already.
    const silent = new Set((await ledger.breakers.list()).map(({ storeId }) => storeId));
    for (const { platform, shop, storeId, sweptTo, version, behind } of await ledger.sweeps.freshness()) {
      const store = storeOf(platform, shop);
      const subject = `${platform} ${shop}`;
      const name = { code: 'sweep-behind', subject };
      const stood = stoodAt.get(subject);
      const failed = failedLists(behind);
      // A run that fails is written down too, and gets the shop no further.
      const still = stood?.sweptTo === sweptTo && (failed.length > 0 || stood.version === version);
      if (!store || !shopOf(store)) {
        await alerts.over(name);
      } else if (!stood || !still) {
        stoodAt.set(subject, { sweptTo, version, since: now });
        // Of a shop seen for the first time nothing is known: another process may have told of it.
        if (stood) await alerts.over(name);
      } else if (now - stood.since >= limit && !silent.has(storeId)) {
        const hours = Math.floor((now - stood.since) / 3_600_000);
        await alerts.raise({
          ...name,
          about: owner.shop({ platform, shop }),
          what: `Hace ${hours === 1 ? 'una hora' : `${hours} horas`} que no se logra ${inVain(storeId, failed)}`,
          cure: 'Revise que la tienda responda y que su acceso siga vigente con «facturapuente install --check».',
        });
      }
    }
  };
}

function inVain(store: string, failed: readonly SweepList[]): string {
  if (failed.length === 0 || failed.includes('changes'))
    return `revisar la tienda ${store}: los pedidos cuyo aviso se perdió no se están facturando.`;
  return `leer ${inSentence(failed, listNames)} de la tienda ${store}: ${inSentence(failed, listLosses)}.`;
}
