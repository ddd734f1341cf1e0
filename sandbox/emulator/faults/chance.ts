import { createHash } from 'node:crypto';
import type { Chaos, FaultKind } from './schema.ts';
import { canStrike, type Place } from './scope.ts';

/** One standing order of disturbances by chance, which counts what it meets. */
export interface Chance {
  /** The kind that strikes here, or undefined: the same for the same seed and the same order of places. */
  draw(place: Place): FaultKind | undefined;
}

export function openChance({ seed, probability, kinds, operacion, clave }: Chaos): Chance {
  const met = { request: 0, event: 0 };
  return {
    draw(place) {
      if (clave !== undefined && clave !== place.apiKey) return undefined;
      const stream = place.evento === undefined ? 'request' : 'event';
      if (
        stream === 'request' &&
        operacion !== undefined &&
        operacion !== '*' &&
        operacion !== place.operacion
      )
        return undefined;
      const possible = kinds.filter((kind) => canStrike(kind, place));
      if (possible.length === 0) return undefined;
      met[stream] += 1;
      const digest = createHash('sha256').update(`${seed}|${stream}|${met[stream]}`).digest();
      if (digest.readUInt32BE(0) / 2 ** 32 >= probability) return undefined;
      return possible[digest.readUInt32BE(4) % possible.length];
    },
  };
}
