import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { sales, toWooOrder } from '../../sandbox/shops/woocommerce-orders.ts';
import type { Document } from '../../src/domain/document.ts';
import { checkAnnounced, openLook } from '../../src/jobs/older-ledger/lost-documents.ts';
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
/** Each of another total, so that nobody takes one for another. */
const orders = () =>
  Array.from({ length: 9 }, (_, n) => {
    const sale = sales[n % 2];
    if (!sale) throw new Error('The demo has no sale.');
    return toWooOrder({ ...sale, id: 2001 + n }, new Date(Date.parse(start) - 60_000));
  });
type Engine = 'sqlite' | 'postgres';

async function open(options: JobBenchOptions = {}): Promise<JobBench> {
  const bench = await openJobBench({ now: start, orders: orders(), ...options });
  cleanups.push(() => bench.close());
  return bench;
}

/** A ledger that is copied at once; opened later beside the same service and shop. */
async function copy({ ledgerFile }: JobBench, url: string | null): Promise<JobBenchOptions> {
  if (url !== null) {
    const database = await openDatabase();
    cleanups.push(database.drop);
    const { stdout } = await run('pg_dump', ['--no-owner', url], { maxBuffer: 1e9 });
    const restore = run('psql', ['--quiet', database.url], { maxBuffer: 1e9 });
    restore.child.stdin?.end(stdout);
    await restore;
    return { ledgerUrl: database.url };
  }
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-restored-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const directory = join(folder, 'ledger');
  const filter = (path: string) => !path.endsWith('.lock');
  await cp(dirname(ledgerFile), directory, { recursive: true, filter });
  return { directory };
}

const sell = async (bench: JobBench, ...some: string[]) => {
  for (const id of some) {
    const before = bench.sandbox.documents().length;
    await bench.sell(id);
    for (const { claveacceso } of bench.sandbox.documents().slice(before)) await bench.event(claveacceso);
    await bench.run();
    bench.advance(1_000);
  }
};
const sold =
  (...some: string[]) =>
  (bench: JobBench) =>
    sell(bench, ...some);
const withoutKeys = (bench: JobBench, some: readonly string[]) => {
  for (const id of some) {
    const all = bench.shop.order(id)?.meta_data ?? [];
    const meta_data = all.filter(({ key }) => !key.startsWith('_facturapuente'));
    bench.shop.put({ ...bench.shop.order(id), meta_data });
  }
};

/** What happens before the ledger is copied and what after, which is lost; nothing of it stands on the `forgotten` orders. */
interface Lost {
  engine?: Engine;
  options?: JobBenchOptions;
  /** Of the restored ledger, beside those. */
  restored?: JobBenchOptions;
  before?: (bench: JobBench) => Promise<unknown>;
  after?: (bench: JobBench) => Promise<unknown>;
  forgotten?: string[];
  hours?: number;
}
const lost345 = ['2003', '2004', '2005'];
const random: JobBenchOptions = { sandbox: { codigoNumerico: 'aleatorio' } };

/** The restored ledger, with service and shop as they were left. */
async function lose(lost: Lost = {}): Promise<JobBench> {
  const { before = sold('2001', '2002'), after = sold(...lost345), forgotten = lost345, hours = 1 } = lost;
  const database = lost.engine === 'postgres' ? await openDatabase() : null;
  if (database) cleanups.push(database.drop);
  const bench = await open({ ...lost.options, ...(database && { ledgerUrl: database.url }) });
  await before(bench);
  const place = await copy(bench, database?.url ?? null);
  await after(bench);
  withoutKeys(bench, forgotten);
  bench.advance(hours * 3_600_000);
  return open({ ...place, ...lost.restored, beside: bench, now: bench.clock.now().toISOString() });
}

const facturasOf = async (bench: JobBench, id: string): Promise<Document[]> =>
  (await bench.documents()).filter(
    ({ orderId, kind, state }) => orderId === id && kind === 'factura' && state !== 'cancelled',
  );
/** What is authorised of an order in the service, by its reference. */
const standing = ({ sandbox }: JobBench, id: string) =>
  sandbox
    .documents()
    .filter(({ estado, body }) => estado === 4 && JSON.stringify(body).includes(`/factura/${id}/`));
