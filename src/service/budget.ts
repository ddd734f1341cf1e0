import PQueue from 'p-queue';
import type { Budget, CallKind } from '../domain/budget.ts';

const urgency: Record<CallKind, number> = { emission: 2, question: 1, download: 0 };

/**
 * A rate budget in memory, for one API key used by one process: at most `perMinute` calls in any 60 seconds,
 * emissions before questions before downloads, and none while the service asked to slow down. The service
 * allows 300 (spec, "Limits"); the default leaves room for calls that are long on their way.
 */
export function memoryBudget(perMinute = 280): Budget {
  const line = new PQueue({ concurrency: 1, interval: 60_000, intervalCap: perMinute, strict: true });
  let heldUntil = 0;
  const released = async () => {
    for (let left = heldUntil - performance.now(); left > 0; left = heldUntil - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
    }
  };
  return {
    take: (kind) => line.add(released, { priority: urgency[kind] }),
    async slow(forMs) {
      heldUntil = Math.max(heldUntil, performance.now() + forMs);
    },
  };
}

/** No budget at all: for callers that count for themselves. A 429 then only comes back as `throttled`. */
export const unmetered: Budget = { async take() {}, async slow() {} };
