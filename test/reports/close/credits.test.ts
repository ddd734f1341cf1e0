import { afterEach, describe, expect, it, test } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import type { Store } from '../../../src/domain/settings.ts';
import { closeDay } from '../../../src/reports/close/close.ts';
import { creditDay, creditWords, dayOfMovement, walletsOf } from '../../../src/reports/close/credits.ts';
import type { DayClose } from '../../../src/reports/close/day-close.ts';
import { closeText } from '../../../src/reports/close/text.ts';
import type { CreditMovement } from '../../../src/service/inferred-accounts.ts';
import type { CreditHistoryAnswer } from '../../../src/service/shapes.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { day, settle } from '../day.ts';

/** The credits of an account, laid beside the documents that were authorised in production. */
let bench: JobBench;
afterEach(() => bench?.close());

type Options = NonNullable<Parameters<typeof openJobBench>[0]>;
/** Three facturas of ambiente 2, each for a credit. */
async function sell(sandbox: Options['sandbox'] = {}, count = 3): Promise<void> {
  const orders = wooOrders(new Date('2026-11-20T15:00:00Z')).slice(0, count);
  const accounts = [{ apiKey: 'clave-1', providerApproved: true, credits: 50 }];
  bench = await openJobBench({ orders, ambiente: 2, sandbox: { accounts, ...sandbox } });
  await settle(bench, '1201', '1202', '1203');
  bench.advance(60 * 60_000);
}
const close = async (): Promise<DayClose> => {
  const wallets = walletsOf([bench.store], [bench.store]);
  return (await closeDay(bench.deps, { day, stores: [bench.store], scope: '*', wallets })).close;
};

const movement = (changes: Partial<CreditMovement> = {}): CreditMovement => ({
  ...{ fecha: '2026-11-20T11:00:00-05:00', tipo: 'consumo', cantidad: -1, descripcion: null, ambiente: null },
  ...changes,
});
/** The service tells of these movements, page by page. */
function message(...pages: (CreditMovement[] | CreditHistoryAnswer)[]): void {
  const { service } = bench.deps;
  bench.deps.service = (...asked) => ({
    ...service(...asked),
    consultarHistorialCreditos: async ({ page = 1, tipo } = {}) => {
      const reported = pages[page - 1] ?? [];
      if (!Array.isArray(reported)) return reported;
      return { kind: 'history', movimientos: reported.filter((one) => one.tipo === tipo), aviso: null };
    },
  });
}

