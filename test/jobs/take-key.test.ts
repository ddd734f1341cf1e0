import { describe, expect } from 'vitest';
import { buildAccessKey } from '../../sandbox/emulator/emission/access-key.ts';
import { takeKey } from '../../src/jobs/take-key.ts';
import type { JobBench } from '../support/job-bench.ts';
import { decide, fault, is, type Row, read, type Step, sell, table, until } from '../support/job-table.ts';

/** What only a person can know: the key of a factura that nothing named. */
const by = 'ana@caja';

/** A key of our factura that no service has seen, with these parts changed. */
const unseenKey = (change: Partial<Parameters<typeof buildAccessKey>[0]> = {}) =>
  buildAccessKey({
    ...{ fechaEmision: '2026/11/20', codDoc: '01', ruc: '1790012345001', ambiente: 1, tipoEmision: 1 },
    ...{ establecimiento: '001', puntoEmision: '001', secuencial: '000000001', codigoNumerico: '12345678' },
    ...change,
  });
const authorised = ({ sandbox }: JobBench) =>
  sandbox.documents().find(({ estado }) => estado === 4)?.claveacceso ?? '';
/** A person gives a key, and answers for it where `confirmed`. */
const give =
  (key: (bench: JobBench) => string, answer: object, confirmed = false) =>
  async (bench: JobBench): Promise<void> => {
    const given = { accessKey: key(bench), by, confirmed };
    expect(await takeKey(bench.deps, await bench.document(), given)).toMatchObject(answer);
    await bench.run();
  };
const refused = (message: string) => ({ kind: 'refused', reason: expect.stringContaining(message) });

/** The answer and every webhook of the first POST are lost, and the repeat of its number is refused as 45. */
const lost = (...happens: Step[]): Pick<Row, 'sandbox' | 'faults' | 'happens'> => ({
  sandbox: { codigoNumerico: 'aleatorio' },
  faults: [{ dropAnswer: true }],
  happens: [
    sell,
    until('manual'),
    is({ reason: expect.stringMatching(/facturapuente adopt \S+ CLAVE/) }),
    ...happens,
  ],
});

describe('a factura whose key is unknown, with the command for the merchant that makes it known', () => {
  const stays = { state: 'manual', keyOf: 1 } as const;
  /** That no key of this factura can be. */
  const wrong: [key: (good: string) => string, message: string][] = [
    [(good) => good.slice(1), '49 dígitos'],
    [(good) => `${good.slice(0, 39)}${(Number(good[39]) + 1) % 10}${good.slice(40)}`, 'verificador'],
    [() => unseenKey({ secuencial: '000000009' }), 'número 001-001-000000009 en lugar de'],
    [() => unseenKey({ ruc: '0990012345001' }), 'RUC 0990012345001 en lugar de'],
    [() => unseenKey({ ambiente: 2 }), 'ambiente 2 en lugar de 1'],
    [() => unseenKey({ codDoc: '04' }), 'tipo 04 en lugar de 01'],
  ];
  table({
    'is authorised with the key a person found, once its XML is ours, and takes no second one': {
      ...lost(
        give(authorised, { kind: 'authorized', checked: true }),
        is({ state: 'authorized', writtenBack: 'authorized' }),
        async (bench) => {
          const cause = { cause: 'key given by hand', by, checked: true };
          const notes = await bench.notes();
          expect(notes).toContainEqual(expect.objectContaining(cause));
          // The authority authorised it, no person.
          const last = notes.filter(({ accessKey }) => accessKey === authorised(bench)).at(-1);
          expect(last).not.toHaveProperty('by');
        },
        give(authorised, refused('')),
      ),
      ends: { state: 'authorized', keyOf: 0 },
    },
    'refuses the key of the attempt that the authority refused': {
      ...lost(give((bench) => bench.key(1), refused('no autorizó'))),
      ends: stays,
    },
    'refuses another factura under our number, whoever answers for it': {
      ...lost(
        fault({ spoilXml: { campo: 'importeTotal', valor: '1.00' } }),
        give(authorised, refused('no es de este pedido'), true),
      ),
      ends: stays,
    },
    'takes a key the service does not show only where a person answers for it': {
      ...lost(
        give(() => unseenKey(), refused('--unverified')),
        give(() => unseenKey(), { kind: 'authorized', checked: false }, true),
        async (bench) => {
          const { state, accessKey } = await bench.document();
          expect([state, accessKey]).toEqual(['authorized', unseenKey()]);
          expect(await bench.notes()).toContainEqual(expect.objectContaining({ checked: false }));
        },
      ),
      isConfirmed: true,
      ends: { state: 'authorized', keyOf: -1 },
    },
    'refuses a key of another length, digit, number, RUC, environment or type, and says which': {
      ...lost(
        ...wrong.map(([key, message]) => give((bench) => key(authorised(bench)), refused(message), true)),
      ),
      ends: stays,
    },
  });
});

describe('a number that leaves ever more seldom, since the service knows nothing of what it answered 500 to', () => {
  table({
    'takes the key a person found at any moment, also while it waits to leave again': {
      faults: [{ failBeforeStoring: { status: 500, times: 99 } }],
      happens: [
        read,
        async (bench) => {
          for (let turn = 0; turn < 300 && (await bench.document()).state !== 'ready'; turn += 1)
            await bench.wait(1);
        },
        is({ state: 'ready' }),
        async (bench) => {
          const before = bench.posts().length;
          const [first] = await bench.attempts();
          await give(() => first?.accessKey ?? '', { kind: 'authorized', checked: false }, true)(bench);
          await bench.wait(120);
          expect((await bench.document()).accessKey).toBe(first?.accessKey);
          expect(bench.posts()).toHaveLength(before);
        },
      ],
      isConfirmed: true,
      ends: { state: 'authorized' },
    },
    'but none before anything of it has left': {
      happens: [
        ({ ledger, store, clock }) =>
          ledger.pauses.begin({
            ...{ account: store.account.id, ambiente: null, cause: 'credits' },
            now: clock.now(),
          }),
        ...[read, is({ state: 'ready' }), give(() => unseenKey(), refused('no se ha enviado'), true)],
      ],
      ends: { state: 'ready' },
    },
  });
});

describe('a key in process that no attempt has', () => {
  /** A gateway delivers the same POST once more; nobody tells of it. */
  const again: Step = async (bench) => {
    const [sent] = await bench.attempts();
    const account = bench.deps.accounts.get((await bench.document()).account) ?? bench.store.account;
    await bench.deps.service(account, null).emitirFactura(sent?.body ?? '');
  };
  table({
    'is asked about until it is decided': {
      sandbox: { codigoNumerico: 'aleatorio' },
      faults: [
        { outcome: { codigo: 52, times: 1 } },
        { outcome: { resultado: 'autorizado', enProcesoMs: 600_000 } },
      ],
      happens: [
        ...[sell, 3, is({ state: 'rejected' }), again],
        give((bench) => bench.key(1), { kind: 'processing', checked: true }),
        ...[decide(20), 5, 10, 15],
      ],
      ends: { state: 'authorized', keyOf: 1 },
    },
  });
});
