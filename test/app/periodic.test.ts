import { expect, it, vi } from 'vitest';
import { startPeriodic } from '../../src/app/periodic.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { recordingLog } from '../queue/recording-log.ts';

it('a task that takes longer than its interval never runs beside itself', async () => {
  let now = 0;
  let most = 0;
  let runs = 0;
  const run = async () => {
    now += 1;
    runs += 1;
    most = Math.max(most, now);
    await new Promise((done) => setTimeout(done, 5));
    now -= 1;
  };
  const stop = startPeriodic([{ name: 'task', run, everyMs: 1, firstMs: 0 }], silentLog);
  await vi.waitUntil(() => runs >= 3);
  await stop();
  expect(most).toBe(1);
});

it('a run that fails is logged, and the next one comes', async () => {
  const { log, lines } = recordingLog();
  const run = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(undefined);
  const stop = startPeriodic([{ name: 'task', run, everyMs: 1 }], log);
  await vi.waitUntil(() => run.mock.calls.length >= 2);
  await stop();
  expect(lines).toEqual(['warn A periodic task failed; it runs again after everyMs']);
});

it('the end waits for what runs, and nothing begins after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = vi.fn(() => promise);
  const stop = startPeriodic([{ name: 'task', run, everyMs: 1, firstMs: 0 }], silentLog);
  let hasEnded = false;
  const ending = stop().then(() => {
    hasEnded = true;
  });
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  resolve();
  await ending;
  await new Promise((done) => setTimeout(done, 10));
  expect(run).toHaveBeenCalledTimes(1);
});
