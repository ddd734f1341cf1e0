import { Queue } from 'bullmq';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { queueName } from '../../src/queue/bullmq.ts';
import { openTransport } from '../../src/queue/open.ts';
import { eventually } from '../support/eventually.ts';
import { hasRedis, ownRedisPrefix, redisUrl, removeKeys } from '../support/servers.ts';
import { answering } from './answering.ts';

/** The duties of an installation on Redis: one job scheduler, however many processes there are. */
function openInstallation() {
  const prefix = ownRedisPrefix();
  const connection = { url: redisUrl };
  const queue = new Queue(queueName, { connection, prefix });
  onTestFinished(() => queue.close());
  let turns = 0;
  return {
    prefix,
    queue,
    locks: () => turns,
    /** One more process that has the duty. */
    async process(everyMs: number) {
      const transport = await openTransport({ redisUrl, prefix, concurrency: 1, log: silentLog });
      onTestFinished(() => transport.close(1_000));
      await transport.consume(async () => {});
      const run = async () => {
        turns += 1;
      };
      transport.repeat({ name: 'ronda', everyMs, run });
      return transport;
    },
  };
}

const scheduled = async (queue: Queue) =>
  (await queue.getJobSchedulers()).map(({ key, name, every }) => ({ key, name, every }));

describe.skipIf(!hasRedis)('a duty of processes that share a Redis', () => {
  test('is one schedule, and each turn is done by one of them', async () => {
    const { process, queue, locks: turns } = openInstallation();
    // From before the first: a turn that comes late only makes it longer.
    const begun = performance.now();
    for (let n = 0; n < 4; n += 1) await process(300);
    await eventually(() => turns() >= 5, 'a first turn and four more');
    expect(performance.now() - begun).toBeGreaterThan(3 * 300);
    expect(await scheduled(queue)).toEqual([{ key: 'ronda', name: 'ronda', every: 300 }]);
  });

  test('outlives the process that began it, and stays for the next one when all are gone', async () => {
    const { process, queue, locks: turns } = openInstallation();
    const first = await process(80);
    await process(80);
    await eventually(() => turns() >= 2, 'two turns');
    await first.close(1_000);
    const before = turns();
    await eventually(() => turns() >= before + 2, 'two turns of the other process');
    expect(await scheduled(queue)).toHaveLength(1);
  });

  test('takes the interval of the process that started last', async () => {
    const { process, queue, locks: turns } = openInstallation();
    await process(60_000);
    await eventually(() => turns() === 1, 'the first turn');
    await eventually(async () => (await queue.getActiveCount()) === 0, 'the turn to be over');
    await process(70);
    await eventually(() => turns() >= 3, 'turns at the new interval');
    expect(await scheduled(queue)).toEqual([{ key: 'ronda', name: 'ronda', every: 70 }]);
  });

  test('is not moved by one more process with the same interval', async () => {
    const { process, queue, locks: turns } = openInstallation();
    await process(60_000);
    await eventually(() => turns() === 1, 'the first turn');
    const next = async () => (await queue.getJobScheduler('ronda'))?.next;
    const before = await eventually(next, 'the next turn');
    const other = await process(60_000);
    await answering(other);
    expect([turns(), await next()]).toEqual([1, before]);
  });

  test('is scheduled again after Redis was emptied', async () => {
    const { process, queue, prefix, locks: turns } = openInstallation();
    await process(80);
    await eventually(() => turns() >= 1, 'the first turn');
    await removeKeys(prefix);
    const before = turns();
    await eventually(() => turns() >= before + 3, 'turns after Redis was emptied');
    expect(await scheduled(queue)).toHaveLength(1);
  });
});
