import type { JobsOptions, Queue } from 'bullmq';
import type { Duty } from './transport.ts';

const template: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * The duty's job scheduler in Redis: one for all processes, which is never removed, because others live by it. At a
 * start it takes this process's interval; later it is only looked at, and made anew where it got lost (an emptied
 * Redis, a job that vanished with its worker), so that processes of two releases do not pull at it.
 */
export async function keepSchedule(queue: Queue, { name, everyMs }: Duty, starting: boolean): Promise<void> {
  const found = await queue.getJobScheduler(name);
  const late = Date.now() - (found?.next ?? 0);
  // Further ahead than an interval: it was planned by a clock that was ahead.
  const missed = found?.next === undefined || late > everyMs || late < -2 * everyMs;
  // Done without need, it would begin the interval anew.
  if (missed || (starting && found.every !== everyMs))
    await queue.upsertJobScheduler(name, { every: everyMs }, { name, data: {}, opts: template });
}
