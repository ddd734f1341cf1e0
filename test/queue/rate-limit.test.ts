import fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, hold, intervalMs, serviceRate } from '../../src/queue/rate-limit.ts';

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

/** Any 60 s hold at most this many slots: what remains of 300 may be late. */
const most = serviceRate.burst + Math.floor(60_000 / intervalMs(serviceRate));

test('beside the slots of a minute there is room for 3 seconds of lateness, and 90 % are used', () => {
  const late = 300 - most;
  expect(late * intervalMs(serviceRate)).toBeGreaterThanOrEqual(3_000);
  expect(60_000 / intervalMs(serviceRate)).toBeGreaterThanOrEqual(270 * 1.03);
});

test('a greedy caller gets all of its rate and never more slots in any 60 seconds than reckoned', () => {
  const slots = slotsAt(new Array(30_000).fill(20), 100);
  expect(mostInAnyMinute(slots)).toBeLessThanOrEqual(most);
  expect(mostInAnyMinute(slots)).toBeGreaterThan(most - 3);
});

test('calls that arrive up to 3 seconds after their slots never are more than 300 in any 60 seconds', () => {
  const delays = fc.infiniteStream(fc.oneof(fc.nat(50), fc.nat(3_000)));
  fc.assert(
    fc.property(delays, (delay) => {
      const slots = slotsAt(new Array(12_000).fill(20), 100);
      const arrivals = slots.map((slot) => slot + (delay.next().value ?? 0)).sort((a, b) => a - b);
      expect(mostInAnyMinute(arrivals)).toBeLessThanOrEqual(300);
    }),
    { numRuns: 30 },
  );
});

test('the less urgent leave a slot of a fresh burst to the more urgent', () => {
  const taken = (sparing: number) => {
    let tat: number | null = null;
    for (let count = 0; ; count += 1) {
      const booking = book(tat, 0, 0, serviceRate, sparing);
      if (!booking.booked) return count;
      tat = booking.tat;
    }
  };
  expect([taken(0), taken(1)]).toEqual([6, 5]);
});

test('whatever the pauses and the look-ahead, no 60 seconds hold more slots than reckoned', () => {
  const pauses = fc.array(fc.oneof(fc.nat(30), fc.nat(300), fc.nat(90_000)), {
    minLength: 400,
    maxLength: 1_500,
  });
  fc.assert(
    fc.property(pauses, fc.constantFrom(0, 100, 5_000), (each, lookAheadMs) => {
      expect(mostInAnyMinute(slotsAt(each, lookAheadMs))).toBeLessThanOrEqual(most);
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
  expect(slots.length).toBeLessThanOrEqual(1 + 2_000 / intervalMs(serviceRate));
});

test('a hold never shortens a longer one', () => {
  const long = hold(null, 0, 60_000, serviceRate);
  expect(hold(long, 0, 1_000, serviceRate)).toBe(long);
});
