import { afterEach, describe, expect, it } from 'vitest';
import { probeAtStart } from '../../src/jobs/account-pause.ts';
import { dieBefore } from '../support/die.ts';
import { foreseeKeys } from '../support/foreseen.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { verifySeries } from '../support/verified-series.ts';

/** An account at fault pauses as a whole: one alert, one probe, no document to blame (architecture, failure table). */
let bench: JobBench;
afterEach(() => bench?.close());

const orders = ['1201', '1202', '1203', '1204', '1205'];
/** All orders are sold at once. */
const open = async (options: JobBenchOptions = {}, ...some: string[]) => {
  bench = await openJobBench(options);
  for (const id of some.length > 0 ? some : orders) await bench.sync(id);
  await bench.run();
};
const minutes = (count: number) => bench.wait(...Array(count).fill(1));
const states = async () =>
  Object.fromEntries((await bench.documents()).map(({ orderId, state }) => [orderId, state]));
const all = (state: string) => Object.fromEntries(orders.map((id) => [id, state]));
/** How often the jobs that wait have failed. */
const failures = async () => {
  const now = bench.clock.now();
  const due = await bench.ledger.jobs.due(now, 9, 99);
  await bench.ledger.jobs.release(
    due.map(({ id }) => id),
    now,
  );
  const claims = await Promise.all(due.map(({ id }) => bench.ledger.jobs.claim(id, 1_000, now)));
  return claims.map((job) => job?.attempts);
};

const ready = { apiKey: 'clave-1', providerApproved: true, credits: 100 };
const otherKey: JobBenchOptions = { sandbox: { accounts: [{ ...ready, apiKey: 'otra-clave' }] } };
const lacking = (lack: Partial<typeof ready>): JobBenchOptions => ({
  ambiente: 2,
  sandbox: { accounts: [{ ...ready, ...lack }] },
});

describe.each([
  ['an invalid key', 'api-key', { apiKey: 'otra-clave' }],
  ['missing provider data', 'provider-data', { providerApproved: false }],
  ['used-up credits', 'credits', { credits: 0 }],
])('%s', (_lack, cause, lack) => {
  it('is one alert and one attempt; once fixed, every document leaves in its order by the next probe', async () => {
    await open(lacking(lack));
    expect(bench.alerts).toEqual([`account-${cause}`]);
    expect(await states()).toEqual(all('ready'));
    expect(bench.posts()).toHaveLength(1);
    const attempts = await Promise.all((await bench.documents()).map(({ id }) => bench.attempts(id)));
    expect(attempts.flat()).toHaveLength(1);
    expect(await bench.ledger.pauses.list()).toMatchObject([{ account: 'cuenta', probes: 0, cause }]);

    bench.sandbox.addAccount(ready);
    await minutes(1);
    expect(await states()).toEqual(all('processing'));
    const orderOf = new Map(
      (await bench.documents()).map(({ secuencial, orderId }) => [secuencial, orderId]),
    );
    const sent = bench.sandbox.documents().map(({ numero }) => orderOf.get(numero.split('-')[2] ?? ''));
    expect(sent).toEqual(orders);
    expect(bench.alerts).toEqual([`account-${cause}`, `account-${cause} over`]);
    expect(await bench.ledger.pauses.list()).toEqual([]);
  });

  it('is probed by one call at growing intervals, and at once by a new start; the alert stays one', async () => {
    await open(lacking(lack));
    const before = bench.sandbox.requests().length;
    await minutes(60);
    const calls = bench.sandbox.requests().length - before;
    expect(calls).toBeGreaterThanOrEqual(5);
    // With missing provider data a probe is an emission and nothing else, with credits a look at the balance.
    expect(calls).toBeLessThanOrEqual(8);
    expect(bench.alerts).toEqual([`account-${cause}`]);
    expect(await states()).toEqual(all('ready'));
    bench.sandbox.addAccount(ready);
    await probeAtStart(bench);
    await bench.run();
    expect(await states()).toEqual(all('processing'));
  });
});

describe('a service that is down', () => {
  it('pauses after three failures in a row; what had left is uncertain, the rest stays ready', async () => {
    bench = await openJobBench();
    verifySeries(bench);
    bench.sandbox.faults.add({ failBeforeStoring: { status: 503, times: 3 } });
    await bench.read(...orders);
    expect(bench.alerts).toEqual(['account-service']);
    const uncertain = Array(3).fill('uncertain');
    expect(Object.values(await states()).sort()).toEqual(['ready', 'ready', ...uncertain]);
    expect(bench.posts()).toHaveLength(3);
    await minutes(20);
    await bench.decided();
    await bench.wait(5);
    expect(await states()).toEqual(all('authorized'));
    expect(bench.alerts).toEqual(['account-service', 'account-service over']);
    expect(bench.sandbox.documents()).toHaveLength(5);
  });

  it('is not what one document is that the service cannot digest', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: { status: 502, times: 99 } });
    await bench.read();
    await minutes(60);
    expect(bench.posts().length).toBeGreaterThan(3);
    expect(bench.alerts).toEqual([]);
  });

  it('with nobody at its address sent nothing: every document stays ready, and no job has failed', async () => {
    bench = await openJobBench();
    await bench.sandbox.close();
    await bench.read(...orders);
    await bench.wait(...Array(5).fill(1 / 12));
    expect(bench.alerts).toEqual(['account-service']);
    expect(await states()).toEqual(all('ready'));
    await bench.ledger.pauses.end({ account: 'cuenta', ambiente: null, cause: 'service' });
    expect(await failures()).toEqual([0, 0, 0, 0, 0]);
  });

  it('is there where its ping asks for a key: an account that was paused because nobody answered goes on', async () => {
    bench = await openJobBench();
    const pause = { account: 'principal', ambiente: null, cause: 'service' } as const;
    await bench.ledger.pauses.begin({ ...pause, now: bench.clock.now() });
    bench.replaceService(() => ({ ping: async () => ({ kind: 'unauthorized', date: bench.clock.now() }) }));
    await probeAtStart(bench);
    await bench.run();
    expect(await bench.ledger.pauses.list()).toEqual([]);
  });
});

