import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { dispatch } from '../../bench/dispatch.ts';
import { endpoint } from '../../bench/endpoint.ts';
import { grown } from '../../bench/grown.ts';
import type { Line } from '../../bench/line.ts';
import { mapping } from '../../bench/mapping.ts';
import { memory } from '../../bench/memory.ts';
import { parts } from '../../bench/parts.ts';
import { sandbox } from '../../bench/sandbox.ts';
import type { Starter } from '../../bench/starter.ts';
import { openInProcess } from './in-process.ts';

const short = { rounds: 1, seconds: 0.05, warmUpSeconds: 0 };

/** Every part with the smallest amounts that take each of its steps. */
const small: Record<string, (start: Starter) => Promise<Line[]>> = {
  endpoint: (start) => endpoint(start, { ...short, burst: 5, perSecond: 100 }),
  mapping: (start) => mapping(start, { rounds: 2, warmUp: 1, series: 3, calls: 2 }),
  dispatch: (start) =>
    dispatch(start, { backlog: 20, firstBurst: 2, ms: 50, small: 2, pauseMs: 1, rounds: 1, documents: 50 }),
  memory: (start) => memory(start, { inImage: 10, byDefault: 10, keys: 2, jobs: 5 }),
  sandbox: (start) => sandbox(start, { emissions: 20, seconds: 0.2 }),
  grown: (start) => grown(start, { ...short, rounds: 2, documents: 1_000, sent: 100, times: 1 }),
};

const read = (page: string) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');

/** The rows with a figure (– until it is measured) of a page, or of its section with a title: name and figure. */
function rowsOf(page: string, title?: string): [name: string, figure: string][] {
  const section =
    title &&
    read(page)
      .split(/^## /m)
      .find((one) => one.startsWith(`${title}\n`));
  return [...(section ?? read(page)).matchAll(/^\| (.+?) \| (\d[^|]*?|–) \|/gm)].map(
    ([, name = '', figure = '']) => [name, figure],
  );
}

test.each(parts)(
  'the part $name ends, and its lines are the rows of docs/performance.md',
  async ({ name, title }) => {
    const skipped = vi.spyOn(console, 'error').mockReturnValue();
    const over = new AbortController();
    const start = openInProcess(over.signal);
    try {
      const lines = await small[name]?.(start);
      expect(lines).toBeDefined();
      for (const { line, min, median, max } of lines ?? [])
        expect.soft([min, median, max].every(Number.isFinite), `${line}: ${min} ${median} ${max}`).toBe(true);
      const names = lines?.map(({ line }) => line) ?? [];
      const documented = rowsOf('docs/performance.md', title).map(([row]) => row);
      expect(documented).toEqual(skipped.mock.calls.length === 0 ? names : expect.arrayContaining(names));
    } finally {
      over.abort();
      await start.close();
      skipped.mockRestore();
    }
  },
);

test('docs/performance.md has a table of each part and no other figures', () => {
  const tables = parts.flatMap(({ title }) => rowsOf('docs/performance.md', title));
  expect(rowsOf('docs/performance.md')).toEqual(tables);
});
