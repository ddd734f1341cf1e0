import { afterEach, describe, expect, it } from 'vitest';
import { keptFile } from '../../src/jobs/files.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { fault, is, type Row, type Step, sell, table, verified } from '../support/job-table.ts';

/** Answers of the service that were given to other requests: by a cache, or a proxy that mixes connections up. */
const isEmission = ({ path }: { path: string }) => path.endsWith('/emision');
const sellNext: Step = (bench) => bench.sell('1202');
const later: Step[] = [2, 4, 8, 15];
/** What the service answered the first emission with goes to the next ones as well. */
const fromCache =
  (times = 1): Step =>
  (bench) =>
    bench.hostile?.service.change((asked) => {
      const known = bench.hostile?.service.answers.find(isEmission);
      return isEmission(asked) ? known : undefined;
    }, times);
/** The next emission is answered with the first key. */
const answered =
  (status: number, body: object): Step =>
  (bench) =>
    bench.hostile?.service.change((asked) =>
      isEmission(asked)
        ? { status, body: Buffer.from(JSON.stringify({ ...body, claveacceso: bench.key() })) }
        : undefined,
    );
/** The second factura is authorised under its own key in the end. */
const own = { orderId: '1202', state: 'authorized', keyOf: 1, stored: [4, 4] } as const;

describe('an emission that is answered with the key of another', () => {
  const lost = (answer: Step, so: Parameters<typeof is>[0]): Row => ({
    hostile: true,
    happens: [sell, answer, sellNext, is({ state: 'uncertain', ...so }), ...later],
    ends: { ...own, alerts: [] },
  });
  table({
    'out of a cache is lost, and found by its own number': lost(fromCache(), {
      ...{ code: 'key-unexpected', accessKey: null },
    }),
    'in a 409 stops no series': lost(answered(409, { creado: false, errors: ['La clave ya existe.'] }), {
      ...{ code: 'key-unexpected', isStopped: false },
    }),
    'in a 500 keeps none': lost(answered(500, { creado: false, errors: ['Error interno.'] }), {
      accessKey: null,
    }),
    'is told to people when it repeats': {
      hostile: true,
      happens: [
        ...[
          verified,
          sell,
          fromCache(2),
          sellNext,
          is({ alerts: [] }),
          (bench: JobBench) => bench.sell('1203'),
        ],
        ...[is({ alerts: ['answers-mixed-up'] }), ...later],
        async (bench) =>
          expect((await bench.documents()).map(({ state }) => state)).not.toContain('uncertain'),
      ],
      ends: { orderId: '1203', state: 'authorized', stored: [4, 4, 4] },
    },
    'a key of the day before is asked about before it is believed': {
      ...{ hostile: true, now: '2026-11-21T04:59:00Z' },
      faults: [{ failBeforeStoring: { status: 500, times: 1 } }],
      happens: [
        ...[sell, (bench: JobBench) => bench.setTime('2026-11-21T05:30:00Z')],
        async (bench) => {
          const { accessKey } = await bench.document();
          bench.hostile?.service.change((asked) =>
            isEmission(asked)
              ? { status: 200, body: Buffer.from(JSON.stringify({ creado: true, claveacceso: accessKey })) }
              : undefined,
          );
        },
        ...[...later, ...Array(9).fill(60)],
      ],
      ends: { state: 'authorized', issueDate: '2026-11-21', keyOf: 0, stored: [4] },
    },
  });
});

describe('a question that is answered with the state of another document', () => {
  /** 1202 is asked about and told that it was refused, without the key that would give it away. */
  const refusedInstead: Step = (bench) =>
    bench.hostile?.service.change(({ path }, truth) => {
      if (!path.includes('/consulta/') || !path.includes(bench.key(1))) return undefined;
      const { claveacceso, numero_autorizacion, fecha_autorizacion, ...said } = JSON.parse(`${truth.body}`);
      const wrong = { estado: 5, autorizado: false, requiere_correccion: true, numero: '001-001-000000001' };
      return { status: 200, body: Buffer.from(JSON.stringify({ ...said, ...wrong })) };
    });
  table({
    'is ignored': {
      hostile: true,
      happens: [
        ...[fault({ outcome: { codigo: 52, times: 1 } }), sell, sellNext, refusedInstead, 3, 5],
        async (bench) => expect((await bench.documentOf('1201')).state).toBe('rejected'),
      ],
      ends: { ...own, stored: [6, 4] },
    },
  });
});

