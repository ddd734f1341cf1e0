import { afterEach, describe, expect, it } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { keptFile } from '../../src/jobs/files.ts';
import type { PassedAnswer } from '../support/hostile.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/** Answers of the service that were given to other requests: by a cache, or a proxy that mixes connections up. */
let bench: JobBench;
let dropDatabase: (() => Promise<void>) | undefined;
afterEach(async () => {
  await bench?.close();
  await dropDatabase?.();
  dropDatabase = undefined;
});

const open = async (engine: string, options: JobBenchOptions = {}) => {
  const database = engine === 'postgres' ? await openDatabase() : null;
  dropDatabase = database?.drop;
  bench = await openJobBench({ hostile: true, ...options, ...(database && { ledgerUrl: database.url }) });
};
const documentOf = async (order: string): Promise<Document> => {
  const found = (await bench.ledger.documents.list({ limit: 50 })).find((one) => one.orderId === order);
  if (!found) throw new Error(`Order ${order} has no document.`);
  return found;
};
const stored = (numero: string) =>
  bench.sandbox.documents().find((one) => one.numero.endsWith(numero))?.claveacceso ?? '';
const isEmission = ({ path }: Pick<PassedAnswer, 'path'>) => path.endsWith('/emision');
/** What the service answered the nth emission with goes to the next one once more. */
const fromCache = (n: number, times?: number) =>
  bench.hostile?.service.change((asked) => {
    const known = bench.hostile?.service.answers.filter(isEmission)[n];
    return isEmission(asked) ? known : undefined;
  }, times);
