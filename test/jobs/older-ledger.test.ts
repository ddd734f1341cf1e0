import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { sales, toWooOrder } from '../../src/cli/demo/woocommerce-orders.ts';
import type { Document } from '../../src/domain/document.ts';
import { checkAnnounced } from '../../src/jobs/older-ledger/lost-documents.ts';
import { submit } from '../../src/jobs/send-document.ts';
import { takeKey } from '../../src/jobs/take-key.ts';
import { hasCheckDigit } from '../../src/service/event.ts';
import { whole } from '../support/chance.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { planOnly } from '../support/plan-only.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/** A ledger that was restored from a copy of an hour ago: the service knows facturas that it does not. */
const run = promisify(execFile);
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const start = '2026-11-20T15:00:00Z';
const ids = Array.from({ length: 9 }, (_, n) => String(2001 + n));
/** Each of another total, so that nobody takes one for another. */
const orders = () =>
  ids.map((id, n) => {
    const sale = sales[n % 2];
    if (!sale) throw new Error('The demo has no sale.');
    return toWooOrder({ ...sale, id: Number(id) }, new Date(Date.parse(start) - 60_000));
  });

let place: { url: string } | { directory: string };
/** The bench of before, and what is restored later from now. */
async function open(engine: string, options: JobBenchOptions = {}): Promise<JobBench> {
  const database = engine === 'postgres' ? await openDatabase() : null;
  if (database) cleanups.push(database.drop);
  const bench = await openJobBench({
    now: start,
    orders: orders(),
    ...options,
    ...(database && { ledgerUrl: database.url }),
  });
  cleanups.push(() => bench.close());
  place = database ?? { directory: dirname(bench.ledgerFile) };
  return bench;
}