let bench: JobBench;
afterEach(() => bench?.close());

it('two lists of refunds that a proxy swapped are credited to nobody until they are right', async () => {
  bench = await openJobBench({ hostile: true });
  await bench.sell('1201', '1202');
  await bench.pass(3);
  const given: Record<string, string> = { '1201': '5.00', '1202': '2.00' };
  for (const [order, amount] of Object.entries(given)) bench.shop.refund(order, { amount });
  const [first, second] = ['1201', '1202'].map((id) => Buffer.from(JSON.stringify(bench.shop.refunds(id))));
  bench.hostile?.shop.change(({ path }) => {
    if (path.includes('/orders/1201/refunds')) return { status: 200, body: second as Buffer };
    return path.includes('/orders/1202/refunds') ? { status: 200, body: first as Buffer } : undefined;
  }, 4);
  await bench.read('1201', '1202');
  const credits = async () => (await bench.documents()).filter(({ kind }) => kind === 'nota-credito');
  expect(await credits()).toEqual([]);
  await bench.pass(5, 5, 5, 5, 5);
  const made = (await credits()).map(({ orderId, charged }) => [orderId, charged]);
  expect(Object.fromEntries(made)).toEqual(given);
});

describe('a file that was given to another request', () => {
  const isFile = (kind: string, nth: number, path: string) =>
    path.includes(`/comprobante/${kind}/${bench.key(nth)}`);
  const kept = async (order: string, kind: 'pdf' | 'xml') => {
    const bytes = await bench.ledger.files.get((await bench.documentOf(order)).id, kind);
    return bytes && Buffer.from(bytes);
  };
  const sellFirst = async () => {
    bench = await openJobBench({ hostile: true, keepBytes: 1e9 });
    await bench.sell('1201');
    await bench.pass(3);
    expect(await kept('1201', 'pdf')).toBeDefined();
  };

  it.each(['pdf', 'xml'] as const)(
    'a %s is not kept, and fetched again until it is its own',
    async (kind) => {
      await sellFirst();
      bench.hostile?.service.change(({ path }) => {
        const other = bench.hostile?.service.answers.find((one) => isFile(kind, 0, one.path));
        return other && isFile(kind, 1, path) ? { status: 200, body: other.body } : undefined;
      }, 2);
      await bench.sell('1202');
      await bench.pass(3);
      expect(await kept('1202', 'pdf')).toBeUndefined();
      await bench.pass(60, 60, 60, 60);
      const true1202 = bench.hostile?.service.answers.filter((one) => isFile(kind, 1, one.path)).at(-1)?.body;
      expect(await kept('1202', kind)).toEqual(true1202);
      expect(await kept('1202', kind)).not.toEqual(await kept('1201', kind));
    },
  );

  it('a PDF whose key nobody can read is not kept where it is the very file of another', async () => {
    bench = await openJobBench({ hostile: true, keepBytes: 1e9 });
    const unreadable = Buffer.from('%PDF-1.4 nothing that anybody could read');
    for (const [nth, order] of ['1201', '1202'].entries()) {
      await bench.sell(order);
      bench.hostile?.service.change(
        ({ path }) => (isFile('pdf', nth, path) ? { status: 200, body: unreadable } : undefined),
        1,
      );
      await bench.pass(3);
    }
    expect(await kept('1201', 'pdf')).toEqual(unreadable);
    expect(await kept('1202', 'pdf')).toBeUndefined();
    await bench.pass(60, 60);
    expect((await kept('1202', 'pdf'))?.length).toBeGreaterThan(1_000);
  });

  it('one that was kept before anybody looked is dropped when it is asked for', async () => {
    await sellFirst();
    await bench.sell('1202');
    await bench.pass(3);
    const { accessKey, ...second } = await bench.documentOf('1202');
    const bytes = (await kept('1201', 'pdf')) ?? Buffer.alloc(0);
    await bench.ledger.files.drop(second.id, 'pdf');
    await bench.ledger.files.keep({ documentId: second.id, kind: 'pdf', bytes, now: bench.clock.now() });
    expect(await keptFile(bench.deps, { ...second, accessKey: accessKey ?? '' }, 'pdf')).toBeNull();
    expect(await kept('1202', 'pdf')).toBeUndefined();
  });
});