const credits = ({ sandbox }: JobBench) => sandbox.documents().filter(({ tipo }) => tipo === '04');
/** Its orders are read, the first first, and what follows comes to rest. */
const readAgain = async (bench: JobBench, some: string[], ...more: number[]) => {
  await bench.sell(...some);
  await bench.pass(1, 2, 3, 5, 5, 5, ...more);
};
/** A number that was refused as registered left twice, and is authorised once. */
const isOnce = (bench: JobBench, ...some: string[]) => {
  for (const id of some) expect([id, standing(bench, id).length]).toEqual([id, 1]);
  expect(bench.sandbox.audit().duplicates.filter(({ authorised }) => authorised > 1)).toEqual([]);
};
/** Each order has one factura, here and there, and they are the same. */
const agree = async (bench: JobBench, ...some: string[]) => {
  isOnce(bench, ...some);
  for (const id of some) {
    const accessKey = standing(bench, id)[0]?.claveacceso;
    expect(await facturasOf(bench, id), id).toMatchObject([{ state: 'authorized', accessKey }]);
  }
};
const seriesOf = ({ store }: JobBench) => {
  const { ruc, ambiente } = store.issuer;
  return { ruc, ambiente, codDoc: '01', establecimiento: '001', puntoEmision: '001' };
};
const give = async (bench: JobBench, id: string, accessKey: string | undefined, confirmed = false) => {
  const [document] = await facturasOf(bench, id);
  if (!document) throw new Error(`Order ${id} has no factura.`);
  return takeKey(bench.deps, document, { accessKey: accessKey ?? '', by: 'ana@caja', confirmed });
};

/** What PostgreSQL does is the same, and each test there dumps and restores a database. */
const engines: Engine[] = hasPostgres ? ['sqlite', 'postgres'] : ['sqlite'];
describe.each(engines)('three facturas lost with the last hour of a ledger on %s', (engine) => {
  it('are found where nothing stands on the orders, whatever order is read first', async () => {
    const bench = await lose({ engine });
    // Another one is sold at once, and the lost ones are read in another sequence.
    await readAgain(bench, ['2006', '2005', '2003', '2004'], 5, 5);
    await agree(bench, '2001', '2002', '2003', '2004', '2005', '2006');
    expect(await bench.openAlerts()).toEqual(['ledger-older-than-service']);
    await sell(bench, '2007');
    await agree(bench, '2007');
    expect(bench.sandbox.documents()).toHaveLength(7);
  });

  it('are found where their shop moved after the copy, and has not said yet which one it is', async () => {
    // The address of now is that of a proxy.
    const bench = await lose({ engine, restored: { hostile: true } });
    const { deps, ledger, store } = bench;
    bench.shop.move(store.shop);
    const former = (await ledger.stores.list()).find(({ shop }) => shop !== store.shop)?.shop ?? '';
    await readAgain(bench, ['2006']);
    // It may be ours: nobody is told that somebody else took the number.
    expect(await facturasOf(bench, '2006')).toMatchObject([{ state: 'uncertain', code: 'key-unexpected' }]);
    expect(await ledger.sequences.stopped(seriesOf(bench))).toMatchObject({
      reason: expect.stringMatching(/^El SRI ya tenía registrado un número .* Se averigua de quién es/),
    });
    // The series does not go on behind it either.
    const [account] = deps.accounts.values();
    if (!account) throw new Error('The bench has no account.');
    const under = { account: account.id, keyHash: account.keyHash };
    const look = openLook(deps, deps.service(account, null), under, async () => {});
    expect(await look(standing(bench, '2003')[0]?.claveacceso ?? '')).toBe('silent');
    const { storeOf } = deps;
    deps.storeOf = (platform, shop) => storeOf(platform, shop === former ? store.shop : shop);
    await bench.pass(...Array<number>(12).fill(5));
    await readAgain(bench, lost345, ...Array<number>(12).fill(5));
    await agree(bench, ...lost345, '2006');
  });

  it('are somebody else’s where the shop of their store has said that it is another one', async () => {
    const bench = await lose({ engine, restored: { hostile: true } });
    const { ledger, store, clock } = bench;
    bench.shop.move(store.shop);
    await ledger.shops.answered({ platform: store.platform.name, shop: store.shop }, 'another', clock.now());
    await readAgain(bench, ['2006']);
    expect(await facturasOf(bench, '2006')).toMatchObject([{ state: 'manual', code: 'number-conflict' }]);
  });

  it('are looked for again, as no fault of ours, while the service does not answer to the end', async () => {
    const bench = await lose({ engine });
    const failing = () => bench.ledger.failing.list({ failures: 1, since: new Date(0) });
    bench.sandbox.faults.add({
      failBeforeStoring: { operacion: 'consultar_comprobante', status: 503, times: 40 },
    });
    await readAgain(bench, ['2006']);
    expect(await bench.openAlerts()).toContain('ledger-older-than-service');
    expect((await failing()).filter(({ kind }) => kind === 'catch-up')).toEqual([]);
    bench.sandbox.faults.clear();
    await bench.pass(...Array<number>(12).fill(5));
    await readAgain(bench, lost345);
    await agree(bench, ...lost345, '2006');
  });

  it('are found where a lower number was reserved and had not arrived', async () => {
    const after = async (before: JobBench) => {
      before.sandbox.faults.add({ cutBeforeStoring: { operacion: '*', times: 1 } });
      await sell(before, '2003');
      await sell(before, '2004', '2005');
      expect(before.sandbox.documents().map(({ secuencial }) => Number(secuencial))).toEqual([1, 2, 4, 5]);
    };
    const bench = await lose({ engine, after });
    await readAgain(bench, ['2005', '2004', '2003'], 5, 5);
    await agree(bench, ...lost345);
  });

  it('are bound with the nota de crédito that was lost beside one', async () => {
    const after = async (before: JobBench) => {
      await sell(before, '2003');
      before.shop.refund('2003', { amount: '10.00' });
      await sell(before, '2003');
    };
    const bench = await lose({ engine, after, forgotten: ['2003'] });
    const [credit] = credits(bench);
    await readAgain(bench, ['2004', '2003']);
    await agree(bench, '2003', '2004');
    const ours = (await bench.documents()).filter(
      ({ kind, state }) => kind === 'nota-credito' && state !== 'cancelled',
    );
    expect(ours).toMatchObject([{ state: 'authorized', accessKey: credit?.claveacceso }]);
    expect(credits(bench).filter(({ estado }) => estado === 4)).toHaveLength(1);
  });
});