const sell = async (order: string) => {
  await bench.sync(order);
  await bench.run();
  await bench.decided();
};

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  const test = it.skipIf(engine === 'postgres' && !hasPostgres);

  test('an emission that is answered out of a cache is lost, and found by its own number', async () => {
    await open(engine);
    await sell('1201');
    fromCache(0);
    await sell('1202');
    expect(await documentOf('1202')).toMatchObject({
      state: 'uncertain',
      code: 'key-unexpected',
      accessKey: null,
    });
    await bench.pass(2, 4, 8, 15);
    expect(await documentOf('1201')).toMatchObject({ state: 'authorized', accessKey: stored('000000001') });
    expect(await documentOf('1202')).toMatchObject({ state: 'authorized', accessKey: stored('000000002') });
    expect(bench.sandbox.documents()).toHaveLength(2);
    expect(bench.alerts).toEqual([]);
  });

  test('one that gets a 409 with the key of another number stops no series', async () => {
    await open(engine);
    await sell('1201');
    const body = Buffer.from(
      JSON.stringify({ creado: false, claveacceso: stored('000000001'), errors: ['La clave ya existe.'] }),
    );
    bench.hostile?.service.change((asked) => (isEmission(asked) ? { status: 409, body } : undefined));
    await sell('1202');
    expect(await documentOf('1202')).toMatchObject({ state: 'uncertain', code: 'key-unexpected' });
    await bench.pass(2, 4, 8, 15);
    expect(await documentOf('1202')).toMatchObject({ state: 'authorized', accessKey: stored('000000002') });
    expect(bench.alerts).toEqual([]);
  });

  test('one that gets a 500 with the key of another number keeps none', async () => {
    await open(engine);
    await sell('1201');
    const body = Buffer.from(
      JSON.stringify({ creado: false, claveacceso: stored('000000001'), errors: ['Error interno.'] }),
    );
    bench.hostile?.service.change((asked) => (isEmission(asked) ? { status: 500, body } : undefined));
    await sell('1202');
    expect(await documentOf('1202')).toMatchObject({ state: 'uncertain', accessKey: null });
    await bench.pass(2, 4, 8, 15);
    expect(await documentOf('1202')).toMatchObject({ state: 'authorized', accessKey: stored('000000002') });
  });

  test('people are alerted when it repeats', async () => {
    await open(engine);
    await sell('1201');
    fromCache(0, 2);
    await sell('1202');
    expect(bench.alerts).toEqual([]);
    await sell('1203');
    expect(bench.alerts).toEqual(['answers-mixed-up']);
    await bench.pass(2, 4, 8, 15);
    for (const order of ['1202', '1203']) expect((await documentOf(order)).state).toBe('authorized');
    expect(bench.sandbox.audit().duplicates).toEqual([]);
  });

  test('a state of another document is ignored', async () => {
    await open(engine);
    bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
    await sell('1201');
    await sell('1202');
    const isQuestion = ({ path }: Pick<PassedAnswer, 'path'>) => path.includes('/consulta/');
    // 1202 is asked about and told that it was refused, without the key that would give it away.
    bench.hostile?.service.change((asked, truth) => {
      if (!isQuestion(asked) || !asked.path.includes(stored('000000002'))) return undefined;
      const reported = JSON.parse(truth.body.toString());
      const wrong = {
        ...reported,
        estado: 5,
        autorizado: false,
        requiere_correccion: true,
        numero: '001-001-000000001',
      };
      for (const name of ['claveacceso', 'numero_autorizacion', 'fecha_autorizacion']) delete wrong[name];
      return { status: 200, body: Buffer.from(JSON.stringify(wrong)) };
    });
    await bench.pass(3, 5);
    expect(await documentOf('1201')).toMatchObject({ state: 'rejected' });
    expect(await documentOf('1202')).toMatchObject({ state: 'authorized', accessKey: stored('000000002') });
  });

  test('a key of the day before is asked about before it is believed', async () => {
    await open(engine, { now: '2026-11-21T04:59:00Z' });
    bench.sandbox.faults.add({ failBeforeStoring: { status: 500, times: 1 } });
    await sell('1201');
    bench.setTime('2026-11-21T05:30:00Z');
    const { accessKey } = await documentOf('1201');
    const [late] = bench.hostile?.service.answers.filter(isEmission) ?? [];
    expect(late?.status).toBe(500);
    bench.hostile?.service.change((asked) =>
      isEmission(asked)
        ? { status: 200, body: Buffer.from(JSON.stringify({ creado: true, claveacceso: accessKey })) }
        : undefined,
    );
    for (let turn = 0; turn < 9; turn += 1) await bench.pass(2, 4, 8, 15, 30);
    const document = await documentOf('1201');
    expect(document).toMatchObject({ state: 'authorized', issueDate: '2026-11-21' });
    expect(document.accessKey).toBe(bench.sandbox.documents()[0]?.claveacceso);
    expect(bench.sandbox.documents()).toHaveLength(1);
  });
});

describe.each(['sqlite', 'postgres'])('two lists of refunds that a proxy swapped, on %s', (engine) => {
  it.skipIf(engine === 'postgres' && !hasPostgres)(
    'are credited to nobody until they are right',
    async () => {
      await open(engine);
      for (const order of ['1201', '1202']) await sell(order);
      await bench.pass(3);
      for (const order of ['1201', '1202']) expect((await documentOf(order)).state).toBe('authorized');
      const given = { '1201': '5.00', '1202': '2.00' };
      for (const [order, amount] of Object.entries(given)) bench.shop.refund(order, { amount });
      const isList = (order: string, path: string) => path.includes(`/orders/${order}/refunds`);
      const swapped = new Map<string, Buffer>();
      for (const [order, other] of [
        ['1201', '1202'],
        ['1202', '1201'],
      ] as const)
        swapped.set(order, Buffer.from(JSON.stringify(bench.shop.refunds(other))));
      bench.hostile?.shop.change(({ path }) => {
        const [order] = [...swapped.keys()].filter((one) => isList(one, path));
        const body = order && swapped.get(order);
        return body ? { status: 200, body } : undefined;
      }, 4);
      for (const order of ['1201', '1202']) await bench.sync(order);
      await bench.run();
      const credits = async () =>
        (await bench.ledger.documents.list({ limit: 50 })).filter(({ kind }) => kind === 'nota-credito');
      expect(await credits()).toEqual([]);
      await bench.pass(5, 5, 5, 5, 5);
      const made = await credits();
      expect(Object.fromEntries(made.map(({ orderId, charged }) => [orderId, charged]))).toEqual(given);
    },
  );
});

