import { z } from 'zod';

/** What a call cost and what the shop's bucket held after it, in points (`extensions.cost`). */
export interface Cost {
  requested: number;
  available: number;
  /** Points a second. */
  restoreRate: number;
}

const Extensions = z.object({
  cost: z.object({
    requestedQueryCost: z.number().positive(),
    throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
  }),
});

/** Null where the answer says nothing of its cost. */
export function readCost(extensions: unknown): Cost | null {
  const cost = Extensions.safeParse(extensions).data?.cost;
  if (!cost) return null;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return { requested: cost.requestedQueryCost, available: currentlyAvailable, restoreRate };
}

/** Milliseconds until the bucket holds enough: (requested − available) / restore rate (shopify.dev, API limits). */
export function waitFor({ requested, available, restoreRate }: Cost): number {
  return Math.max(0, Math.ceil(((requested - available) / restoreRate) * 1000));
}

/** One shop's bucket as this process knows it. Other processes draw from the same one: the shop has the last word. */
export interface Bucket {
  /** Takes the points `document` cost last time; answers milliseconds to wait where they are not there yet. */
  take(document: string): number;
  /** Takes over what an answer said. */
  learn(document: string, cost: Cost): void;
}

/** @param now milliseconds of a clock that only goes forward. */
export function openBucket(now: () => number = () => performance.now()): Bucket {
  const costs = new Map<string, number>();
  let known: { available: number; restoreRate: number; at: number } | null = null;
  return {
    take(document) {
      const requested = costs.get(document);
      if (known === null || requested === undefined) return 0;
      const { restoreRate } = known;
      const available = known.available + ((now() - known.at) / 1000) * restoreRate;
      const wait = waitFor({ requested, available, restoreRate });
      if (wait === 0) known = { available: available - requested, restoreRate, at: now() };
      return wait;
    },
    learn(document, { requested, available, restoreRate }) {
      costs.set(document, requested);
      known = { available, restoreRate, at: now() };
    },
  };
}