describe.each(whole ? engines : (['sqlite'] as const))('of a ledger on %s, what was lost', (engine) => {
  it('is bound by the keys that stand on the orders, which stay AUTORIZADO', async () => {
    const bench = await lose({ engine, forgotten: [] });
    await readAgain(bench, ['2005', '2004', '2003']);
    await agree(bench, ...lost345);
    for (const id of lost345)
      expect(bench.shop.order(id)?.meta_data).toContainEqual(
        expect.objectContaining({ key: '_facturapuente_estado', value: 'AUTORIZADO' }),
      );
    await sell(bench, '2006');
    await agree(bench, '2006');
    expect(bench.sandbox.documents()).toHaveLength(6);
  });

  it('is never invoiced again where keys cannot be foreseen', async () => {
    const bench = await lose({ engine, options: random });
    await readAgain(bench, ['2005', '2003', '2004'], 30, 60, 60);
    isOnce(bench, ...lost345);
  });

  it('is announced by its webhooks, which come again', async () => {
    const bench = await lose({ engine });
    for (const { claveacceso } of bench.sandbox.documents()) await bench.event(claveacceso);
    await bench.pass(0, 1, 2, 3, 5);
    await agree(bench, ...lost345);
    await sell(bench, '2006');
    await agree(bench, '2006');
  });

  it.each([
    { by: '45', before: ['2001', '2002'], after: lost345, first: '2005' },
    { by: 'the digits of one key that is known', before: ['2001'], after: lost345, first: '2005' },
    { by: 'the key of a number that was refused', before: [], after: ['2003', '2004'], first: '2004' },
  ])('the day before is found by $by', async ({ before, after, first }) => {
    const bench = await lose({
      ...{ engine, before: sold(...before), after: sold(...after), forgotten: after, hours: 14 },
    });
    await readAgain(bench, [...new Set([first, '2005', '2003', '2004'])], 30, 60, 60, 60);
    await agree(bench, ...lost345);
  });

  it('is found where a person raised the series before the first start', async () => {
    const bench = await lose({ engine });
    await bench.ledger.sequences.raise(seriesOf(bench), 50);
    await readAgain(bench, ['2006', '2005', '2003', '2004']);
    await agree(bench, ...lost345, '2006');
    expect((await facturasOf(bench, '2006'))[0]?.secuencial).toBe('000000050');
  });

  it.each([
    ['a refund had left', [], []],
    ['a first refund had left, and a second came after it', ['5.00'], ['5.00']],
  ])('is bound where it was issued for what %s', async (_what, later, credited) => {
    const after = async (before: JobBench) => {
      before.shop.refund('2003', { amount: '10.00' });
      await sell(before, '2003');
      before.advance(60_000);
      for (const amount of later) before.shop.refund('2003', { amount });
    };
    const bench = await lose({ engine, after, forgotten: ['2003'], hours: 0 });
    await readAgain(bench, ['2004', '2003']);
    await agree(bench, '2003', '2004');
    expect((await facturasOf(bench, '2003'))[0]?.total).toBe('23.75');
    expect(credits(bench).map(({ figures }) => figures?.importeTotal)).toEqual(credited);
  });

  it('as a nota de crédito is of no order that only planned to use the number of its factura', async () => {
    const refunded = async (bench: JobBench, id: string, amount: string) => {
      bench.shop.refund(id, { amount });
      await sell(bench, id);
    };
    const bench = await lose({
      engine,
      async before(own) {
        await sell(own, '2001', '2002');
        await refunded(own, '2001', '5.00');
      },
      async after(own) {
        await sell(own, '2003');
        await refunded(own, '2003', '10.00');
      },
      forgotten: ['2003'],
    });
    const accessKey = credits(bench)[1]?.claveacceso ?? '';
    // The number of the lost factura is planned for another order, which never left.
    const planned = await planOnly(bench, '2004');
    expect(planned.secuencial).toBe('000000003');
    expect(await checkAnnounced(bench.deps, planned.account, accessKey)).toBe(true);
    expect(await bench.ledger.unknownDocuments.open()).toMatchObject([{ orderId: null }]);
    await readAgain(bench, ['2004', '2003']);
    await agree(bench, '2003', '2004');
    expect(await bench.documentOf('2003', 'nota-credito')).toMatchObject({ state: 'authorized', accessKey });
  });

  it('is held by name where its order says another total by now, and is the person’s who compared them', async () => {
    const bench = await lose({ engine });
    const fee = { id: 990, name: 'Recargo', total: '3.00', total_tax: '0.00', taxes: [], meta_data: [] };
    const order = bench.shop.order('2004') as { total?: string };
    const total = (Number(order.total) + 3).toFixed(2);
    bench.shop.put({ ...order, total, fee_lines: [{ ...fee, tax_class: '', tax_status: 'none' }] });
    await readAgain(bench, ['2005', '2004', '2003'], 5);
    await agree(bench, '2003', '2005');
    const [there] = standing(bench, '2004');
    const accessKey = there?.claveacceso;
    const differs = { state: 'manual', code: 'stored-differs', accessKey };
    expect(await facturasOf(bench, '2004')).toMatchObject([differs]);
    expect(await give(bench, '2004', accessKey)).toMatchObject({ kind: 'refused' });
    expect(await give(bench, '2004', accessKey, true)).toMatchObject({ kind: 'authorized' });
    await agree(bench, '2004');
  });

  /** Nothing names what was lost, and the series of the restored ledger is stopped at the first of it. */
  async function stopAtLost(): Promise<{ bench: JobBench; keys: string[]; stop: object }> {
    const bench = await lose({ engine, options: random });
    const keys = lost345.map((id) => standing(bench, id)[0]?.claveacceso ?? '');
    const stop = { reason: 'Espere.', secuencial: '000000003' };
    await bench.ledger.sequences.stop(seriesOf(bench), stop, bench.clock.now());
    return { bench, keys, stop };
  }

  it('is bound by the key a person gives where nothing else names it', async () => {
    const { bench, keys } = await stopAtLost();
    await bench.read(...lost345);
    for (const [n, id] of lost345.entries()) {
      const held = { state: 'held', code: 'series-stopped' };
      expect(await facturasOf(bench, id)).toMatchObject([held]);
      expect(await give(bench, id, keys[n])).toMatchObject({ kind: 'processing' });
      await bench.run();
    }
    await agree(bench, ...lost345);
  });

  it('is all looked for before the series goes on, though one was bound whose number stopped it', async () => {
    const { bench, keys, stop } = await stopAtLost();
    await bench.read('2003');
    await give(bench, '2003', keys[0]);
    // Its order is read before what else was lost is looked for.
    await planOnly(bench, '2003');
    const bound = { state: 'authorized', accessKey: keys[0] };
    expect(await facturasOf(bench, '2003')).toMatchObject([bound]);
    expect(await bench.ledger.sequences.stopped(seriesOf(bench))).toEqual(stop);
  });

  it.each([
    ['leaves again first', [], 'stands on the order'],
    ['leaves again first', [], 'stands nowhere'],
    ['is read first', ['2002'], 'stands on the order'],
    ['is read after another that was lost', ['2003', '2002'], 'stands on the order'],
    ['is read after another that was lost', ['2003', '2002'], 'stands nowhere'],
  ])(
    'is bound where a number is kept and not that it left: it %s (%j), its key %s',
    async (_first, readFirst, key) => {
      const bench = await lose({
        engine,
        async before(own) {
          await sell(own, '2001');
          await planOnly(own, '2002');
        },
        after: sold('2002', '2003'),
        forgotten: key === 'stands nowhere' ? ['2002', '2003'] : [],
        hours: 0,
      });
      for (const id of readFirst) await planOnly(bench, id);
      await readAgain(bench, ['2003', '2002'], 5, 5);
      await agree(bench, '2001', '2002', '2003');
      await sell(bench, '2004');
      await agree(bench, '2004');
      expect(bench.sandbox.documents()).toHaveLength(4);
    },
  );
});

