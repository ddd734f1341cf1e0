import { expect, test } from 'vitest';
import { BusyError, impatientBudget } from '../../src/web/impatient-budget.ts';

const slow = async () => {};

test('whoever waits too long is sent away, and so is everybody while all places are taken', async () => {
  const turns: (() => void)[] = [];
  const budget = impatientBudget({ take: () => new Promise((resolve) => turns.push(resolve)), slow }, 2, 20);
  const waiting = [budget.take('download'), budget.take('download')];
  await expect(budget.take('download')).rejects.toThrow(BusyError);
  for (const one of waiting) await expect(one).rejects.toThrow(BusyError);
  // Their slots are still booked: the places come free with them, so the line behind never grows.
  await expect(budget.take('download')).rejects.toThrow(BusyError);
  expect(turns).toHaveLength(2);
  for (const turn of turns.splice(0)) turn();
  await new Promise((resolve) => setImmediate(resolve));
  const next = budget.take('download');
  turns[0]?.();
  await next;
});

test('a budget that fails fails as it is', async () => {
  const budget = impatientBudget({ take: () => Promise.reject(new Error('ledger gone')), slow });
  await expect(budget.take('download')).rejects.toThrow('ledger gone');
});
