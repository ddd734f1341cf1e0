import type { Chance } from './chance.ts';
import type { Timeline } from './timeline.ts';

const windowMs = 60_000;
/** The service's limit per key in any 60 seconds. */
export const allowed = 300;

/** The modelled tax service: it counts each key's requests, answers after a delay, and may be down. */
export interface TaxService {
  /** One request. */
  call(keyNumber: number): Promise<'answered' | 'throttled' | 'unreachable'>;
  isDown(): boolean;
  /** The most requests a key made in any 60 seconds, by its number. */
  most: number[];
  throttled: number;
}

export function openTaxService(
  timeline: Timeline,
  chance: Chance,
  { keys, outage }: { keys: number; outage: { from: number; to: number } | null },
): TaxService {
  const windows = Array.from({ length: keys }, () => ({ times: [] as number[], first: 0 }));
  const isDown = () => outage !== null && timeline.now() >= outage.from && timeline.now() < outage.to;
  const service: TaxService = {
    most: Array.from({ length: keys }, () => 0),
    throttled: 0,
    isDown,
    async call(keyNumber) {
      // In flight.
      await timeline.wait(chance.time(25, 0.6));
      const window = windows[keyNumber];
      if (window === undefined) throw new RangeError(`There is no key ${keyNumber}.`);
      if (isDown()) {
        await timeline.wait(5_000);
        return 'unreachable';
      }
      const now = timeline.now();
      while ((window.times[window.first] ?? now) <= now - windowMs) window.first += 1;
      if (window.first > 1_000) {
        window.times.splice(0, window.first);
        window.first = 0;
      }
      window.times.push(now);
      const count = window.times.length - window.first;
      service.most[keyNumber] = Math.max(service.most[keyNumber] ?? 0, count);
      if (count > allowed) service.throttled += 1;
      await timeline.wait(chance.time(350));
      return count > allowed ? 'throttled' : 'answered';
    },
  };
  return service;
}
