import { describe, expect, it } from 'vitest';
import { sampled, seed, whole } from '../support/chance.ts';
import { answers } from '../support/crash/answers.ts';
import { documentedMatrix } from '../support/crash/documented.ts';
import { liveRow, type Row } from '../support/crash/matrix.ts';
import { hasPostgres } from '../support/servers.ts';

/*
 * A process dies at a boundary of an effect, and its successor ends what was begun as docs/exactly-once.md says. Each answer
 * is met with one kind and one way of keys, in turn, on PostgreSQL one in three; and each boundary once, whatever answer
 * leads to it. `npm run test:long` lives everything with everything on SQLite, and then each row must end in no less than
 * the page says.
 */

const documented = documentedMatrix();
const pairs = (['factura', 'nota-credito'] as const).flatMap((kind) =>
  (['fijo', 'aleatorio'] as const).map((mode) => ({ kind, mode })),
);
const rows: Row[] = answers.flatMap((answer, index) =>
  pairs
    .filter((_pair, at) => whole || at === (index + seed) % pairs.length)
    .map((pair) => ({ ...pair, answer })),
);

it('the page tells of every answer', () => {
  expect([...documented.keys()]).toEqual(answers.map(({ name }) => name));
});

const reported = ({ answer, mode }: Row) => documented.get(answer.name)?.[mode] ?? [];

describe('a process that dies anywhere while a document leaves, on SQLite', () => {
  const run = { onPostgres: false, met: new Set<string>(), again: 0 };
  it.each(rows)('a $kind, keys $mode: $answer.name', async (row) => {
    const { ends, cells } = await liveRow(row, run);
    if (!whole) return expect(reported(row)).toEqual(expect.arrayContaining(ends));
    expect(cells).toBeGreaterThan(8);
    expect(ends).toEqual(reported(row));
  });

  it.skipIf(whole)('has died at every boundary there is', () => {
    expect(run.met.size).toBeGreaterThan(50);
  });
});

describe.skipIf(!hasPostgres)('a process that dies at each boundary once, on PostgreSQL', () => {
  const run = { onPostgres: true, met: new Set<string>(), again: 0 };
  it.each(sampled(rows, 3))('a $kind, keys $mode: $answer.name', async (row) => {
    const { ends } = await liveRow(row, run);
    expect(reported(row)).toEqual(expect.arrayContaining(ends));
  });
});
