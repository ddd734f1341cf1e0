import type { Budget, Budgets } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Settings } from '../domain/settings.ts';
import type { Observer } from '../observability/observer.ts';
import { budgetFor } from '../queue/key-budget.ts';
import { openServiceClient, type ServiceClient } from '../service/client.ts';
import { userAgent } from './version.ts';

/** One connection pool and one budget line per account and API key, opened when first used. */
export function openAccounts(
  settings: Settings,
  {
    budgets,
    clock,
    log,
    observer,
    rate,
  }: {
    budgets: Budgets;
    clock: Clock;
    log: Log;
    observer: Observer;
    rate: number;
  },
) {
  const opened = new Map<string, { client: ServiceClient; budget: Budget }>();
  return {
    get(accountId: string, hash?: string) {
      const account = settings.accounts.get(accountId);
      const key = account?.keys.find((one) => one.keyHash === (hash ?? account.keyHash));
      if (!account || !key) return undefined;
      const { apiKey, keyHash } = key;
      const name = `${accountId}/${keyHash}`;
      let found = opened.get(name);
      if (!found) {
        const { baseUrl, reprocess } = account;
        const reprocessIdField = reprocess.idField;
        const client = openServiceClient({ baseUrl, apiKey, userAgent, log, reprocessIdField });
        found = {
          client: {
            ...observer.service(accountId, client),
            with: (budget) => observer.service(accountId, client.with(budget)),
            close: client.close,
          },
          budget: budgetFor(budgets, keyHash, clock, rate),
        };
        opened.set(name, found);
      }
      return found;
    },
    async close() {
      await Promise.all([...opened.values()].map(({ client }) => client.close()));
    },
  };
}