describe.each(['sqlite', 'postgres'])('files that were given to another request, on %s', (engine) => {
  const test = it.skipIf(engine === 'postgres' && !hasPostgres);
  const isFile = (kind: string, key: string, path: string) => path.includes(`/comprobante/${kind}/${key}`);
  const kept = async (order: string, kind: 'pdf' | 'xml') => {
    const bytes = await bench.ledger.files.get((await documentOf(order)).id, kind);
    return bytes && Buffer.from(bytes);
  };
  /** Asked for the file of 1202, the service answers with that of 1201, so many times. */
  const swap = (kind: 'pdf' | 'xml', times: number, spoil = (body: Buffer) => body) =>
    bench.hostile?.service.change(({ path }) => {
      const other = bench.hostile?.service.answers.find((one) => isFile(kind, stored('000000001'), one.path));
      return other && isFile(kind, stored('000000002'), path)
        ? { status: 200, body: spoil(other.body) }
        : undefined;
    }, times);
  const sellBoth = async () => {
    await open(engine, { keepBytes: 1e9, patienceMs: 10_000 });
    await sell('1201');
    await bench.pass(3);
    expect(await kept('1201', 'pdf')).toBeDefined();
  };

  test.each(['pdf', 'xml'] as const)(
    'a %s is not kept, and fetched again until it is its own',
    async (kind) => {
      await sellBoth();
      swap(kind, 2);
      await sell('1202');
      await bench.pass(3);
      expect(await kept('1202', 'pdf')).toBeUndefined();
      await bench.pass(60, 60, 60, 60);
      const [first, second] = [await kept('1201', kind), await kept('1202', kind)];
      expect(second).toBeDefined();
      expect(second?.equals(first ?? Buffer.alloc(0))).toBe(false);
      const all = bench.hostile?.service.answers.filter((one) => isFile(kind, stored('000000002'), one.path));
      expect(second?.equals(all?.at(-1)?.body ?? Buffer.alloc(0))).toBe(true);
    },
  );

  test('a PDF whose key nobody can read is not kept where it is the very file of another', async () => {
    await open(engine, { keepBytes: 1e9, patienceMs: 10_000 });
    const unreadable = Buffer.from('%PDF-1.4 nothing that anybody could read');
    const asPdf = (key: string, body: Buffer) =>
      bench.hostile?.service.change(
        ({ path }) => (isFile('pdf', key, path) ? { status: 200, body } : undefined),
        1,
      );
    await sell('1201');
    asPdf(stored('000000001'), unreadable);
    await bench.pass(3);
    expect(await kept('1201', 'pdf')).toEqual(unreadable);
    await sell('1202');
    asPdf(stored('000000002'), unreadable);
    await bench.pass(3);
    expect(await kept('1202', 'pdf')).toBeUndefined();
    await bench.pass(60, 60);
    expect((await kept('1202', 'pdf'))?.length).toBeGreaterThan(1_000);
  });

  test('one that was kept before anybody looked is dropped when it is asked for', async () => {
    await sellBoth();
    await sell('1202');
    await bench.pass(3);
    const { id, accessKey, ...second } = await documentOf('1202');
    const pdf = (await kept('1201', 'pdf')) ?? Buffer.alloc(0);
    await bench.ledger.files.drop(id, 'pdf');
    await bench.ledger.files.keep({ documentId: id, kind: 'pdf', bytes: pdf, now: bench.clock.now() });
    const keyed = { ...second, id, accessKey: accessKey ?? '' };
    expect(await keptFile(bench.deps, keyed, 'pdf')).toBeNull();
    expect(await kept('1202', 'pdf')).toBeUndefined();
  });
});
