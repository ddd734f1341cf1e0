import type { Clock } from '../../../src/domain/clock.ts';

/** One instant as the shop writes it: its own wall time (Quito, UTC−5) and UTC, neither saying so. */
export interface ShopTimes {
  local: string;
  gmt: string;
}

export function shopTimes(clock: Clock): ShopTimes {
  const now = clock.now();
  const text = (time: Date) => time.toISOString().slice(0, 19);
  return { local: text(new Date(now.getTime() - 5 * 3_600_000)), gmt: text(now) };
}
