import { expect, onTestFinished, test, vi } from 'vitest';
import { stoppedQueue } from '../../src/jobs/alerts.ts';
import { eventually } from '../support/eventually.ts';
import { openInstallation } from './installation.ts';

test('the process is alive and ready while ledger and transport answer', async () => {
  const installation = await openInstallation();
  expect(await (await installation.get('/healthz')).json()).toEqual({ status: 'alive' });
  const ready = await installation.get('/readyz');
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ status: 'ready', ledger: 'ok', transport: 'ok', workers: 'ok' });
});

test('without a process that runs jobs it stays ready for webhooks, and its body has that, at most three seconds old', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const installation = await openInstallation();
  const { alerts } = installation.ledger;
  const reads = vi.spyOn(alerts, 'open');
  const workers = async () => {
    const answer = await installation.get('/readyz');
    return [answer.status, await answer.json()];
  };
  const facts = { dueAt: new Date(0), lastClaimAt: null, refusal: null };
  const alert = stoppedQueue(facts, new Date());
  if (!alert) throw new Error('The queue is not stopped.');
  await alerts.raise(alert, new Date());
  const stopped = [200, { status: 'ready', ledger: 'ok', transport: 'ok', workers: 'none' }];
  expect(await workers()).toEqual(stopped);
  await alerts.end(alert, new Date());
  expect(await workers()).toEqual(stopped);
  expect(reads).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(3_000);
  expect(await workers()).toMatchObject([200, { workers: 'ok' }]);
});

test('it is alive but not ready when the transport fails or hangs', async () => {
  for (const ready of [() => Promise.reject(new Error('gone')), () => new Promise<void>(() => {})]) {
    const installation = await openInstallation({ ready });
    const answer = await installation.get('/readyz');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      ...{ status: 'not-ready', ledger: 'ok' },
      ...{ transport: 'no-answer', workers: 'ok' },
    });
    expect((await installation.get('/healthz')).status).toBe(200);
  }
});

test('it is not ready without its ledger', async () => {
  const installation = await openInstallation();
  await installation.ledger.close();
  expect(await (await installation.get('/readyz')).json()).toMatchObject({
    ledger: 'no-answer',
    transport: 'ok',
  });
});

test('an address that does not exist is a JSON 404 that does not say what we run on', async () => {
  const installation = await openInstallation();
  const answer = await installation.get('/wp-login.php');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({ error: 'not-found', message: 'Esta dirección no existe.' });
  expect(answer.headers.get('x-powered-by')).toBeNull();
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('closing lets an answer under way finish and takes no more', async () => {
  let finish: (() => void) | undefined;
  const installation = await openInstallation({ ready: () => new Promise((resolve) => (finish = resolve)) });
  const answer = installation.get('/readyz');
  const go = await eventually(() => finish, 'the question for readiness');
  const closed = installation.server.close();
  go();
  expect((await answer).status).toBe(200);
  await closed;
  await expect(installation.get('/healthz')).rejects.toThrow();
});
