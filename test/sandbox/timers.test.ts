import { describe, expect, onTestFinished, test } from 'vitest';
import { readClock } from '../../sandbox/emulator/clock.ts';
import { openTimers } from '../../sandbox/emulator/timers.ts';
import { eventually } from '../support/eventually.ts';

/** Timers on a clock that stands still at 0 until it is moved, and what they have done. */
function open(rate = 0) {
  const clock = readClock({ now: () => new Date(0), rate });
  const failed: unknown[] = [];
  const timers = openTimers(clock, (error) => failed.push(error));
  onTestFinished(() => timers.close());
  const done: string[] = [];
  return { clock, timers, done, failed, mark: (name: string) => () => void done.push(name) };
}

describe('timers on the sandbox’s clock', () => {
  test('run in the order in which they fall due, however far the step goes', async () => {
    const { clock, timers, done, mark } = open();
    timers.at(300, mark('third'));
    timers.at(100, mark('first'));
    timers.at(200, mark('second'));
    timers.at(301, mark('not yet'));
    clock.step(300);
    await timers.settled();
    expect(done).toEqual(['first', 'second', 'third']);
  });

  test('what one makes due in turn takes its place among the others', async () => {
    const { clock, timers, done, mark } = open();
    timers.at(100, async () => {
      await Promise.resolve();
      mark('first')();
      timers.at(150, mark('its follower'));
    });
    timers.at(200, mark('second'));
    clock.step(1_000);
    await timers.settled();
    expect(done).toEqual(['first', 'its follower', 'second']);
  });

  test('one that hangs holds up the next for a moment only', async () => {
    const { clock, timers, done, mark } = open();
    timers.at(1, () => new Promise(() => {}));
    timers.at(2, mark('next'));
    clock.step(2);
    await eventually(() => done.length === 1, 'the next');
  });

  test('one that fails is told, and the next runs', async () => {
    const { clock, timers, done, failed, mark } = open();
    timers.at(1, () => Promise.reject(new Error('broken')));
    timers.at(2, mark('next'));
    clock.step(2);
    await timers.settled();
    expect([done, failed]).toEqual([['next'], [new Error('broken')]]);
  });

  test('a wait longer than the platform’s timers can hold does not pass at once', async () => {
    const { clock, timers, done, mark } = open(1);
    timers.at(2 ** 31 + 1_000, mark('in 25 days'));
    timers.at(1, mark('soon'));
    await eventually(() => done.length > 0, 'the short one');
    expect(done).toEqual(['soon']);
    clock.step(2 ** 31 + 1_000);
    await timers.settled();
    expect(done).toEqual(['soon', 'in 25 days']);
  });

  test('nothing is left after clear: neither what waits nor what a step had begun', async () => {
    const { clock, timers, done, mark } = open();
    let stopped = false;
    timers.at(1, (signal) => {
      signal.addEventListener('abort', () => {
        stopped = true;
      });
      return new Promise(() => {});
    });
    timers.at(2, mark('next'));
    clock.step(5);
    timers.clear();
    await timers.settled();
    clock.step(5);
    await timers.settled();
    expect([done, stopped]).toEqual([[], true]);
  });
});
