import { expect, onTestFinished, test } from 'vitest';
import { postRunning } from '../../src/cli/post-running.ts';
import { parseTestClock, runTestClock } from '../../src/core/clock.ts';
import { openTickets } from '../../src/http/tickets.ts';
import { listenOnLoopback } from '../../src/testing/loopback.ts';

const use = 'command retry';
const anchor = new Date('2026-11-20T15:00:00Z');

/** Asks a door that only keeps the ticket; answers whether it is still good so many real seconds later. */
async function askOnce(rate: number): Promise<(seconds: number) => boolean> {
  let real = anchor;
  const testClock = `anchor=${anchor.toISOString()},offset=0,rate=${rate}`;
  const clock = runTestClock(parseTestClock(testClock), { now: () => real });
  const tickets = openTickets(Buffer.alloc(32, 7), clock);
  let ticket = '';
  const door = await listenOnLoopback((req, res) => {
    ticket = String(req.headers.authorization).replace('Bearer ', '');
    res.end('{}');
  });
  onTestFinished(() => door.close());
  const config = { port: Number(new URL(door.url).port), testClock };
  await postRunning(config, { tickets, clock, path: '/commands/retry', use });
  return (seconds) => {
    real = new Date(anchor.getTime() + seconds * 1000);
    return tickets.admits(use, ticket);
  };
}

// It keeps others from repeating what was asked, and they and the network live in real time.
test.each([0.5, 1, 600])('a ticket lives a minute of real time with a clock of rate %d', async (rate) => {
  const isGood = await askOnce(rate);
  expect([0, 59, 60].map(isGood)).toEqual([true, true, false]);
});
