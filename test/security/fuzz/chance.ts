import { seeded } from '../../support/seeded.ts';

/** Choices that come out the same for the same seed. */
export interface Chance {
  /** True so often, of 1. */
  often(share: number): boolean;
  /** 0 up to `end`, which is never reached. */
  below(end: number): number;
  one<T>(of: readonly T[]): T;
}

export function openChance(seed: number): Chance {
  const { next } = seeded(seed);
  const below = (end: number) => Math.floor(next() * end);
  return { often: (share) => next() < share, below, one: (of) => of[below(of.length)] as never };
}
