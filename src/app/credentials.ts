import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';
import type { Credentials } from '../domain/credentials.ts';
import { ShopError } from '../domain/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** How long a turn lasts unless given back: longer than any call to a shop. */
const turnMs = 60_000;
const patienceMs = 30_000;
const lookMs = 100;

/** One platform's part of what the ledger keeps of shops. */
export function credentialsOf(
  platform: string,
  { credentials, turns }: Pick<Ledger, 'credentials' | 'turns'>,
  clock: Clock,
): Credentials {
  /** Within one process the line is kept in memory, so that the ledger is asked by one at a time. */
  const lines = new Map<string, Promise<unknown>>();

  async function inTurn<T>(shop: string, task: () => Promise<T>): Promise<T> {
    const turn = { name: `credentials ${platform} ${shop}`, holder: randomUUID() };
    const giveUp = performance.now() + patienceMs;
    const take = () => {
      const now = clock.now();
      return turns.take({ ...turn, now, until: new Date(now.getTime() + turnMs) });
    };
    while (!(await take())) {
      if (performance.now() > giveUp) throw taken(platform, shop);
      await pause(lookMs);
    }
    try {
      return await task();
    } finally {
      await turns.giveBack(turn);
    }
  }

  return {
    get: (shop) => credentials.get({ platform, shop }),
    put: (shop, value, version) => credentials.put({ platform, shop }, value, version, clock.now()),
    remove: (shop) => credentials.remove({ platform, shop }),
    shops: () => credentials.shops(platform),
    async alone(shop, task) {
      const before = lines.get(shop) ?? Promise.resolve();
      const mine = before.then(() => inTurn(shop, task));
      const settled = mine.catch(() => {});
      lines.set(shop, settled);
      try {
        return await mine;
      } finally {
        if (lines.get(shop) === settled) lines.delete(shop);
      }
    },
  };
}

function taken(platform: string, shop: string): ShopError {
  return new ShopError(
    'turn-taken',
    'Otro proceso está renovando el acceso a la tienda; se intentará de nuevo en un momento.',
    `${platform} ${shop}: another process has held the turn for its credentials for ${patienceMs / 1000} s.`,
    { retryable: true, retryAfterMs: patienceMs },
  );
}