describe('an order that carries a key of ours', () => {
  /** 2002 carries what was written onto 2001, its key changed. */
  const carry = async (change: (key: string) => string = (key) => key): Promise<JobBench> => {
    const bench = await open();
    await sell(bench, '2001');
    const all = bench.shop.order('2001')?.meta_data ?? [];
    const ours = all
      .filter(({ key }) => key.startsWith('_facturapuente'))
      .map(({ key, value }) => ({
        key,
        value: key === '_facturapuente_clave_acceso' ? change(String(value)) : value,
      }));
    const order = bench.shop.order('2002');
    bench.shop.put({ ...order, meta_data: [...(order?.meta_data ?? []), ...ours] });
    await sell(bench, '2002');
    return bench;
  };
  const writtenState = ({ shop }: JobBench) =>
    shop.order('2002')?.meta_data.find(({ key }) => key === '_facturapuente_estado')?.value;

  it('copied from another order is recognised as that order’s', async () => {
    const bench = await carry();
    const { orderName } = await bench.documentOf('2001');
    expect(await bench.documentOf('2002')).toMatchObject({
      ...{ state: 'held', code: 'unknown-access-key' },
      reason: expect.stringContaining(`es del pedido ${orderName}`),
    });
    // What the copy says of itself is not true.
    expect(writtenState(bench)).toBe('RETENIDO');
  });

  it('that nobody here and nobody at the service knows is held, and AUTORIZADO stays on it', async () => {
    const bench = await carry((key) => {
      const digits = `${key.slice(0, 30)}000000900${key.slice(39, 48)}`;
      const last = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((one) => hasCheckDigit(`${digits}${one}`));
      return `${digits}${last}`;
    });
    expect(await bench.documentOf('2002')).toMatchObject({ state: 'held', code: 'unknown-access-key' });
    expect(writtenState(bench)).toBe('AUTORIZADO');
    expect(bench.shop.notes('2002').some(({ note }) => note.includes('no registra'))).toBe(true);
  });

  it('keeps AUTORIZADO when its held reading is older than the key', async () => {
    const bench = await open();
    await sell(bench, '2001');
    const { secuencial, ...series } = await bench.documentOf('2001');
    const stop = { reason: 'Otro sistema usa la serie.', secuencial: secuencial ?? '' };
    await bench.ledger.sequences.stop(series, stop, bench.clock.now());
    await planOnly(bench, '2002');
    expect(await bench.documentOf('2002')).toMatchObject({ state: 'held', code: 'series-stopped' });
    const written = [
      { key: '_facturapuente_estado', value: 'AUTORIZADO' },
      { key: '_facturapuente_clave_acceso', value: '2011202601179001234500110010010000000091234567817' },
    ];
    bench.shop.put({ ...bench.shop.order('2002'), meta_data: written });
    await bench.run();
    expect(writtenState(bench)).toBe('AUTORIZADO');
  });
});
