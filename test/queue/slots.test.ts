import { expect, test } from 'vitest';
import { sweepsAtOnce } from '../../src/domain/work.ts';
import type { DueWork } from '../../src/ledger/work/tables.ts';
import { openSlots } from '../../src/queue/slots.ts';

let made = 0;
function job(storeId: string, more: Partial<DueWork> = {}): DueWork {
  made += 1;
  const dueAt = '2026-01-01T00:00:00.000Z';
  const lane = `shop:${storeId}/sync-order`;
  const work = { kind: 'sync-order', storeId, budget: null, lane, priority: 5, dueAt, probe: false } as const;
  return { ...work, id: String(made), ...more };
}

/** Takes jobs like this one as long as they may go; answers how many. */
function fill(slots: ReturnType<typeof openSlots>, like: () => DueWork, most = 1_000): number {
  for (let taken = 0; taken < most; taken += 1) {
    const work = like();
    if (!slots.mayGo(work)) return taken;
    slots.take(work);
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
  const running: DueWork[] = [];
  for (let round = 0; round < 200; round += 1) {
    for (const store of ['a', 'b']) {
      const work = job(store);
      if (slots.mayGo(work)) {
        slots.take(work);
        running.push(work);
      }
    }
    if (round >= 100 && round % 2 === 0) running.splice(0, 1).forEach(slots.giveBack);
  }
  const of = (store: string) => running.filter(({ storeId }) => storeId === store).length;
  expect([of('a'), of('b')]).toEqual([16, 16]);
});

test('whatever the number of slots, there is one for whoever comes first', () => {
  for (const count of [1, 2, 3, 10]) {
    const slots = openSlots(count);
    expect(slots.mayGo(job('a'))).toBe(true);
    slots.take(job('a'));
    expect(slots.mayGo(job('b'))).toBe(count > 1);
  }
});

test('a shadow calls the shop of its store, and shares its part', () => {
  const slots = openSlots(9);
  expect(fill(slots, () => job('tienda'))).toBe(3);
  expect(slots.mayGo(job('tienda.sombra'))).toBe(false);
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
  expect(fill(slots, () => job('a', { budget: 'clave' }), 50)).toBe(50);
  expect(slots.ids()).toEqual([]);
  expect(fill(slots, () => job('a'))).toBe(1);
  expect(slots.mayGo(job('a', { kind: 'sweep' }))).toBe(true);
});

test('of the reconciliations of many shops no more are handed over than a process runs at once', () => {
  const slots = openSlots(64);
  const sweeps = Array.from({ length: 20 }, (_, n) => job(`tienda${n}`, { kind: 'sweep', lane: 'sweep' }));
  const over = sweeps.filter((work) => {
    const may = slots.mayGo(work);
    if (may) slots.take(work);
    return may;
  });
  expect(over).toHaveLength(sweepsAtOnce);
  // Whatever else waits need not be looked at more often: the end of one asks for its next, which wakes the dispatcher.
  expect(slots.waited).toBe(false);
  slots.giveBack(over[0] as DueWork);
  expect(slots.mayGo(job('otra', { kind: 'sweep' }))).toBe(true);
});

test('to find out whether a shop answers, one job of each kind goes', () => {
  const slots = openSlots(64);
  const probe = (kind: DueWork['kind'] = 'sync-order') => job('a', { kind, probe: true });
  expect(fill(slots, () => probe())).toBe(1);
  expect(fill(slots, () => probe('write-back'))).toBe(1);
  expect(fill(slots, () => probe('sweep'))).toBe(1);
  // No share is used up: nothing has to be looked at more often.
  expect(slots.waited).toBe(false);
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
