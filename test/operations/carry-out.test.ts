import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Store } from '../../src/domain/settings.ts';
import type { LedgerView } from '../../src/ledger/ledger.ts';
import { allOperations } from '../../src/operations/all.ts';
import { readInput } from '../../src/operations/carry-out.ts';
import { anyOrder } from '../../src/operations/run/facts.ts';
import { openJobBench } from '../support/job-bench.ts';
import { callsOver } from '../support/operations.ts';

test('an input that cannot be read names the fields, and neither values nor words of a library', () => {
  const operation = { title: 'Probar', input: z.object({ document: z.string(), store: z.string() }) };
  const given = { document: 7, store: 'tienda', clave: 'muy-secreta' };
  expect(() => readInput(operation, given)).toThrow(
    expect.objectContaining({
      code: 'input-invalid',
      params: expect.objectContaining({ fields: 'document, clave' }),
      merchant: '«Probar» no entiende lo que recibió: document, clave. Corríjalo y repita.',
    }),
  );
});

test('no field has the name of an option that every command has', () => {
  const taken = ['version', 'help', 'config', 'json'];
  const names = allOperations.flatMap(({ input }) => Object.keys(input.shape));
  expect(names.filter((name) => taken.includes(name))).toEqual([]);
});

test('a program that names a store that does not exist is refused', async () => {
  const bench = await openJobBench();
  onTestFinished(() => bench.close());
  const { pending } = callsOver(bench.deps, { stores: new Map([[bench.store.id, bench.store]]) });
  await expect(pending({}, { stores: [bench.store.id, 'otra'] })).rejects.toMatchObject({
    code: 'store-unknown',
  });
  await expect(pending({ store: 'otra' })).rejects.toMatchObject({ code: 'store-unknown' });
});

describe('an order that is named', () => {
  const place = { platform: 'woocommerce', shop: 'tienda.ec' };
  const stores = new Map([['tienda', { shop: place.shop, platform: { name: place.platform } } as Store]]);
  /** One was read, id 5005 and number 77; another, id 77, waits to be read. */
  const timelines = {
    find: async () => [{ order: { ...place, orderId: '5005', name: '#77', storeId: 'tienda' } }],
    unread: async () => [{ orderId: '77', storeId: 'tienda', jobs: [] }],
  } as unknown as LedgerView['timelines'];
  const find = (order: string, store?: string) => anyOrder({ timelines }, stores, { order, store });

  test('is the one of that id, or the one of that number where no other has it as its id', async () => {
    expect(await find('5005')).toMatchObject({ key: { ...place, orderId: '5005' } });
    expect(await find('77')).toMatchObject({ key: { ...place, orderId: '77' } });
    await expect(find('#77')).rejects.toMatchObject({ code: 'ambiguous' });
    await expect(find('77', 'otra')).rejects.toMatchObject({ code: 'not-found' });
  });
});
