import { createHash } from 'node:crypto';

/** Reproducible randomness: the same seed and name give the same draws, independent of other names. */
export interface Random {
  /** From 0, below 1. */
  next(): number;
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function openRandom(seed: number, name: string): Random {
  let drawn = 0;
  const next = (): number => {
    const digest = createHash('sha256').update(`${seed}|${name}|${drawn}`).digest();
    drawn += 1;
    return digest.readUInt32BE(0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new RangeError('Nothing can be picked from an empty list.');
      return from[below(from.length)] as T;
    },
  };
}
