import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import { probeAtStart } from '../../src/jobs/account-pause.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** An account at fault pauses as a whole: one alert, one probe, no document to blame (architecture, failure table). */
let bench: JobBench;
afterEach(() => bench?.close());

const orders = ['1201', '1202', '1203', '1204', '1205'];
const open = async (options: { sandbox?: SandboxOptions; ambiente?: 1 | 2 } = {}) => {
  bench = await openJobBench(options);
  for (const id of orders) await bench.sync(id);
};
const minutes = (count: number) => count * 60_000;
const wait = async (ms: number) => {
  bench.advance(ms);
  return bench.run();
};
const paths = () => bench.sandbox.requests().map(({ path }) => path);
const emissions = () => paths().filter((path) => path === '/api/factura/emision').length;
const states = async () => {
  const documents = await bench.ledger.documents.list({ limit: 99 });
  return Object.fromEntries(documents.map(({ orderId, state }) => [orderId, state]));
};
const attempts = async () => {
  const documents = await bench.ledger.documents.list({ limit: 99 });
  const each = await Promise.all(documents.map(({ id }) => bench.ledger.attempts.ofDocument(id)));
  return each.flat().length;
};
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
const all = (state: string) => Object.fromEntries(orders.map((id) => [id, state]));
/** In which order the shop's orders reached the service, by what their secuenciales are for. */
const sentOrder = async () => {
  const documents = await bench.ledger.documents.list({ limit: 99 });
  const orderOf = new Map(documents.map(({ secuencial, orderId }) => [secuencial, orderId]));
  return bench.sandbox.documents().map(({ numero }) => orderOf.get(numero.split('-')[2] ?? ''));
};

type Lack = [string, string, Parameters<JobBench['sandbox']['addAccount']>[0] | null];
const ready = { apiKey: 'clave-1', providerApproved: true, credits: 100 };
const lacks: Lack[] = [
  ['an invalid key', 'account-api-key', null],
  ['missing provider data', 'account-provider-data', { ...ready, providerApproved: false }],
  ['used-up credits', 'account-credits', { ...ready, credits: 0 }],
];

describe.each(lacks)('%s', (_lack, code, account) => {
  const begin = () =>
    open({ ambiente: 2, sandbox: { accounts: [account ?? { ...ready, apiKey: 'otra-clave' }] } });

  it('is one alert and one attempt; every document waits ready, and no job has failed', async () => {
    await begin();
    await bench.run();
    expect(bench.alerts).toEqual([code]);
    expect(await states()).toEqual(all('ready'));
    expect(emissions()).toBe(1);
    expect(await attempts()).toBe(1);
    const [pause] = await bench.ledger.pauses.list();
    expect(pause).toMatchObject({ account: 'cuenta', probes: 0, cause: code.replace('account-', '') });
  });

  it('is probed by one call at growing intervals, with one alert', async () => {
    await begin();
    await bench.run();
    const before = paths().length;
    for (let minute = 0; minute < 60; minute += 1) await wait(minutes(1));
    const calls = paths().length - before;
    expect(calls).toBeGreaterThanOrEqual(5);
    // With missing provider data a probe is an emission and nothing else, with credits a look at the balance.
    expect(calls).toBeLessThanOrEqual(8);
    expect(bench.alerts).toEqual([code]);
    expect(await states()).toEqual(all('ready'));
  });

  it('once fixed, lets the documents leave in their order by the next probe', async () => {
    await begin();
    await bench.run();
    bench.sandbox.addAccount(ready);
    await wait(minutes(1));
    expect(await states()).toEqual(all('processing'));
    expect(await sentOrder()).toEqual(orders);
    expect(bench.alerts).toEqual([code, `${code} over`]);
    expect(await bench.ledger.pauses.list()).toEqual([]);
  });
});

describe('a service that is down', () => {
  it('pauses after three failures in a row; what had left is uncertain, the rest stays ready', async () => {
    await open();
    bench.sandbox.faults.add({ failBeforeStoring: { status: 503, times: 3 } });
    await bench.run();
    expect(bench.alerts).toEqual(['account-service']);
    expect(Object.values(await states()).sort()).toEqual([
      'ready',
      'ready',
      'uncertain',
      'uncertain',
      'uncertain',
    ]);
    expect(emissions()).toBe(3);
    for (let minute = 0; minute < 20; minute += 1) await wait(minutes(1));
    await bench.decided();
    await wait(minutes(5));
    expect(await states()).toEqual(all('authorized'));
    expect(bench.alerts).toEqual(['account-service', 'account-service over']);
    expect(bench.sandbox.documents()).toHaveLength(5);
  });

  it('one document the service cannot digest is not the service being down', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    bench.sandbox.faults.add({ failBeforeStoring: { status: 502, times: 99 } });
    for (let minute = 0; minute < 60; minute += 1) await wait(minutes(1));
    expect(emissions()).toBeGreaterThan(3);
    expect(bench.alerts).toEqual([]);
  });

  it('with nobody at its address nothing left: every document stays ready, and no job has failed', async () => {
    await open();
    await bench.sandbox.close();
    for (let turn = 0; turn < 5; turn += 1) await wait(5_000);
    expect(bench.alerts).toEqual(['account-service']);
    expect(await states()).toEqual(all('ready'));
    await bench.ledger.pauses.end({ account: 'cuenta', ambiente: null, cause: 'service' });
    expect(await failures()).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('while an account is paused', () => {
  it('for credits, questions about what was sent go on, and so do write-backs', async () => {
    bench = await openJobBench({ ambiente: 2, sandbox: { accounts: [{ ...ready, credits: 1 }] } });
    await bench.sync('1201');
    await bench.run();
    await bench.sync('1202');
    await bench.run();
    expect(bench.alerts).toEqual(['account-credits']);
    await bench.decided();
    await wait(minutes(3));
    expect(await states()).toEqual({ 1201: 'authorized', 1202: 'ready' });
    const [, first] = await bench.ledger.documents.list({ limit: 2 });
    expect(first?.writtenBack).toBe('authorized');
  });

  it('for its key, questions wait too: a refused one pauses the account and goes back as due as it was', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    await bench.run();
    await bench.decided();
    bench.sandbox.faults.add({
      failBeforeStoring: { status: 401, times: 1, operacion: 'consultar_comprobante' },
    });
    expect(await wait(minutes(2))).toEqual(['follow-up']);
    expect(bench.alerts).toEqual(['account-api-key']);
    expect(await wait(minutes(1))).toEqual([
      ...['probe-account', 'follow-up', 'write-back', 'verify-document'],
    ]);
    expect(await states()).toEqual({ 1201: 'authorized' });
  });

  it('a new start probes at once, without waiting for the next of the schedule', async () => {
    await open({ sandbox: { accounts: [{ ...ready, apiKey: 'otra-clave' }] } });
    await bench.run();
    for (let minute = 0; minute < 30; minute += 1) await wait(minutes(1));
    bench.sandbox.addAccount(ready);
    await probeAtStart({ ledger: bench.ledger, clock: bench.clock });
    await bench.run();
    expect(await states()).toEqual(all('processing'));
  });

  it('of an account that left the config, nothing is held back for ever', async () => {
    bench = await openJobBench();
    await bench.ledger.pauses.begin({
      account: 'antigua',
      ambiente: null,
      cause: 'api-key',
      now: new Date(0),
    });
    await probeAtStart({ ledger: bench.ledger, clock: bench.clock });
    await bench.run();
    expect(await bench.ledger.pauses.list()).toEqual([]);
  });
});
