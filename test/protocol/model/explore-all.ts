import { afterAll, describe, expect, it } from 'vitest';
import { type Explored, explore, type Violation } from './explore.ts';
import type { Keys } from './world.ts';
import { isLong, worldsOf } from './worlds.ts';

/** What broke, as a test to paste into replay.test.ts. */
export function asTest(keys: Keys, world: string, { invariant, trace }: Violation): string {
  const steps = trace.map((label) => `    ${JSON.stringify(label)},`).join('\n');
  return `\nit('…', () => {\n  const trace = [\n${steps}\n  ];\n  expect(replay(worldNamed('${keys}', '${world}'), trace).invariant).not.toBe(\n    ${JSON.stringify(invariant)},\n  );\n});\n`;
}

/** With long bounds a world may be endless: then every trace is walked as far as so many states lead. */
const most = isLong ? 4_000_000 : Number.POSITIVE_INFINITY;

/**
 * Every interleaving of one factura, its nota de crédito and everything around them, within the bounds of each world: no
 * invariant breaks, and from every state an end is reached that is true once nothing goes wrong any more.
 */
export function exploreAll(every: readonly Keys[]): undefined {
  const figures: [string, Explored][] = [];
  afterAll(() => {
    const sum = (of: 'states' | 'transitions' | 'ms') =>
      figures.reduce((total, [, explored]) => total + explored[of], 0);
    const deepest = Math.max(...figures.map(([, { depth }]) => depth));
    const second = Math.max(sum('ms') / 1000, 0.001);
    if (process.env.PROTOCOL_FIGURES)
      for (const [name, { states, transitions, depth, ms, isComplete }] of figures)
        console.log(
          `${name}: ${states} states${isComplete ? ', all there are' : ''}, ${transitions} transitions, depth ${depth}, ${ms} ms`,
        );
    console.log(
      `${every.join(', ')}: ${sum('states')} distinct states, ${sum('transitions')} transitions, depth ${deepest}, ${second.toFixed(1)} s, ${Math.round(sum('states') / second)} states/s`,
    );
  });
  describe.each(every)('with %s keys', (keys) => {
    it.each(worldsOf(keys))('%s', { timeout: isLong ? 7_200_000 : 300_000 }, (name, world) => {
      const explored = explore(world, most);
      figures.push([`${keys}, ${name}`, explored]);
      if (explored.violation) expect.fail(asTest(keys, name, explored.violation));
      expect(explored.isComplete || isLong).toBe(true);
      expect(explored.ends).toBeGreaterThan(0);
    });
  });
}
