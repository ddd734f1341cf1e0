import { afterEach, describe, expect, it } from 'vitest';
import { documentNumber } from '../../src/domain/document.ts';
import type { Issuer, SeriesStart } from '../../src/domain/settings.ts';
import { replanHeld } from '../../src/jobs/enqueue.ts';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { takeNumber } from '../support/taken-number.ts';

/** The merchant writes another series or issuer into the config while documents are under way or held. */
let bench: JobBench;
afterEach(() => bench?.close());

const otherRuc = '0190012345001';
const open = async () => {
  bench = await openJobBench({ sandbox: { accounts: [{ apiKey: 'clave-1', providerApproved: true }] } });
};

/** A restart with this changed; answers how to change it back. */
function reconfigure(change: { series?: Partial<SeriesStart>; issuer?: Partial<Issuer> }): () => void {
  const { storeOf } = bench.deps;
  bench.deps.storeOf = (...of) => {
    const store = storeOf(...of);
    if (!store) return store;
    const { series, issuer } = store;
    return { ...store, series: { ...series, ...change.series }, issuer: { ...issuer, ...change.issuer } };
  };
  return () => {
    bench.deps.storeOf = storeOf;
  };
}
const otherPoint = { series: { puntoEmision: '002' } };

/** These orders are read; all is authorised that can be. */
async function sync(...orders: string[]): Promise<void> {
  for (const order of orders) await bench.sync(order);
  await bench.pass(0, 3);
}
async function again(): Promise<void> {
  await retryDocument(bench.deps, await bench.document(), 'ana@conector');
  await sync();
}
/** What a start enqueues, without any webhook. */
async function restart(): Promise<void> {
  await bench.ledger.transaction((tables) => replanHeld(tables, bench.clock.now()));
  await sync();
}

const ours = async () =>
  (await bench.documents()).map((document) =>
    [document.state, document.ambiente, documentNumber(document)].join(' '),
  );
/** Whatever is authorised here is so there, under the same key, number and environment, and nothing else is. */
async function agree(): Promise<void> {
  const authorised = (await bench.documents()).filter(({ state }) => state === 'authorized');
  expect(authorised.map((one) => [one.ambiente, documentNumber(one), one.accessKey])).toEqual(
    bench.sandbox.documents().map(({ ambiente, numero, claveacceso }) => [ambiente, numero, claveacceso]),
  );
}

/** It has a number, and was refused. */
async function refuse(): Promise<void> {
  bench.sandbox.faults.add({ failBeforeStoring: 400 });
  await sync('1201');
  expect((await bench.document()).state).toBe('rejected');
}

/** Held for want of a cédula, without a number; answers how the buyer gives it. */
async function hold(): Promise<() => void> {
  const order = bench.shop.order('1201');
  const put = (value: string) =>
    bench.shop.put({
      ...{ ...order, total: '33.75', meta_data: [{ id: 1, key: '_billing_cedula', value }] },
      date_modified_gmt: bench.clock.now().toISOString().slice(0, 19),
    });
  put('1710034066');
  await sync('1201');
  expect((await bench.document()).state).toBe('held');
  return () => put('1710034065');
}

