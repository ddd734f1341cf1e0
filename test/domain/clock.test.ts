import { expect, test } from 'vitest';
import { steadyClock } from '../../src/domain/clock.ts';
import { clockPassed } from '../../src/queue/worker.ts';

test('a steady clock goes on evenly, whatever the wall says, and jumps only where it is moved', () => {
  let wall = 1_000_000;
  let monotonic = 50;
  const clock = steadyClock(
    () => wall,
    () => monotonic,
  );
  wall += 26 * 3_600_000;
  monotonic += 10;
  expect(clock.now().getTime()).toBe(1_000_010);
  clock.move(-500);
  expect(clock.now().getTime()).toBe(999_510);
});

test('a wait on a clock that is set back begins anew, and does not last as long as it was set back', async () => {
  let back = 0;
  const clock = { now: () => new Date(Date.now() - back) };
  const waited = clockPassed(clock, 60);
  back = 26 * 3_600_000;
  await waited;
});
