import { expect, test } from 'vitest';
import type { Plan } from '../../bench/fleet/day.ts';
import { figuresOf } from '../../bench/fleet/figures.ts';
import { picturesOf } from '../../bench/fleet/pictures.ts';
import { type Played, play } from '../../bench/fleet/play.ts';
import { rulesOf } from '../../bench/fleet/rules.ts';
import { toText } from '../../bench/fleet/table.ts';

/** The evening of a Black Friday: 200 shops with 40 keys sell some 1,000 orders in 20 minutes. */
const evening: Plan = {
  ...{ seed: 7, shops: 200, keys: 40, orders: 20_000, from: 20 * 60, minutes: 20, rest: 15 },
  ...{ workers: 1, cores: 2, lostAnswers: 0.02, backlog: null, outage: null },
};
const broken = (played: Played) => rulesOf(figuresOf(played)).filter(({ kept }) => !kept);

test('a backlog of one merchant delays no shop of another key, and those of its own by their turns', async () => {
  const alone = await play(evening);
  const beside = await play({ ...evening, backlog: { documents: 1_500, at: evening.from + 5 } });
  expect(broken(alone)).toEqual([]);
  expect(broken(beside)).toEqual([]);
  const without = figuresOf(alone).untouched;
  const { others, neighbours, perMinute } = figuresOf(beside).backlog ?? {};
  expect(others?.count).toBeGreaterThan(100);
  expect(others?.p99).toBeLessThan(0.1);
  expect(figuresOf(beside).untouched.p99).toBeLessThan(without.p99 + 0.5);
  expect(neighbours?.count).toBeGreaterThan(0);
  expect(neighbours?.max).toBeLessThan(3);
  expect(perMinute).toBeGreaterThan(270);
});

test('after an hour without the service each key drains at its rate, and nobody is left behind', async () => {
  const outage = { from: evening.from + 5, minutes: 60 };
  const backlog = { documents: 1_200, at: outage.from + 30 };
  const played = await play({ ...evening, minutes: 75, orders: 8_000, rest: 40, outage, backlog });
  // Its backlog is not the evening's: it waits for the service like everybody.
  const rules = rulesOf({ ...figuresOf(played), backlog: null });
  expect(rules.filter(({ kept }) => !kept)).toEqual([]);
  const { shop, left } = played.record.documents;
  const drained = left.filter((at, n) => shop[n] === 0 && n < played.record.count && at > 65 * 60_000).sort();
  const minutes = ((drained.at(-1) ?? 0) - (drained[0] ?? 0)) / 60_000;
  expect(drained.length).toBeGreaterThanOrEqual(1_200);
  expect(drained.length / minutes).toBeGreaterThan(270);
  expect(played.service.throttled).toBe(0);
});

test('where a third of the answers is lost they are asked for before anything of their key is read back', async () => {
  const backlog = { documents: 400, at: evening.from + 1 };
  const plan = { ...evening, minutes: 4, rest: 12, workers: 4, lostAnswers: 0.3, backlog };
  const played = await play(plan);
  expect(played.record.documents.lost.reduce((sum, lost) => sum + lost, 0)).toBeGreaterThan(100);
  expect(broken(played)).toEqual([]);
});

test('the same seed plays the same day, and its figures are told in a table and in pictures', async () => {
  const short = { ...evening, minutes: 5, rest: 5 };
  const [one, other] = [await play(short), await play(short)];
  const { seconds: _, ...figures } = figuresOf(one);
  expect(figuresOf(other)).toMatchObject(figures);
  expect(toText(figuresOf(one), rulesOf(figuresOf(one)))).toContain(
    'ok   every document is emitted, none twice',
  );
  for (const svg of picturesOf(one).values()) expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test('a rule that is broken is told', async () => {
  const figures = figuresOf(await play({ ...evening, minutes: 2, rest: 3 }));
  const rules = rulesOf({ ...figures, mostOfAKey: 301, emittedTwice: 1 });
  expect(rules.filter(({ kept }) => !kept).map(({ rule }) => rule)).toEqual([
    'no key makes more than 300 requests in any 60 s',
    'every document is emitted, none twice',
  ]);
});