describe('a store gets another punto de emisión', () => {
  it('what has a number already leaves in the series of its number', async () => {
    await open();
    await refuse();
    reconfigure(otherPoint);
    await again();
    await sync('1202');
    expect(await ours()).toEqual(['authorized 1 001-001-000000001', 'authorized 1 001-002-000000001']);
    await agree();
  });

  it('what was held without one takes it from the new series', async () => {
    await open();
    const give = await hold();
    reconfigure(otherPoint);
    give();
    await sync('1201');
    expect(await ours()).toEqual(['authorized 1 001-002-000000001']);
    await agree();
  });

  it('what has a number leaves also where the new series is stopped: it wants none of it', async () => {
    await open();
    await refuse();
    reconfigure({ issuer: { ruc: otherRuc } });
    await again();
    const { ruc, ambiente } = bench.store.issuer;
    const next = { ruc, ambiente, codDoc: '01', establecimiento: '001', puntoEmision: '002' };
    const stop = { reason: 'El número 001-002-000000001 es de otro.', secuencial: '000000001' };
    await bench.ledger.sequences.stop(next, stop, bench.clock.now());
    reconfigure({ issuer: { ruc }, ...otherPoint });
    await sync('1201');
    expect(await ours()).toEqual(['authorized 1 001-001-000000001']);
  });

  it('what had somebody else’s number takes one of the new series, and no alert names the old one', async () => {
    await open();
    await takeNumber(bench);
    await sync('1201');
    reconfigure(otherPoint);
    const reported = await retryDocument(bench.deps, await bench.document(), 'ana@conector');
    expect(reported).toMatchObject({ kind: 'replaced', message: expect.not.stringContaining('detenida') });
    await sync();
    expect((await ours()).at(-1)).toBe('authorized 1 001-002-000000001');
  });

  it('what was held because the old one stopped goes on in the new one', async () => {
    await open();
    await takeNumber(bench);
    await sync('1201');
    await sync('1202');
    expect((await bench.documents()).map(({ code }) => code)).toEqual(['number-conflict', 'series-stopped']);
    reconfigure(otherPoint);
    await sync('1202');
    expect((await ours()).at(-1)).toBe('authorized 1 001-002-000000001');
  });
});

describe('a store goes from trials to production', () => {
  it('what was held is numbered there: nothing leaves in production under a number of the trials', async () => {
    await open();
    const give = await hold();
    reconfigure({ issuer: { ambiente: 2 } });
    give();
    await sync('1201');
    expect(await ours()).toEqual(['authorized 2 001-001-000000001']);
    await agree();
  });

  it('what had a number of the trials is dropped with a reason, and takes one of production', async () => {
    await open();
    await sync('1202');
    await refuse();
    reconfigure({ issuer: { ambiente: 2 } });
    await again();
    expect(await ours()).toEqual([
      'authorized 1 001-001-000000001',
      'cancelled 1 001-001-000000002',
      'authorized 2 001-001-000000001',
    ]);
    expect((await bench.documents())[1]?.reason).toContain('de pruebas');
    await agree();
  });
});

describe('a store gets another RUC', () => {
  const waits = { state: 'held', code: 'other-issuer', secuencial: '000000001' };

  it.each(['factura', 'nota-credito'] as const)(
    'a %s with a number waits for its issuer, is not touched meanwhile, and goes on when that is back',
    async (kind) => {
      await open();
      if (kind === 'nota-credito') {
        await sync('1201');
        bench.shop.refund('1201', { amount: '10.00' });
      }
      await refuse();
      const back = reconfigure({ issuer: { ruc: otherRuc } });
      await again();
      const { version } = await bench.document();
      expect(await bench.read()).toEqual(['sync-order']);
      expect(await bench.document()).toMatchObject({ kind, ...waits, version });
      back();
      await restart();
      expect(await bench.document()).toMatchObject({ kind, state: 'authorized', secuencial: '000000001' });
      await agree();
    },
  );

  it('a refund that found its factura with another issuer is credited when that is back', async () => {
    await open();
    await sync('1201');
    const back = reconfigure({ issuer: { ruc: otherRuc } });
    bench.shop.refund('1201', { amount: '10.00' });
    await sync('1201');
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'other-issuer', secuencial: null });
    back();
    await restart();
    expect(await bench.document()).toMatchObject({ kind: 'nota-credito', state: 'authorized' });
  });
});

it.each([
  ['a factura of the trials gets no nota de crédito of production', { ambiente: 2 }, 'pruebas'],
  ['a factura of another RUC gets none of this one', { ruc: otherRuc }, 'RUC'],
] as const)('%s', async (_name, issuer, word) => {
  await open();
  await sync('1201');
  reconfigure({ issuer });
  bench.shop.refund('1201', { amount: '10.00' });
  await sync('1201');
  const credit = await bench.documentOf('1201', 'nota-credito');
  expect(credit).toMatchObject({ state: 'manual', code: 'other-issuer', secuencial: null });
  expect(credit.reason).toContain(word);
  expect(bench.sandbox.documents()).toHaveLength(1);
});
