import fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, hold, serviceRate } from '../../src/dispatch/gcra.ts';

/** Books whenever it may, at the given pauses; answers the instants of the slots. */
function slotsAt(pauses: readonly number[], lookAheadMs: number): number[] {
  let now = 0;
  let tat: number | null = null;
  const slots: number[] = [];
  for (const pause of pauses) {
    now += pause;
    const booking = book(tat, now, lookAheadMs, serviceRate);
    if (!booking.booked) continue;
    tat = booking.tat;
    slots.push(now + booking.waitMs);
  }
  return slots;
}

function mostInAnyMinute(slots: readonly number[]): number {
  let most = 0;
  let first = 0;
  slots.forEach((slot, last) => {
    while ((slots[first] ?? slot) <= slot - 60_000) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

test('burst and rate leave a margin of 30 below the 300 requests a minute of the service', () => {
  expect(serviceRate.burst + serviceRate.perMinute).toBeLessThanOrEqual(300 - 30);
});

test('a greedy caller gets at most 270 slots in any 60 seconds, and nearly that many', () => {
  const slots = slotsAt(new Array(30_000).fill(20), 100);
  expect(mostInAnyMinute(slots)).toBeLessThanOrEqual(270);
  expect(mostInAnyMinute(slots)).toBeGreaterThan(260);
});

test('whatever the pauses and the look-ahead, no 60 seconds hold more than 270 slots', () => {
  const pauses = fc.array(fc.oneof(fc.nat(30), fc.nat(300), fc.nat(90_000)), {
    minLength: 400,
    maxLength: 1_500,
  });
  fc.assert(
    fc.property(pauses, fc.constantFrom(0, 100, 5_000), (each, lookAheadMs) => {
      expect(mostInAnyMinute(slotsAt(each, lookAheadMs))).toBeLessThanOrEqual(270);
    }),
    { numRuns: 150 },
  );
});

test('a slot beyond the look-ahead is not booked, and the answer says when it will be within', () => {
  const full = hold(null, 0, 1_000, serviceRate);
  const refused = book(full, 0, 100, serviceRate);
  expect(refused).toEqual({ booked: false, retryInMs: 900 });
  expect(book(full, 900, 100, serviceRate)).toMatchObject({ booked: true, waitMs: 100 });
});

test('a held key gets no slot until the hold is over, and no burst right after it', () => {
  let tat: number | null = hold(null, 0, 60_000, serviceRate);
  const slots: number[] = [];
  for (let now = 0; now < 62_000; now += 10) {
    const booking = book(tat, now, 0, serviceRate);
    if (!booking.booked) continue;
    tat = booking.tat;
    slots.push(now);
  }
  expect(slots[0]).toBe(60_000);
  expect(slots.length).toBeLessThanOrEqual(1 + 2_000 / 240);
});

test('a hold never shortens a longer one', () => {
  const long = hold(null, 0, 60_000, serviceRate);
  expect(hold(long, 0, 1_000, serviceRate)).toBe(long);
});
