import { describe, expect, it } from 'vitest';
import { answers } from '../support/crash/answers.ts';
import { documentedMatrix } from '../support/crash/documented.ts';
import { full, liveRow, type Row } from '../support/crash/matrix.ts';
import { hasPostgres } from '../support/servers.ts';

/*
 * A process dies at a boundary of an effect, and its successor ends what was begun as docs/exactly-once.md says. On SQLite
 * each answer is met with one kind and one way of keys, in turn; on PostgreSQL each boundary once, whatever answer leads to
 * it. CRASH_MATRIX=full lives everything with everything on SQLite, and then each row must end in no less than the page says.
 */

const documented = documentedMatrix();
const pairs = (['factura', 'nota-credito'] as const).flatMap((kind) =>
  (['fijo', 'aleatorio'] as const).map((mode) => ({ kind, mode })),
);
const rows: Row[] = answers.flatMap((answer, index) =>
  pairs.filter((_pair, at) => full || at === index % pairs.length).map((pair) => ({ ...pair, answer })),
);

it('the page tells of every answer', () => {
  expect([...documented.keys()]).toEqual(answers.map(({ name }) => name));
});

const timeout = full ? 3_600_000 : 600_000;
const ended = async (row: Row, met?: Set<string>) => {
  const { ends, cells } = await liveRow(row, met);
  return { ends, cells, reported: documented.get(row.answer.name)?.[row.mode] ?? [] };
};

describe('a process that dies anywhere while a document leaves, on SQLite', () => {
  it.each(rows)('a $kind, keys $mode: $answer.name', { timeout }, async (row) => {
    const { ends, cells, reported } = await ended(row);
    expect(cells).toBeGreaterThan(8);
    if (full) expect(ends).toEqual(reported);
    else expect(reported).toEqual(expect.arrayContaining(ends));
  });
});

describe.skipIf(!hasPostgres)('a process that dies at each boundary once, on PostgreSQL', () => {
  const met = new Set<string>();
  it.each(rows)('a $kind, keys $mode: $answer.name', { timeout }, async (row) => {
    const { ends, reported } = await ended(row, met);
    expect(reported).toEqual(expect.arrayContaining(ends));
  });
});