/** A copy of the ledger as it is now; opened later beside the same service and shop. */
async function backUp(bench: JobBench): Promise<() => Promise<JobBench>> {
  if ('url' in place) {
    const copy = await openDatabase();
    cleanups.push(copy.drop);
    const { stdout } = await run('pg_dump', ['--no-owner', place.url], { maxBuffer: 1e9 });
    const restore = run('psql', ['--quiet', copy.url], { maxBuffer: 1e9 });
    restore.child.stdin?.end(stdout);
    await restore;
    return () => reopen(bench, { ledgerUrl: copy.url });
  }
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-restored-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const directory = join(folder, 'ledger');
  await cp(place.directory, directory, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  return () => reopen(bench, { directory });
}

async function reopen(bench: JobBench, at: JobBenchOptions): Promise<JobBench> {
  const restored = await openJobBench({ ...at, beside: bench, now: bench.clock.now().toISOString() });
  // Before the first: it owns the service.
  cleanups.push(() => restored.close());
  return restored;
}

const sell = async (bench: JobBench, ...some: string[]) => {
  for (const id of some) {
    await bench.sync(id);
    await bench.run();
    await bench.decided();
    for (const { claveacceso } of bench.sandbox.documents()) await bench.event(claveacceso);
    await bench.run();
    bench.advance(1_000);
  }
};
const facturasOf = async (bench: JobBench, id: string): Promise<Document[]> =>
  (await bench.ledger.documents.list({ limit: 99 })).filter(
    ({ orderId, kind, state }) => orderId === id && kind === 'factura' && state !== 'cancelled',
  );
/** What stands in the service of an order, by its reference. */
const standing = (bench: JobBench, id: string) =>
  bench.sandbox
    .documents()
    .filter(({ estado }) => estado === 4)
    .filter(({ body }) =>
      (body as { informacion_adicional?: { detalle: string }[] }).informacion_adicional?.some(({ detalle }) =>
        detalle.includes(`/factura/${id}/`),
      ),
    );
const forget = (bench: JobBench, ...some: string[]) => {
  for (const id of some) {
    const meta_data = (bench.shop.order(id)?.meta_data ?? []).filter(
      ({ key }) => !key.startsWith('_facturapuente'),
    );
    bench.shop.put({ ...bench.shop.order(id), meta_data });
  }
};
/** Its orders are read, the first first, and what follows comes to rest. */
const readAgain = async (bench: JobBench, ...some: string[]) => {
  for (const id of some) await bench.sync(id);
  await bench.run();
  await bench.decided();
  await bench.pass(1, 2, 3, 5, 5, 5);
};
/** Each order has one factura, here and there, and they are the same. */
const agree = async (bench: JobBench, ...some: string[]) => {
  for (const id of some) {
    const [document, ...more] = await facturasOf(bench, id);
    const [there, ...others] = standing(bench, id);
    expect([id, more.length, others.length]).toEqual([id, 0, 0]);
    expect(document, id).toMatchObject({ state: 'authorized', accessKey: there?.claveacceso });
  }
  // A number that was refused as registered left twice, and is authorised once.
  expect(bench.sandbox.audit().duplicates.filter(({ authorised }) => authorised > 1)).toEqual([]);
};

const engines = hasPostgres ? ['sqlite', 'postgres'] : ['sqlite'];

async function lose(engine: string, options: JobBenchOptions = {}) {
  const before = await open(engine, options);
  await sell(before, '2001', '2002');
  const restore = await backUp(before);
  await sell(before, '2003', '2004', '2005');
  before.advance(3_600_000);
  return { before, restore };
}

describe.each(engines)('three facturas lost with the last hour of a ledger on %s', (engine) => {
  it('are found where nothing stands on the orders, whatever order is read first', async () => {
    const { before, restore } = await lose(engine);
    forget(before, '2003', '2004', '2005');
    const restored = await restore();
    // Another one is sold at once, and the lost ones are read in another sequence.
    for (const id of ['2006', '2005', '2003', '2004']) await restored.sync(id);
    await restored.run();
    await restored.decided();
    await restored.pass(1, 2, 3, 5, 5, 5, 5, 5);
    await agree(restored, '2001', '2002', '2003', '2004', '2005', '2006');
    expect((await restored.ledger.alerts.open()).map(({ code }) => code)).toEqual([
      'ledger-older-than-service',
    ]);
    await sell(restored, '2007');
    await agree(restored, '2007');
    expect(restored.sandbox.documents()).toHaveLength(7);
  });

  it('are bound with the nota de crédito that was lost beside one', async () => {
    const before = await open(engine);
    await sell(before, '2001', '2002');
    const restore = await backUp(before);
    await sell(before, '2003');
    before.shop.refund('2003', { amount: '10.00' });
    await sell(before, '2003');
    forget(before, '2003');
    const credit = before.sandbox.documents().find(({ tipo }) => tipo === '04');
    expect(credit?.estado).toBe(4);
    const restored = await restore();
    await readAgain(restored, '2004', '2003');
    await agree(restored, '2003', '2004');
    const credits = (await restored.ledger.documents.list({ limit: 99 })).filter(
      ({ kind, state }) => kind === 'nota-credito' && state !== 'cancelled',
    );
    expect(credits).toMatchObject([{ state: 'authorized', accessKey: credit?.claveacceso }]);
    expect(
      restored.sandbox.documents().filter(({ tipo, estado }) => tipo === '04' && estado === 4),
    ).toHaveLength(1);
  });
});

/** What PostgreSQL does is the same, and each test there dumps and restores a database. */
describe.each(whole ? engines : ['sqlite'])(
  'three facturas lost with the last hour of a ledger, and what comes after them, on %s',
  (engine) => {
    it('are bound by the keys that stand on the orders, which stay AUTORIZADO', async () => {
      const { restore } = await lose(engine);
      const restored = await restore();
      for (const id of ['2005', '2004', '2003']) await restored.sync(id);
      await restored.run();
      await restored.pass(1, 2, 3, 5);
      await agree(restored, '2003', '2004', '2005');
      for (const id of ['2003', '2004', '2005']) {
        const written = Object.fromEntries(
          (restored.shop.order(id)?.meta_data ?? []).map(({ key, value }) => [key, value]),
        );
        expect(written._facturapuente_estado).toBe('AUTORIZADO');
      }
      await sell(restored, '2006');
      await agree(restored, '2006');
      expect(restored.sandbox.documents()).toHaveLength(6);
    });

    it('are never invoiced again where keys cannot be foreseen', async () => {
      const { before, restore } = await lose(engine, { sandbox: { codigoNumerico: 'aleatorio' } });
      forget(before, '2003', '2004', '2005');
      const restored = await restore();
      for (const id of ['2005', '2003', '2004']) await restored.sync(id);
      await restored.run();
      await restored.decided();
      await restored.pass(1, 2, 3, 5, 5, 5, 30, 60, 60);
      for (const id of ['2003', '2004', '2005']) expect(standing(restored, id)).toHaveLength(1);
      expect(restored.sandbox.audit().duplicates.filter(({ authorised }) => authorised > 1)).toEqual([]);
    });

    it('are never invoiced again where many documents leave at once and keys cannot be foreseen', async () => {
      const { before, restore } = await lose(engine, { sandbox: { codigoNumerico: 'aleatorio' } });
      forget(before, '2003', '2004', '2005');
      const restored = await restore();
      // Numbers 3 to 5 are lost ones, and the lost order 2003 is given number 6.
      for (const id of ['2006', '2007', '2008', '2003']) await planOnly(restored, id);
      const ready = await restored.ledger.documents.list({ states: ['ready'], limit: 99 });
      expect(ready).toHaveLength(4);
      await Promise.all(ready.map(({ id }) => submit(restored.deps, id, null, 'backlog')));
      await restored.run();
      await restored.decided();
      await restored.pass(1, 2, 3, 5, 5, 5, 30, 60, 60);
      for (const id of ['2003', '2004', '2005']) expect(standing(restored, id)).toHaveLength(1);
      expect(restored.sandbox.audit().duplicates.filter(({ authorised }) => authorised > 1)).toEqual([]);
    });

    it('are announced by their webhooks, which come again', async () => {
      const { before, restore } = await lose(engine);
      forget(before, '2003', '2004', '2005');
      const restored = await restore();
      for (const { claveacceso } of restored.sandbox.documents()) await restored.event(claveacceso);
      await restored.run();
      await restored.pass(1, 2, 3, 5);
      await agree(restored, '2003', '2004', '2005');
      await sell(restored, '2006');
      await agree(restored, '2006');
    });

    it.each([
      { by: '45', before: ['2001', '2002'], lost: ['2003', '2004', '2005'], first: '2005' },
      {
        by: 'the digits of one key that is known',
        before: ['2001'],
        lost: ['2003', '2004', '2005'],
        first: '2005',
      },
      { by: 'the key of a number that was refused', before: [], lost: ['2003', '2004'], first: '2004' },
    ])('of the day before are found by $by', async ({ before: sold, lost, first }) => {
      const before = await open(engine);
      await sell(before, ...sold);
      const restore = await backUp(before);
      await sell(before, ...lost);
      forget(before, ...lost);
      before.advance(14 * 3_600_000);
      const restored = await restore();
      for (const id of new Set([first, '2005', '2003', '2004'])) await restored.sync(id);
      await restored.run();
      await restored.decided();
      await restored.pass(1, 2, 3, 5, 5, 5, 30, 60, 60, 60);
      await agree(restored, '2003', '2004', '2005');
    });

    it('are found where a person raised the series before the first start', async () => {
      const { before, restore } = await lose(engine);
      forget(before, '2003', '2004', '2005');
      const restored = await restore();
      const { ruc, ambiente } = restored.store.issuer;
      const series = { ruc, ambiente, codDoc: '01', establecimiento: '001', puntoEmision: '001' };
      await restored.ledger.sequences.raise(series, 50);
      await readAgain(restored, '2006', '2005', '2003', '2004');
      await agree(restored, '2003', '2004', '2005', '2006');
      expect((await facturasOf(restored, '2006'))[0]?.secuencial).toBe('000000050');
    });

    it('are bound where one was issued for what a refund had left', async () => {
      const before = await open(engine);
      await sell(before, '2001', '2002');
      const restore = await backUp(before);
      before.shop.refund('2003', { amount: '10.00' });
      await sell(before, '2003');
      forget(before, '2003');
      const restored = await restore();
      await readAgain(restored, '2004', '2003');
      await agree(restored, '2003', '2004');
      expect((await facturasOf(restored, '2003'))[0]?.total).toBe('23.75');
      expect(restored.sandbox.documents().filter(({ tipo }) => tipo === '04')).toEqual([]);
    });

    it('are bound where a first refund was taken off one, and a second came after it', async () => {
      const before = await open(engine);
      await sell(before, '2001', '2002');
      const restore = await backUp(before);
      before.shop.refund('2003', { amount: '10.00' });
      await sell(before, '2003');
      before.advance(60_000);
      before.shop.refund('2003', { amount: '5.00' });
      forget(before, '2003');
      const restored = await restore();
      await readAgain(restored, '2004', '2003');
      await agree(restored, '2003', '2004');
      const credits = restored.sandbox.documents().filter(({ tipo }) => tipo === '04');
      expect(credits.map(({ figures }) => figures?.importeTotal)).toEqual(['5.00']);
    });

    it('a lost nota de crédito is of no order that only planned to use the number of its factura', async () => {
      const before = await open(engine);
      await sell(before, '2001', '2002');
      before.shop.refund('2001', { amount: '5.00' });
      await sell(before, '2001');
      const restore = await backUp(before);
      await sell(before, '2003');
      before.shop.refund('2003', { amount: '10.00' });
      await sell(before, '2003');
      forget(before, '2003');
      const [, lost] = before.sandbox.documents().filter(({ tipo }) => tipo === '04');
      if (!lost) throw new Error('Nothing was credited.');
      const restored = await restore();
      // The number of the lost factura is planned for another order, which never left.
      const planned = await planOnly(restored, '2004');
      expect(planned.secuencial).toBe('000000003');
      expect(await checkAnnounced(restored.deps, planned.account, lost.claveacceso)).toBe(true);
      expect(await restored.ledger.unknownDocuments.open()).toMatchObject([{ orderId: null }]);
      await readAgain(restored, '2004', '2003');
      await agree(restored, '2003', '2004');
      const credits = await restored.ledger.documents.list({ limit: 99 });
      expect(credits.find(({ accessKey }) => accessKey === lost.claveacceso)).toMatchObject({
        state: 'authorized',
        orderId: '2003',
      });
    });

    it('is held by name where its order says another total by now', async () => {
      const { before, restore } = await lose(engine);
      forget(before, '2003', '2004', '2005');
      const restored = await restore();
      const fee = {
        id: 990,
        name: 'Recargo',
        total: '3.00',
        total_tax: '0.00',
        taxes: [],
        tax_class: '',
        tax_status: 'none',
        meta_data: [],
      };
      const order = restored.shop.order('2004');
      if (!order) throw new Error('No order.');
      const total = (Number((order as { total?: string }).total) + 3).toFixed(2);
      restored.shop.put({ ...order, total, fee_lines: [fee] });
      for (const id of ['2005', '2004', '2003']) await restored.sync(id);
      await restored.run();
      await restored.decided();
      await restored.pass(1, 2, 3, 5, 5, 5, 5);
      await agree(restored, '2003', '2005');
      const [document, ...more] = await facturasOf(restored, '2004');
      expect(more).toEqual([]);
      expect(document).toMatchObject({
        state: 'manual',
        code: 'stored-differs',
        accessKey: standing(restored, '2004')[0]?.claveacceso,
      });
      expect(standing(restored, '2004')).toHaveLength(1);
      // A person has compared them and answers for it.
      if (!document) throw new Error('No document.');
      const give = (vouched: boolean) =>
        takeKey(restored.deps, document, { accessKey: document.accessKey ?? '', by: 'ana@caja', vouched });
      expect(await give(false)).toMatchObject({ kind: 'refused' });
      expect(await give(true)).toMatchObject({ kind: 'authorized' });
      await agree(restored, '2004');
    });

    it('are bound by the key a person gives where nothing else names them', async () => {
      const { before, restore } = await lose(engine, { sandbox: { codigoNumerico: 'aleatorio' } });
      const lost = before.sandbox.documents().filter(({ numero }) => /[345]$/.test(numero));
      forget(before, '2003', '2004', '2005');
      const restored = await restore();
      const { ruc, ambiente } = restored.store.issuer;
      const series = { ruc, ambiente, codDoc: '01', establecimiento: '001', puntoEmision: '001' };
      const stop = { reason: 'Espere.', secuencial: '000000003' };
      await restored.ledger.sequences.stop(series, stop, restored.clock.now());
      for (const id of ['2003', '2004', '2005']) await restored.sync(id);
      await restored.run();
      for (const [n, id] of ['2003', '2004', '2005'].entries()) {
        const [document] = await facturasOf(restored, id);
        expect(document).toMatchObject({ state: 'held', code: 'series-stopped' });
        if (!document) throw new Error('No document.');
        const accessKey = lost[n]?.claveacceso ?? '';
        const given = { accessKey, by: 'ana@caja', vouched: false };
        expect(await takeKey(restored.deps, document, given)).toMatchObject({ kind: 'processing' });
        await restored.run();
      }
      await agree(restored, '2003', '2004', '2005');
    });

    it.each([
      ['leaves again first', [], 'stands on the order'],
      ['leaves again first', [], 'stands nowhere'],
      ['is read first', ['2002'], 'stands on the order'],
      ['is read after another that was lost', ['2003', '2002'], 'stands on the order'],
      ['is read after another that was lost', ['2003', '2002'], 'stands nowhere'],
    ])(
      'are bound where a number is kept and not that it left: it %s (%j), its key %s',
      async (_first, readFirst, key) => {
        const before = await open(engine);
        await sell(before, '2001');
        await planOnly(before, '2002');
        const restore = await backUp(before);
        await sell(before, '2002', '2003');
        if (key === 'stands nowhere') forget(before, '2002', '2003');
        const restored = await restore();
        for (const id of readFirst) await planOnly(restored, id);
        await readAgain(restored, '2003', '2002');
        await restored.pass(5, 5);
        await agree(restored, '2001', '2002', '2003');
        await sell(restored, '2004');
        await agree(restored, '2004');
        expect(restored.sandbox.documents()).toHaveLength(4);
      },
    );

    it('are all looked for before the series goes on, though one was bound whose number stopped it', async () => {
      const { before, restore } = await lose(engine, { sandbox: { codigoNumerico: 'aleatorio' } });
      const [, , lost] = before.sandbox.documents();
      forget(before, '2003', '2004', '2005');
      const restored = await restore();
      const { ruc, ambiente } = restored.store.issuer;
      const series = { ruc, ambiente, codDoc: '01', establecimiento: '001', puntoEmision: '001' };
      const stop = { reason: 'Espere.', secuencial: '000000003' };
      await restored.ledger.sequences.stop(series, stop, restored.clock.now());
      await restored.sync('2003');
      await restored.run();
      const [document] = await facturasOf(restored, '2003');
      if (!document) throw new Error('No document.');
      const accessKey = lost?.claveacceso ?? '';
      await takeKey(restored.deps, document, { accessKey, by: 'ana@caja', vouched: false });
      // Its order is read before what else was lost is looked for.
      await planOnly(restored, '2003');
      expect(await facturasOf(restored, '2003')).toMatchObject([{ state: 'authorized', accessKey }]);
      expect(await restored.ledger.sequences.stopped(series)).toEqual(stop);
    });
  },
);

describe('an order that carries a key of ours', () => {
  const copyKey = (
    bench: JobBench,
    from: string,
    to: string,
    change: (key: string) => string = (key) => key,
  ) => {
    const ours = (bench.shop.order(from)?.meta_data ?? []).filter(({ key }) =>
      key.startsWith('_facturapuente'),
    );
    const meta_data = ours.map(({ key, value }) => ({
      key,
      value: key === '_facturapuente_clave_acceso' ? change(String(value)) : value,
    }));
    const order = bench.shop.order(to);
    bench.shop.put({ ...order, meta_data: [...(order?.meta_data ?? []), ...meta_data] });
  };
  const metaOf = (bench: JobBench, id: string) =>
    Object.fromEntries((bench.shop.order(id)?.meta_data ?? []).map(({ key, value }) => [key, value]));

  it('copied from another order is recognised as that order’s', async () => {
    const bench = await open('sqlite');
    await sell(bench, '2001');
    copyKey(bench, '2001', '2002');
    await sell(bench, '2002');
    const name = (await facturasOf(bench, '2001'))[0]?.orderName;
    expect((await facturasOf(bench, '2002'))[0]).toMatchObject({
      state: 'held',
      code: 'unknown-access-key',
      reason: expect.stringContaining(`es del pedido ${name}`),
    });
    // What the copy says of itself is not true.
    expect(metaOf(bench, '2002')._facturapuente_estado).toBe('RETENIDO');
  });

  it('that nobody here and nobody at the service knows is held, and AUTORIZADO stays on it', async () => {
    const bench = await open('sqlite');
    await sell(bench, '2001');
    copyKey(bench, '2001', '2002', (key) => {
      const digits = `${key.slice(0, 30)}000000900${key.slice(39, 48)}`;
      const last = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((one) => hasCheckDigit(`${digits}${one}`));
      return `${digits}${last}`;
    });
    await sell(bench, '2002');
    expect((await facturasOf(bench, '2002'))[0]).toMatchObject({ state: 'held', code: 'unknown-access-key' });
    expect(metaOf(bench, '2002')._facturapuente_estado).toBe('AUTORIZADO');
    expect(bench.shop.notes('2002').some(({ note }) => note.includes('no registra'))).toBe(true);
  });
});
