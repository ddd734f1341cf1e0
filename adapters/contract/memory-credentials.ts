import type { Credential, Credentials } from '../../src/domain/shop-identity.ts';

/** A platform's credentials in memory, with the ledger's rules. */
export function memoryCredentials(): Credentials {
  const kept = new Map<string, Credential>();
  const lines = new Map<string, Promise<unknown>>();
  return {
    get: async (shop) => structuredClone(kept.get(shop) ?? null),
    async put(shop, value, version) {
      if ((kept.get(shop)?.version ?? null) !== version) return false;
      kept.set(shop, { value: structuredClone(value), version: (version ?? 0) + 1 });
      return true;
    },
    remove: async (shop) => kept.delete(shop),
    shops: async () => [...kept.keys()].sort(),
    async alone(shop, task) {
      const mine = (lines.get(shop) ?? Promise.resolve()).then(task);
      lines.set(
        shop,
        mine.catch(() => {}),
      );
      return mine;
    },
  };
}
