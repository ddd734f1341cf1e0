import { describe, expect, test, vi } from 'vitest';
import { dayInEcuador, isoInEcuador, readTestClock } from '../../sandbox/emulator/clock.ts';

describe('the test clock', () => {
  test('is anchor + offset + (real − anchor) × rate', () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T00:00:10Z') });
    const clock = readTestClock('anchor=2026-11-20T00:00:00Z,offset=86400000,rate=60');
    expect(clock.now().toISOString()).toBe('2026-11-21T00:10:00.000Z');
    expect(clock.rate).toBe(60);
    vi.useRealTimers();
  });

  test.each([
    '',
    'offset=1',
    'anchor=ayer',
    'anchor=2026-11-20T00:00:00Z,rate=0',
    'anchor=2026-11-20T00:00:00Z,offset=x',
  ])('"%s" is refused with the right way to write it', (text) =>
    expect(() => readTestClock(text)).toThrow(/anchor=<ISO instant>,offset=<milliseconds>,rate=/),
  );
});

describe('Ecuador’s time', () => {
  test('is five hours behind UTC: its day changes at 05:00 UTC', () => {
    expect(dayInEcuador(new Date('2026-11-21T04:59:59Z'))).toBe('2026/11/20');
    expect(dayInEcuador(new Date('2026-11-21T05:00:00Z'))).toBe('2026/11/21');
    expect(isoInEcuador(new Date('2026-11-21T04:59:59.9Z'))).toBe('2026-11-20T23:59:59-05:00');
  });
});
