import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildAccessKey } from '../../sandbox/emulator/emission/access-key.ts';
import { takeKey } from '../../src/jobs/take-key.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** What only a person can know: the key of a factura that nothing named. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const by = 'ana@caja';

/** The answer and every webhook of the first POST are lost, and the repeat of its number is refused as 45. */
async function lose(): Promise<string> {
  bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio' } });
  bench.sandbox.faults.add({ dropAnswer: true });
  await bench.sync('1201');
  await bench.run();
  for (let turn = 0; turn < 40; turn += 1) {
    await bench.decided();
    bench.advance(5 * minute);
    await bench.run();
  }
  expect((await bench.document()).state).toBe('manual');
  return bench.sandbox.documents().find(({ estado }) => estado === 4)?.claveacceso ?? '';
}
const take = async (key: string, vouched = false) =>
  takeKey(bench.deps, await bench.document(), { accessKey: key, by, vouched });

/** A key of our factura that no service has seen, with these parts changed. */
const unseenKey = (change: Partial<Parameters<typeof buildAccessKey>[0]> = {}) =>
  buildAccessKey({
    ...{ fechaEmision: '2026/11/20', codDoc: '01', ruc: '1790012345001', ambiente: 1, tipoEmision: 1 },
    ...{ establecimiento: '001', puntoEmision: '001', secuencial: '000000001', codigoNumerico: '12345678' },
    ...change,
  });

describe('a factura whose key is unknown', () => {
  let key: string;
  beforeEach(async () => {
    key = await lose();
  });

  it('shows the merchant the command that makes it known', async () => {
    const { id, reason } = await bench.document();
    expect(reason).toContain(`facturapuente adopt ${id} CLAVE`);
  });

  it('is authorised with the key a person found, once its XML is ours, and shown on the order', async () => {
    expect(await take(key)).toEqual({ kind: 'authorized', checked: true });
    await bench.run();
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'authorized', accessKey: key, writtenBack: 'authorized' });
    const history = await bench.ledger.documents.history(document.id);
    expect(history.map(({ note }) => note)).toContainEqual(
      expect.objectContaining({ cause: 'key given by hand', by, checked: true }),
    );
    // The authority authorised it, no person.
    expect(history.at(-1)).toMatchObject({ to: 'authorized', note: { accessKey: key } });
    expect(history.at(-1)?.note).not.toHaveProperty('by');
  });

  it('refuses the key of the attempt that the authority refused', async () => {
    const refused = bench.sandbox.documents().find(({ estado }) => estado !== 4)?.claveacceso ?? '';
    expect(await take(refused)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('no autorizó'),
    });
  });

  it('takes no second key once it is authorised', async () => {
    await take(key);
    expect(await take(key)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(key) });
  });

  it.each([
    ['48 digits', (good: string) => good.slice(1), '49 dígitos'],
    [
      'a digit mistyped',
      (good: string) => `${good.slice(0, 39)}${(Number(good[39]) + 1) % 10}${good.slice(40)}`,
      'verificador',
    ],
    ['another number', () => unseenKey({ secuencial: '000000009' }), 'número 001-001-000000009 en lugar de'],
    ['another RUC', () => unseenKey({ ruc: '0990012345001' }), 'RUC 0990012345001 en lugar de'],
    ['production', () => unseenKey({ ambiente: 2 }), 'ambiente 2 en lugar de 1'],
    ['a nota de crédito', () => unseenKey({ codDoc: '04' }), 'tipo 04 en lugar de 01'],
  ])('refuses a key with %s, and says so', async (_case, spoil, says) => {
    const before = await bench.document();
    expect(await take(spoil(key), true)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(says),
    });
    expect(await bench.document()).toEqual(before);
  });

  it('takes a key the service does not show only where a person answers for it', async () => {
    const unseen = unseenKey();
    expect(await take(unseen)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('--unverified'),
    });
    expect(await take(unseen, true)).toEqual({ kind: 'authorized', checked: false });
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'authorized', accessKey: unseen });
    expect(JSON.stringify(await bench.ledger.documents.history(document.id))).toContain('"checked":false');
  });
});

it('refuses another factura under our number, whoever answers for it', async () => {
  const key = await lose();
  bench.sandbox.faults.add({ spoilXml: { campo: 'importeTotal', valor: '1.00' } });
  expect(await take(key, true)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('no es de este pedido'),
  });
  expect((await bench.document()).state).toBe('manual');
});

describe('a number that leaves ever more seldom, since the service knows nothing of what it answered 500 to', () => {
  const emissions = () =>
    bench.sandbox.requests().filter(({ path }) => path.endsWith('/factura/emision')).length;

  it('takes the key a person found at any moment, also while it waits to leave again', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: { status: 500, times: 99 } });
    await bench.sync('1201');
    await bench.run();
    for (let turn = 0; turn < 300 && (await bench.document()).state !== 'ready'; turn += 1) {
      bench.advance(minute);
      await bench.run();
    }
    const { id, state } = await bench.document();
    expect(state).toBe('ready');
    const [{ accessKey = null } = {}] = await bench.ledger.attempts.ofDocument(id);
    expect(await take(accessKey ?? '', true)).toEqual({ kind: 'authorized', checked: false });
    const before = emissions();
    bench.advance(120 * minute);
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey });
    expect(emissions()).toBe(before);
  });

  it('but none before anything of it has left', async () => {
    bench = await openJobBench();
    const { account } = bench.store;
    const pause = { account: account.id, ambiente: null, cause: 'credits' } as const;
    await bench.ledger.pauses.begin({ ...pause, now: bench.clock.now() });
    await bench.sync('1201');
    await bench.run();
    expect((await bench.document()).state).toBe('ready');
    const { reason = '' } = (await take(unseenKey(), true)) as { reason?: string };
    expect(reason).toContain('no se ha enviado');
    expect((await bench.document()).state).toBe('ready');
  });
});

it('a key in process that no attempt has is asked about until it is decided', async () => {
  bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio', authorizeDelayMs: 1_500 } });
  bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  await bench.pass(3);
  const document = await bench.document();
  expect(document.state).toBe('rejected');
  // A gateway delivers the same POST once more; nobody tells of it.
  const [sent] = await bench.ledger.attempts.ofDocument(document.id);
  const account = bench.deps.accounts.get(document.account) ?? bench.store.account;
  await bench.deps.service(account, null).emitirFactura(sent?.body ?? '');
  const key = bench.sandbox.documents().at(-1)?.claveacceso ?? '';
  expect(await take(key)).toEqual({ kind: 'processing', checked: true });
  await bench.decided();
  await bench.pass(5, 10, 15);
  expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key });
});
