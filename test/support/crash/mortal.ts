import type { Shop } from '../../../src/domain/platform.ts';
import type { Ledger, Tables } from '../../../src/ledger/ledger.ts';
import type { ServiceCalls } from '../../../src/service/client.ts';
import type { Fate } from './fate.ts';

/* The real ledger, service client and shop, with a boundary to die at on either side of everything they change. */

/** What writes; everything else only looks. A read changes nothing, so dying beside it is dying beside the next write. */
const writes: Partial<Record<keyof Tables, readonly string[]>> = {
  orders: ['save', 'decide'],
  documents: ['create', 'move', 'lock', 'written'],
  attempts: ['add', 'end'],
  sequences: ['reserve', 'stop', 'raise'],
  jobs: ['enqueue', 'forget', 'finish', 'postpone'],
  pauses: ['begin', 'probed', 'end'],
};

/** Every statement outside a transaction is a COMMIT of its own. */
export function mortalLedger(ledger: Ledger, fate: Fate): Ledger {
  const tables = Object.fromEntries(
    Object.entries(writes).map(([name, methods]) => {
      const table = ledger[name as keyof Tables] as unknown as Record<string, Run>;
      const wrapped = methods.map((method) => [
        method,
        (...args: unknown[]) => fate.commit(`${name}.${method}`, () => (table[method] as Run)(...args)),
      ]);
      return [name, { ...table, ...Object.fromEntries(wrapped) }];
    }),
  );
  return {
    ...ledger,
    ...(tables as unknown as Tables),
    transaction: (task) =>
      fate.transaction('transaction', (beforeCommit) =>
        ledger.transaction(async (inside) => {
          const result = await task(inside);
          beforeCommit();
          return result;
        }),
      ),
  };
}

type Run = (...args: unknown[]) => Promise<unknown>;

/** Every call of the service or the shop: before the request left, while it is on its way, before its answer was read. */
export function mortalCalls<T extends ServiceCalls | Shop>(
  calls: T,
  fate: Fate,
  onLeaving: (name: string) => void = () => {},
): T {
  return new Proxy(calls, {
    get(target, name) {
      const run = Reflect.get(target, name) as Run;
      if (typeof run !== 'function' || name === 'close') return run;
      return (...args: unknown[]) =>
        fate.call(String(name), () => {
          onLeaving(String(name));
          return run.apply(target, args);
        });
    },
  });
}
