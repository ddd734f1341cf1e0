import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/**
 * What property tests draw from. The same on every run, so that the same sources always end alike and a change is
 * never held up by chance; others are looked for by `npm run test:long`, which begins elsewhere each time
 * (FACTURAPUENTE_SEED=random). What fails prints its seed: FACTURAPUENTE_SEED=<seed> draws it again.
 */
export const seed = chosen(process.env.FACTURAPUENTE_SEED ?? '20261121');

/** `npm run test:long` tries whole what `npm test` tries a sample of. */
export const whole = process.env.FACTURAPUENTE_TESTS === 'whole';

/** How many orders, refunds or the like a property draws: `few` in `npm test`, `many` in `npm run test:long`. */
export const draws = (few: number, many: number): number =>
  whole ? many : Math.ceil(few * Number(process.env.FACTURAPUENTE_DRAWS ?? 1));

/** One in `every`, others with another seed; all of them in `npm run test:long`. */
export const sampled = <T>(all: readonly T[], every: number): T[] =>
  all.filter((_, index) => whole || (index + seed) % every === 0);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** Processes that a test starts from the sources load the sandbox's sources as well, as vitest.config.ts does here. */
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --conditions=facturapuente-source`.trim();

function chosen(asked: string): number {
  if (asked === 'random') {
    const drawn = randomInt(2 ** 31);
    console.info(`FACTURAPUENTE_SEED=${drawn}`);
    return drawn;
  }
  const given = Number(asked);
  if (!Number.isSafeInteger(given))
    throw new Error(`FACTURAPUENTE_SEED is a whole number or "random", not ${asked}.`);
  return given;
}
