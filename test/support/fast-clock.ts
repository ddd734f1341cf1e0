import { ecuadorDay, startOfEcuadorDay } from '../../src/domain/clock.ts';

const hourMs = 3_600_000;

/**
 * A test clock that begins now and runs `rate` times as fast. Midnight in Ecuador within its next three hours has
 * passed already: a lost answer waits much longer across it, and a test of something else would meet it by chance.
 */
export function fastClock(rate: number, now = new Date()): string {
  const inThreeHours = new Date(now.getTime() + 3 * hourMs);
  const midnight = startOfEcuadorDay(ecuadorDay(inThreeHours)).getTime();
  const offset = Math.max(0, midnight - now.getTime());
  return `anchor=${now.toISOString()},offset=${offset},rate=${rate}`;
}
