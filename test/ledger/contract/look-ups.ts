import { expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';

export function lookUpsContract(open: OpenLedger): void {
  test('look-ups of names are counted up to their limit, by day and by whom, however many ask at once', async () => {
    const { lookUps } = await open();
    const store = { counted: 'store', subject: 'quito', limit: 5 } as const;
    const day = '2026-11-20';
    const taken = await Promise.all(Array.from({ length: 20 }, () => lookUps.take(day, store)));
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(await lookUps.take(day, { ...store, counted: 'link', limit: 1 })).toBe(true);
    expect(await lookUps.take(day, { ...store, subject: 'cuenca' })).toBe(true);
    expect(await lookUps.take('2026-11-21', store)).toBe(true);
    expect(await lookUps.ofDay(day, 'store')).toEqual([
      { subject: 'cuenca', count: 1 },
      { subject: 'quito', count: 5 },
    ]);
    // A limit that is lowered meanwhile counts at once, one that is raised too.
    expect(await lookUps.take(day, { ...store, limit: 4 })).toBe(false);
    expect(await lookUps.take(day, { ...store, limit: 6 })).toBe(true);
    await lookUps.prune('2026-11-21');
    expect(await lookUps.ofDay(day, 'store')).toEqual([]);
    expect(await lookUps.take('2026-11-21', { ...store, limit: 1 })).toBe(false);
  });
}
