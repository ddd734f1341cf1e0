import { setTimeout as pause } from 'node:timers/promises';
import { ShopError } from '../../src/domain/errors.ts';

/** Between the tries of a call that may be repeated, milliseconds. More is the dispatcher's business. */
const pauses = [100, 400];

export interface Patience {
  /** Waits never begin that would end later than this after the first try. */
  withinMs: number;
  /** Whether a call that may have been carried out can be made again: reading, never writing. */
  repeatable: boolean;
}

/**
 * Repeats what is worth repeating at once (the vendor's client repeats none of it): refused for want of points
 * until they are there, a call that broke or met a 5xx twice. What would take longer is thrown, with the time to
 * come back after, and holds up no worker.
 */
export async function patiently<T>({ withinMs, repeatable }: Patience, run: () => Promise<T>): Promise<T> {
  const end = performance.now() + withinMs;
  let repeats = 0;
  while (true) {
    try {
      return await run();
    } catch (error) {
      const wait = error instanceof ShopError ? waitAfter(error) : null;
      if (wait === null || performance.now() + wait > end) throw error;
      await pause(wait);
    }
  }

  function waitAfter({ code, retryAfterMs }: ShopError): number | null {
    // Refused before it was carried out, so that writes too can be made again.
    if (code === 'shopify-throttled') return Math.max(retryAfterMs ?? 1_000, 10);
    if (!repeatable || !passing.has(code)) return null;
    const usual = pauses[repeats];
    repeats += 1;
    return usual === undefined ? null : Math.max(usual, retryAfterMs ?? 0);
  }
}

/** Not a timeout: it has used up the patience of whoever waits. */
const passing = new Set(['shopify-unavailable', 'shopify-unreachable', 'shopify-answered-page']);
