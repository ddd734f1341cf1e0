import type { Budget } from '../../domain/budget.ts';
import type { LegalNames } from '../../domain/legal-names.ts';
import type { Store } from '../../domain/settings.ts';
import { registryNames } from '../../jobs/registry-names.ts';
import type { HttpDeps } from '../deps.ts';
import { impatientBudget } from '../impatient-budget.ts';

/** Legal names for people who wait before a page, within the rate of the store's key; null where the policy is `off`. */
export function openNames({
  service,
  ...deps
}: Pick<HttpDeps, 'service' | 'clock' | 'log' | 'alerts' | 'ledger'>): (store: Store) => LegalNames | null {
  const opened = new Map<string, LegalNames>();
  return ({ account, policy }) => {
    if (policy.buyer.registry === 'off') return null;
    const known = opened.get(account.keyHash);
    if (known) return known;
    const access = service(account.id);
    if (!access) return null;
    const budget: Budget = impatientBudget(access.budget, 20, 3_000);
    const names = registryNames(access.client.with(budget), deps);
    opened.set(account.keyHash, names);
    return names;
  };
}
