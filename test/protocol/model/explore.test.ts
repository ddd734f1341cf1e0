import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { whole } from '../../support/chance.ts';
import { type Certificate, certificate, sourcesHash } from './certificate.ts';
import type { Run } from './run.ts';
import { isAsInProduction, isLong, worldsOf } from './worlds.ts';

/**
 * Every interleaving of one factura, its nota de crédito and everything around them, within the bounds of each world: no
 * invariant breaks, and from every state an end is reached that is true once nothing goes wrong any more. explored.json says
 * of which sources this was found, and which arms of the protocol no world reaches; the same sources are explored again by
 * `npm run test:long` only. After a change `npx vitest run test/protocol/model --update` writes it.
 */
const sources = sourcesHash();
const isOther = isLong || isAsInProduction;
const isExplored = whole || isOther || sources !== certificate.sources;
const titles = (['fixed', 'foreseen', 'random', 'varied'] as const).flatMap((keys) =>
  worldsOf(keys).map(([name]) => `${keys} keys, ${name}`),
);
const timeout = isLong ? 86_400_000 : 900_000;

if (isExplored) {
  const exploreAll = async (): Promise<Run> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['test/protocol/model/run.ts'], {
      maxBuffer: 2 ** 26,
    });
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Run;
  };
  let exploring: Promise<Run> | undefined;
  const explored = () => {
    exploring ??= exploreAll();
    return exploring;
  };

  test.each(titles)('%s', { timeout }, async (title) => {
    const found = (await explored()).worlds[title];
    if (!found) throw new Error('The world was not explored.');
    if (found.violation) expect.fail(found.violation);
    expect(found.isComplete || isLong).toBe(true);
    expect(found.ends).toBeGreaterThan(0);
  });

  test.skipIf(isOther)('explored.json says what was found', { timeout }, async () => {
    const { worlds, arms, unreached } = await explored();
    const figures = Object.entries(worlds).map(([title, { states, transitions, depth }]) => [
      title,
      // Not its arms: V8 misses a few where it optimises, another few each time.
      { states, transitions, depth },
    ]);
    const found: Certificate = { sources, arms, unreached, worlds: Object.fromEntries(figures) };
    await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot('explored.json');
  });
} else {
  test('explored.json has every world there is, explored of these very sources', () => {
    expect(Object.keys(certificate.worlds)).toEqual(titles);
  });
}
