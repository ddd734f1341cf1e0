import { expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at } from '../samples.ts';

export function countersContract(open: OpenLedger): void {
  test('failures are counted within a window, which ends by itself and leaves nothing', async () => {
    const { counters } = await open();
    const add = (name: string, ms: number) => counters.add(name, { endsAt: at(ms + 10), now: at(ms) });
    expect(await add('x', 0)).toEqual({ count: 1, endsAt: at(10).toISOString() });
    expect(await add('x', 9)).toEqual({ count: 2, endsAt: at(10).toISOString() });
    const together = await Promise.all(Array.from({ length: 8 }, () => add('y', 9)));
    expect(together.map(({ count }) => count).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await counters.read(['x', 'y', 'z'], at(9))).toEqual([2, 8, 0]);
    expect(await counters.read(['x', 'y'], at(10))).toEqual([0, 8]);
    expect(await add('x', 10)).toEqual({ count: 1, endsAt: at(20).toISOString() });
    await counters.clear('x');
    expect(await counters.read(['x'], at(11))).toEqual([0]);
  });

  test('a counter is taken up to its limit, however many ask at once', async () => {
    const { counters } = await open();
    const take = (name: string, limit: number, ms = 0) =>
      counters.take(name, { limit, endsAt: at(ms + 10), now: at(ms) });
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('names quito', 5)));
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(await take('links', 1)).toBe(true);
    expect(await take('names cuenca', 5)).toBe(true);
    expect(await counters.startingWith('names ', at(9))).toEqual([
      { name: 'cuenca', count: 1 },
      { name: 'quito', count: 5 },
    ]);
    // A limit that is lowered meanwhile counts at once, one that is raised too.
    expect(await take('names quito', 4)).toBe(false);
    expect(await take('names quito', 6)).toBe(true);
    expect(await counters.startingWith('names ', at(10))).toEqual([]);
    expect([await take('names quito', 1, 10), await take('names quito', 1, 10)]).toEqual([true, false]);
  });
}
