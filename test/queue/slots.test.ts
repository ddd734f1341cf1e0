import { expect, test } from 'vitest';
import { reconciliationsAtOnce } from '../../src/domain/job.ts';
import type { DueJob } from '../../src/ledger/jobs.ts';
import { openSlots } from '../../src/queue/fair-scheduler.ts';

let made = 0;
function job(storeId: string, more: Partial<DueJob> = {}): DueJob {
  made += 1;
  const dueAt = '2026-01-01T00:00:00.000Z';
  const partition = `shop:${storeId}/sync-order`;
  const one = {
    kind: 'sync-order',
    storeId,
    rateLimit: null,
    partition,
    priority: 5,
    dueAt,
  } as const;
  return { ...one, id: String(made), ...more };
}

/** Takes jobs like this one as long as they may go; answers how many. */
function fill(slots: ReturnType<typeof openSlots>, like: () => DueJob, most = 1_000): number {
  for (let taken = 0; taken < most; taken += 1) {
    const one = like();
    if (!slots.mayGo(one)) return taken;
    slots.take(one);
  }
  return most;
}

test('alone a shop gets a third of the slots, and a newcomer finds a free one however many hang', () => {
  const slots = openSlots(64);
  expect(fill(slots, () => job('a'))).toBe(22);
  expect(slots.waited).toBe(true);
  for (const newcomer of ['b', 'c', 'd', 'e', 'f', 'g'])
    expect(fill(slots, () => job(newcomer))).toBeGreaterThan(0);
  expect(slots.mayGo(job('h'))).toBe(true);
});

test('two busy shops come to a quarter each', () => {
  const slots = openSlots(64);
  const running: DueJob[] = [];
  for (let round = 0; round < 200; round += 1) {
    for (const store of ['a', 'b']) {
      const one = job(store);
      if (slots.mayGo(one)) {
        slots.take(one);
        running.push(one);
      }
    }
    if (round >= 100 && round % 2 === 0) running.splice(0, 1).forEach(slots.giveBack);
  }
  const of = (store: string) => running.filter(({ storeId }) => storeId === store).length;
  expect([of('a'), of('b')]).toEqual([16, 16]);
});

test('whatever the number of slots, the first job gets one', () => {
  for (const count of [1, 2, 3, 10]) {
    const slots = openSlots(count);
    expect(slots.mayGo(job('a'))).toBe(true);
    slots.take(job('a'));
    expect(slots.mayGo(job('b'))).toBe(count > 1);
  }
});

test('jobs that call no shop have a part by their kind, whatever store they name', () => {
  const slots = openSlots(9);
  fill(slots, () => job('tienda'));
  expect(slots.mayGo(job('tienda', { kind: 'settle-document' }))).toBe(true);
  expect(fill(slots, () => job(`tienda-${made}`, { kind: 'announce' }))).toBe(2);
  expect(slots.mayGo(job('tienda', { kind: 'settle-document' }))).toBe(true);
});

test('jobs under a rate limit are not counted, and reconciliations wait for no part', () => {
  const slots = openSlots(3);
  expect(fill(slots, () => job('a', { rateLimit: 'clave' }), 50)).toBe(50);
  expect(slots.ids()).toEqual([]);
  expect(fill(slots, () => job('a'))).toBe(1);
  expect(slots.mayGo(job('a', { kind: 'reconciliation' }))).toBe(true);
});

test('of the reconciliations of many shops no more are handed over than a process runs at once', () => {
  const slots = openSlots(64);
  const reconciliations = Array.from({ length: 20 }, (_, n) =>
    job(`tienda${n}`, { kind: 'reconciliation', partition: 'reconciliation' }),
  );
  const over = reconciliations.filter((one) => {
    const may = slots.mayGo(one);
    if (may) slots.take(one);
    return may;
  });
  expect(over).toHaveLength(reconciliationsAtOnce);
  // Other waiting jobs need no shorter interval: the end of one enqueues its next, which wakes the dispatcher.
  expect(slots.waited).toBe(false);
  slots.giveBack(over[0] as DueJob);
  expect(slots.mayGo(job('otra', { kind: 'reconciliation' }))).toBe(true);
});

test('what is over, or went to another dispatcher, makes room', () => {
  const slots = openSlots(3);
  const [first, second] = [job('a'), job('a')];
  slots.take(first);
  expect(slots.mayGo(second)).toBe(false);
  slots.keep(new Set([first.id]));
  expect(slots.mayGo(second)).toBe(false);
  slots.keep(new Set());
  expect(slots.mayGo(second)).toBe(true);
  slots.take(second);
  slots.giveBack(second);
  expect(slots.ids()).toEqual([]);
});
