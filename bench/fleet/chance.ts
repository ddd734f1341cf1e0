/** The randomness of a run: the same seed gives the same day. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  /** Log-normal times: mostly around the median, sometimes much longer. */
  time(median: number, spread?: number): number;
  /** A count at this rate (Poisson). */
  count(mean: number): number;
}

export function openChance(seed: number): Chance {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    time: (median, spread = 0.5) => median * Math.exp(spread * normal()),
    count(mean) {
      if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      const limit = Math.exp(-mean);
      let product = next();
      let count = 0;
      while (product > limit) {
        product *= next();
        count += 1;
      }
      return count;
    },
  };
}
