import { expect, test } from 'vitest';
import { BusyError, impatientRateLimit } from '../../src/http/limits.ts';

const slow = async () => {};

test('whoever waits too long is sent away, and so is everybody while all places are taken', async () => {
  const turns: (() => void)[] = [];
  const rateLimit = impatientRateLimit(
    { take: () => new Promise((resolve) => turns.push(resolve)), slow },
    2,
    20,
  );
  const waiting = [rateLimit.take('download'), rateLimit.take('download')];
  await expect(rateLimit.take('download')).rejects.toThrow(BusyError);
  for (const one of waiting) await expect(one).rejects.toThrow(BusyError);
  // Their slots are still booked: the places come free with them, so the line behind never grows.
  await expect(rateLimit.take('download')).rejects.toThrow(BusyError);
  expect(turns).toHaveLength(2);
  for (const turn of turns.splice(0)) turn();
  await new Promise((resolve) => setImmediate(resolve));
  const next = rateLimit.take('download');
  turns[0]?.();
  await next;
});

test('a budget that fails fails as it is', async () => {
  const rateLimit = impatientRateLimit({ take: () => Promise.reject(new Error('ledger gone')), slow });
  await expect(rateLimit.take('download')).rejects.toThrow('ledger gone');
});