describe('while an account is paused', () => {
  it('because no emission is answered, what was sent is asked about, and explain names the pause', async () => {
    bench = await openJobBench();
    bench.replaceService((calls) => ({
      async emitirFactura(body) {
        await calls.emitirFactura(body);
        return { kind: 'unknown', mayHaveLeft: true, claveacceso: null, reason: 'answered 204' };
      },
    }));
    await foreseeKeys(bench);
    verifySeries(bench);
    await bench.sell(...orders);
    expect(bench.alerts).toEqual(['account-service']);
    await bench.wait(3, 5);
    expect(bench.alerts).toEqual(['account-service']);
    const authorized = (await bench.documents()).filter(({ state }) => state === 'authorized');
    expect(authorized.length).toBeGreaterThanOrEqual(3);
    const [order] = await bench.ledger.view(null).timelines.find('1205');
    expect(order?.jobs).toContainEqual(
      expect.objectContaining({
        kind: 'submit-document',
        pause: expect.objectContaining({ cause: 'service' }),
      }),
    );
  });

  it('for credits, questions about what was sent go on, and so do write-backs', async () => {
    await open(lacking({ credits: 1 }), '1201');
    await bench.sell('1202');
    expect(bench.alerts).toEqual(['account-credits']);
    await bench.wait(3);
    expect(await states()).toEqual({ 1201: 'authorized', 1202: 'ready' });
    expect((await bench.documentOf('1201')).writtenBack).toBe('authorized');
  });

  it('for credits, a reprocess that wants one comes again as seldom as the account is probed', async () => {
    bench = await openJobBench(lacking({ credits: 10 }));
    bench.sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
    await bench.sell();
    await bench.wait(3);
    expect(await bench.document()).toMatchObject({ state: 'processing', code: 'reprocess' });
    bench.sandbox.addAccount({ ...ready, credits: 0 });
    bench.sandbox.faults.add({
      failBeforeStoring: { status: 402, operacion: 'reprocesar_comprobante', times: 99 },
    });
    await bench.wait(15);
    expect(bench.alerts).toEqual(['account-credits']);
    expect(bench.requests('/reprocesar')).toHaveLength(1);
    await minutes(30);
    const { length } = bench.requests('/reprocesar');
    expect([length > 1, length < 10]).toEqual([true, true]);
  });

  it('for its key, questions wait too: a refused one pauses the account and goes back as due as it was', async () => {
    bench = await openJobBench();
    await bench.sell();
    const refused = { status: 401, times: 1, operacion: 'consultar_comprobante' };
    bench.sandbox.faults.add({ failBeforeStoring: refused });
    expect(await bench.wait(2)).toEqual(['follow-up']);
    expect(bench.alerts).toEqual(['account-api-key']);
    expect(await bench.wait(1)).toEqual(['probe-account', 'follow-up', 'write-back', 'verify-document']);
    expect(await states()).toEqual({ 1201: 'authorized' });
  });

  it('of an account that left the config, nothing is held back for ever', async () => {
    bench = await openJobBench();
    const pause = { account: 'antigua', ambiente: null, cause: 'api-key' } as const;
    await bench.ledger.pauses.begin({ ...pause, now: new Date(0) });
    await probeAtStart(bench);
    await bench.run();
    expect(await bench.ledger.pauses.list()).toEqual([]);
  });
});

describe('a process that dies', () => {
  it('between a pause and its alert: the next probe raises it', async () => {
    bench = await openJobBench(otherKey);
    dieBefore(bench.deps.alerts, 'raise');
    await bench.read();
    expect(await bench.openAlerts()).toEqual([]);
    await minutes(1);
    expect(await bench.ledger.alerts.open()).toMatchObject([{ code: 'account-api-key', subject: 'cuenta' }]);
    await minutes(30);
    expect(bench.alerts).toEqual(['account-api-key']);
  });

  it('between the end of a pause and that of its alert: neither stays', async () => {
    await open(otherKey, '1201');
    bench.sandbox.addAccount(ready);
    dieBefore(bench.deps.alerts, 'over');
    await minutes(5);
    expect([await bench.ledger.pauses.list(), await bench.openAlerts()]).toEqual([[], []]);
  });

  it('leaves no alert of a cause whose place another took', async () => {
    await open(lacking({ credits: 0 }), '1201');
    bench.sandbox.addAccount({ ...ready, providerApproved: false });
    await minutes(1);
    bench.sandbox.addAccount(ready);
    await minutes(5);
    expect(bench.alerts).toContain('account-provider-data');
    expect(await bench.openAlerts()).toEqual([]);
  });
});
