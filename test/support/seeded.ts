/** Chance that comes out the same for the same seed (mulberry32). */
export function seeded(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to 1, which is never reached. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    shuffled<T>(list: readonly T[]): T[] {
      const all = [...list];
      for (let at = all.length - 1; at > 0; at -= 1) {
        const other = Math.floor(next() * (at + 1));
        [all[at], all[other]] = [all[other] as T, all[at] as T];
      }
      return all;
    },
  };
}
