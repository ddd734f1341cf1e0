import { expect, test } from 'vitest';
import { openMaintenance } from '../../src/app/working.ts';
import type { InstallItem, Platform, ShopContext } from '../../src/domain/platform.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { alertTexts } from '../../src/messages/alerts.ts';

const repaired: InstallItem = {
  code: 'shop-installation',
  state: 'ok',
  params: { of: 'webhook', topic: 'order.created', why: 'replaced', flaw: 'disabled' },
  done: true,
};

/** Two stores whose platform finds in each run what the test says. */
function installation(rounds: Record<string, (InstallItem[] | Error)[]>) {
  const platform = {
    name: 'tienda',
    shopOf: () => 'quito.ec',
    maintain: async ({ store }: { store: { id: string } }) => {
      const found = rounds[store.id]?.shift() ?? [];
      if (found instanceof Error) throw found;
      return found;
    },
  } as unknown as Platform;
  const ids = Object.keys(rounds);
  const stores = new Map(
    ids.map((id) => [
      id,
      { id, platform, shop: id, app: null, connection: {}, policy: { tax: { rules: [] } } },
    ]),
  );
  const reported: unknown[] = [];
  const warned: unknown[] = [];
  const maintain = openMaintenance({
    settings: { publicUrl: 'https://facturas.ec', apps: new Map(), stores } as unknown as Settings,
    proofs: { isVerified: async ({ id }) => id !== 'copia', endOfNobody: async () => {} },
    tickets: { issue: () => '', admits: () => false },
    shopContext: () => ({}) as ShopContext,
    jobDeps: {
      alerts: {
        raise: async ({ code, subject, params }) =>
          void reported.push(['begins', subject, alertTexts(code, params).what]),
        over: async ({ subject }) => void reported.push(['over', subject]),
      },
    },
    log: { info() {}, warn: (fields) => void warned.push(fields.store), error() {} },
  });
  return { maintain, reported, warned };
}

test('a repair raises an alert, which ends when the next check finds nothing, in any process', async () => {
  const { maintain, reported } = installation({ quito: [[], [repaired], []] });
  for (let round = 0; round < 3; round += 1) await maintain();
  expect(reported).toEqual([
    ['over', 'quito'],
    ['begins', 'quito', expect.stringContaining('Webhook order.created: El webhook está desactivado')],
    ['over', 'quito'],
  ]);
});

test('nothing is repaired in a shop that is held', async () => {
  const { maintain, reported } = installation({ copia: [[repaired]], loja: [[repaired]] });
  await maintain();
  expect(reported).toEqual([['begins', 'loja', expect.anything()]]);
});

test('a shop that does not answer does not keep others from maintenance', async () => {
  const { maintain, reported, warned } = installation({ quito: [new Error('away')], loja: [[repaired]] });
  await maintain();
  expect(warned).toEqual(['quito']);
  expect(reported).toHaveLength(1);
});
