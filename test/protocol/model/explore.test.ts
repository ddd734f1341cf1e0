import { expect, test } from 'vitest';
import { whole } from '../../support/chance.ts';
import { type Certificate, certificate, sourcesHash } from './certificate.ts';
import { asTest, explore } from './explore.ts';
import { isAsInProduction, isLong, worldsOf } from './worlds.ts';

/** With long bounds a world may be endless: then every trace is walked as far as so many states lead. */
const most = isLong ? 4_000_000 : Number.POSITIVE_INFINITY;

/**
 * Every interleaving of one factura, its nota de crédito and everything around them, within the bounds of each world: no
 * invariant breaks, and from every state an end is reached that is true once nothing goes wrong any more. explored.json says
 * which sources this was found of ; the same sources are explored again by `npm run test:long` only. After a change
 * `npx vitest run test/protocol/model --update` writes it.
 */
const sources = sourcesHash();
const isOther = isLong || isAsInProduction;
const isExplored = whole || isOther || sources !== certificate.sources;
const worlds = (['fixed', 'foreseen', 'random', 'varied'] as const).flatMap((keys) =>
  worldsOf(keys).map(([name, world]) => ({ keys, name, world, title: `${keys} keys, ${name}` })),
);

if (isExplored) {
  const found: Certificate['worlds'] = {};
  test.each(worlds)('$title', { timeout: isLong ? 7_200_000 : 300_000 }, ({ keys, name, world, title }) => {
    const { violation, isComplete, ends, states, transitions, depth, ms } = explore(world, most);
    if (isOther)
      console.log(`${title}: ${states} states, ${transitions} transitions, depth ${depth}, ${ms} ms`);
    if (violation) expect.fail(asTest(keys, name, violation));
    expect(isComplete || isLong).toBe(true);
    expect(ends).toBeGreaterThan(0);
    found[title] = { states, transitions, depth };
  });

  test.skipIf(isOther)('explored.json says what was found', async () => {
    const text = `${JSON.stringify({ sources, worlds: found }, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('explored.json');
  });
} else {
  test('explored.json has every world there is, explored of these very sources', () => {
    expect(Object.keys(certificate.worlds)).toEqual(worlds.map(({ title }) => title));
  });
}
