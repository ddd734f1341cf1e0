import { expect, test } from 'vitest';
import { openTending } from '../../src/app/tending.ts';
import type { InstallItem } from '../../src/domain/install.ts';
import type { Platform, ShopContext } from '../../src/domain/platform.ts';
import type { Settings } from '../../src/domain/settings.ts';

const repaired: InstallItem = {
  what: 'Webhook order.created',
  state: 'ok',
  cure: 'El webhook estaba desactivado; se reemplazó.',
  done: true,
};

/** Two stores whose platform finds in each round what the test says. */
function house(rounds: Record<string, (InstallItem[] | Error)[]>) {
  const platform = {
    name: 'tienda',
    shopOf: () => 'quito.ec',
    tend: async ({ store }: { store: { id: string } }) => {
      const found = rounds[store.id]?.shift() ?? [];
      if (found instanceof Error) throw found;
      return found;
    },
  } as unknown as Platform;
  const ids = Object.keys(rounds);
  const stores = new Map(ids.map((id) => [id, { id, platform, shop: id, app: null, connection: {} }]));
  const told: unknown[] = [];
  const warned: unknown[] = [];
  const tend = openTending({
    settings: { publicUrl: 'https://facturas.ec', apps: new Map(), stores } as unknown as Settings,
    proofs: { isProven: async ({ id }) => id !== 'copia', endOfNobody: async () => {} },
    tickets: { issue: () => '', admits: () => false },
    contextOf: () => ({}) as ShopContext,
    alerts: {
      raise: async ({ subject, what }) => void told.push(['begins', subject, what]),
      over: async ({ subject }) => void told.push(['over', subject]),
    },
    log: { info() {}, warn: (fields) => void warned.push(fields.store), error() {} },
  });
  return { tend, told, warned };
}

test('what had to be put right is told, and over when the next look finds nothing, whoever told it', async () => {
  const { tend, told } = house({ quito: [[], [repaired], []] });
  for (let round = 0; round < 3; round += 1) await tend();
  expect(told).toEqual([
    ['over', 'quito'],
    ['begins', 'quito', expect.stringContaining('Webhook order.created: El webhook estaba desactivado')],
    ['over', 'quito'],
  ]);
});

test('nothing is put right in a shop that is held', async () => {
  const { tend, told } = house({ copia: [[repaired]], loja: [[repaired]] });
  await tend();
  expect(told).toEqual([['begins', 'loja', expect.anything()]]);
});

test('a shop that does not answer keeps no other from being looked after', async () => {
  const { tend, told, warned } = house({ quito: [new Error('away')], loja: [[repaired]] });
  await tend();
  expect(warned).toEqual(['quito']);
  expect(told).toHaveLength(1);
});