describe('the close of a day in production', () => {
  it('is green where each authorised document took one credit, and says so', async () => {
    await sell();
    const closed = await close();
    expect(closed).toMatchObject({
      result: 'green',
      credits: [
        { account: 'cuenta', result: 'agrees', consumed: 3, rolledBack: 0, recharged: 50, documents: 3 },
      ],
    });
    expect(closeText({ close: closed, explained: [], kept: null })).toContain(
      'Cuenta cuenta: 3 consumidos, 0 devueltos y 50 recargados; se autorizaron 3 documentos de producción.',
    );
  });

  it('is red where more was consumed, by a code of its own', async () => {
    await sell();
    message([movement(), movement(), movement({ cantidad: 2 })]);
    const closed = await close();
    expect(closed).toMatchObject({ result: 'red', differences: [{ code: 'credits-differ', order: null }] });
    expect(closed.differences[0]?.sentence).toMatch(/4 consumidos.*se autorizaron 3 documentos/);
  });

  it('counts what came back against what was consumed', async () => {
    await sell();
    message([movement({ cantidad: -4 }), movement({ tipo: 'rollback', cantidad: 1 })]);
    expect((await close()).credits).toMatchObject([{ result: 'agrees', consumed: 4, rolledBack: 1 }]);
  });

  it('leaves out other days and the test environment', async () => {
    await sell();
    const others = ['2026-11-21T00:00:01-05:00', '2026-11-20T04:59:59Z', '19/11/2026 23:59:59'];
    message([
      movement({ cantidad: 3 }),
      movement({ ambiente: 1, cantidad: 9 }),
      ...others.map((fecha) => movement({ fecha })),
    ]);
    expect((await close()).credits).toMatchObject([{ result: 'agrees', consumed: 3 }]);
  });

  it('lets what is on its way be charged already', async () => {
    await sell({}, 4);
    await bench.sync('1204');
    await bench.run();
    await bench.decided();
    expect((await close()).credits).toMatchObject([{ result: 'agrees', consumed: 4, documents: 3 }]);
  });

  it('lets what is authorised next to midnight be charged on either day', async () => {
    await sell();
    const { deps } = bench;
    const days = { ...deps.ledger.days };
    const chargeable: typeof days.chargeable = async (...asked) => [
      ...(await days.chargeable(...asked)).slice(1),
      { authorizedAt: '2026-11-20T23:55:00-05:00' },
    ];
    Object.assign(deps, { ledger: { ...deps.ledger, days: { ...days, chargeable } } });
    for (const consumed of [2, 3]) {
      message(Array.from({ length: consumed }, () => movement()));
      expect(await creditDay(deps, bench.store.account, day)).toMatchObject({ result: 'agrees', consumed });
    }
  });

  it.each<[string, (CreditMovement[] | CreditHistoryAnswer)[]]>([
    ['has no such route', [{ kind: 'unknown', reason: 'answered 404' }]],
    ['writes days nobody can read', [[movement({ fecha: 'ayer' })]]],
    ['counts in parts of credits', [[movement({ cantidad: 0.5 })]]],
    ['knows no pages', Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => movement()))],
  ])('is not compared, and says so, where the service %s', async (_, pages) => {
    await sell();
    message(...pages);
    const { result, credits } = await close();
    expect(result).toBe('green');
    expect(credits).toMatchObject([{ result: 'not-compared', consumed: null, documents: 3 }]);
    expect(creditWords(credits?.[0] as never)).toContain('no se compararon los créditos');
  });

  it('is not compared with a service that speaks the former dialect', async () => {
    await sell({ dialect: 'former' });
    expect(await close()).toMatchObject({ result: 'green', credits: [{ result: 'not-compared' }] });
  });

  it('reads on until the day is behind', async () => {
    await sell();
    const full = (fecha: string) =>
      Array.from({ length: 100 }, (_, n) => movement({ fecha, descripcion: `${n}` }));
    message(
      full('2026-11-22T10:00:00-05:00'),
      [...full('2026-11-21T10:00:00-05:00').slice(1), movement()],
      [movement(), movement(), ...full('2026-11-19T10:00:00-05:00').slice(2)],
      [movement({ fecha: 'no se lee' })],
    );
    expect((await close()).credits).toMatchObject([{ result: 'agrees', consumed: 3 }]);
  });
});

test('only the credits of accounts whose every store is closed are compared, and only in production', () => {
  const store = (id: string, account: string, ambiente: 1 | 2) =>
    ({ id, account: { id: account }, issuer: { ambiente } }) as Store;
  const [a, b, c, d] = [
    store('a', 'uno', 2),
    store('b', 'uno', 2),
    store('c', 'dos', 2),
    store('d', 'tres', 1),
  ];
  const of = (...chosen: Store[]) => walletsOf([a, b, c, d], chosen).map(({ id }) => id);
  expect(of(a, b, c, d)).toEqual(['uno', 'dos']);
  expect(of(a, c)).toEqual(['dos']);
  expect(of(d)).toEqual([]);
});

test.each([
  ['2026-11-20T04:59:59Z', '2026-11-19'],
  ['2026-11-20T05:00:00.000Z', '2026-11-20'],
  ['2026-11-20 23:59:59', '2026-11-20'],
  ['2026-11-20T23:59:59-0500', '2026-11-20'],
  ['2026/11/20', '2026-11-20'],
  ['20/11/2026', '2026-11-20'],
  ['20-11-2026 08:00', '2026-11-20'],
  ['2026-13-40', null],
  ['ayer', null],
  ['', null],
])('%j is of %s', (fecha, expected) => expect(dayOfMovement(fecha)).toBe(expected));

it('a cent of the service’s own rounding is told in the close, and the day adds up', async () => {
  bench = await openJobBench();
  await bench.sync('1201');
  await bench.run();
  const { total } = await bench.document();
  const valor = (Number(total) + 0.01).toFixed(2);
  bench.sandbox.faults.add({ spoilXml: { campo: 'importeTotal', valor, times: 99 } });
  await settle(bench);
  bench.advance(60 * 60_000);
  const closed = (await closeDay(bench.deps, { day, stores: [bench.store], scope: '*' })).close;
  expect(closed.roundings).toMatchObject([{ code: 'rounding-difference', number: '001-001-000000001' }]);
  expect(closed.differences.map(({ code }) => code)).not.toContain('document-differs');
  expect(closeText({ close: closed, explained: [], kept: null })).toContain('Redondeos del servicio');
});
