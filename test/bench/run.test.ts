import { expect, test } from 'vitest';
import { isMet, line, row } from '../../bench/line.ts';
import { type Part, runParts } from '../../bench/parts.ts';
import { openStub } from '../../bench/servers.ts';
import { imageOptions, openProcesses, type Served, type Starter, until } from '../../bench/starter.ts';
import { eventually } from '../support/eventually.ts';
import { openInProcess } from './in-process.ts';

const part = (name: string, run: Part['run'], limitSeconds = 60): Part => ({
  ...{ name, title: `Part ${name}`, limitSeconds, run },
});
const met = async () => [line('a rate', '', [3, 1, 2], { atLeast: 2 })];

async function printed(
  parts: readonly Part[],
  open = openInProcess,
): Promise<{ good: boolean; text: string }> {
  const texts: string[] = [];
  const good = await runParts(parts, open, (text) => void texts.push(text));
  return { good, text: texts.join('\n') };
}

test('a part that fails is named, and the parts before and after it print their lines', async () => {
  const fails = () => Promise.reject(new Error('the disk is full'));
  const { good, text } = await printed([part('one', met), part('two', fails), part('three', met)]);
  expect(good).toBe(false);
  expect(text.match(/^(## Part \w+|\| a rate.*|The part.*)/gm)).toEqual([
    '## Part one',
    '| a rate | 2 (1..3) | ≥ 2 | met |',
    'The part two failed: the disk is full',
    '## Part three',
    '| a rate | 2 (1..3) | ≥ 2 | met |',
  ]);
});

test('a part that waits without an end fails at its limit, and what it waits with ends', async () => {
  let seen: Error | undefined;
  const waits = async (start: Starter) => {
    await until(start, () => false).catch((error) => {
      seen = error;
    });
    return new Promise<never>(() => {});
  };
  const { good, text } = await printed([part('waits', waits, 0.05), part('next', met)]);
  expect(good).toBe(false);
  expect(text).toContain('The part waits failed: it took longer than 0.05 s.');
  expect(text).toContain('## Part next');
  expect(await eventually(() => seen, 'the wait to end')).toMatchObject({
    message: 'The part waits is over.',
  });
});

test('what cannot be cleaned up is named, and the next part runs', async () => {
  const leaves = async (start: Starter) => {
    start.defer(() => Promise.reject(new Error('the database is gone')));
    return met();
  };
  const { good, text } = await printed([part('leaves', leaves), part('next', met)]);
  expect(good).toBe(false);
  expect(text).toContain('The part leaves failed: the database is gone');
  expect(text).toContain('## Part next');
});

test('a run is good where every part ends and meets its goals', async () => {
  const missed = async () => [line('a rate', '', [1], { atLeast: 2 })];
  expect(await printed([part('one', met)])).toMatchObject({ good: true });
  expect(await printed([part('one', missed), part('two', met)])).toMatchObject({ good: false });
});

test('what a failing part has started ends with it: servers, folders, and all that it starts later', async () => {
  const seen: { server?: Served; start?: Starter; pong?: unknown } = {};
  const { text } = await printed(
    [
      part('fails', async (start) => {
        const server = await start.server('stub', undefined);
        const answer = await fetch(`${server.url}/api/ping`, { method: 'POST' });
        Object.assign(seen, { server, start, pong: await answer.json() });
        expect(server.residentMb()).toBeGreaterThan(10);
        throw new Error('in vain');
      }),
    ],
    openProcesses,
  );
  expect(text).toBe('\nThe part fails failed: in vain');
  expect(seen.pong).toEqual({ pong: true });
  expect(() => seen.server?.cpuMs()).toThrow('ENOENT');
  await expect(fetch(`${seen.server?.url}/count`)).rejects.toThrow();
  await expect(seen.start?.server('stub', undefined)).rejects.toThrow('The part fails is over.');
});

test('the stub answers what is no emission like a ping, also without a body', async () => {
  const { url, close } = await openStub();
  const answer = await fetch(`${url}/api/ping`, { method: 'POST' });
  expect(await answer.json()).toEqual({ pong: true });
  expect(await (await fetch(`${url}/count`)).json()).toBe(0);
  await close();
});

test('the options of the image are those of the product, not of the sandbox', () => {
  const { nodeOptions, env } = imageOptions();
  expect(nodeOptions).toEqual(['--max-semi-space-size=8', '--heap-growing-percent=30']);
  expect(env).toMatchObject({ NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' });
});

test.each([
  [line('Rate', '', [7311.6]), '| Rate | 7,312 | | |'],
  [line('Time', 'ms', [9.5, 0.1, 12], { atMost: 25 }), '| Time | 9.5 ms (0.1..12) | ≤ 25 ms | met |'],
  [line('Ratio', '', [0.931], { atLeast: 0.95 }), '| Ratio | 0.93 | ≥ 0.95 | missed |'],
])('a line is written as a row of the docs: %#', (one, text) => {
  expect(row(one).replaceAll(/\| +(?=\|)/g, '| ')).toBe(text);
});

test('a figure that could not be measured meets no goal', () => {
  expect(isMet(line('Time', 'ms', [], { atMost: 25 }))).toBe(false);
});
