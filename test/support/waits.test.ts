import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A pause in a test is time that passes on every run, and too short on a busy machine: it waits for a state instead. */
const mostMs = 20;

/** What a test waits for without a state: a timer that only goes on, or a page that only waits. */
const pauses = [
  /setTimeout\(\s*(?:resolve|done|ready|gate\.resolve|\(\) => resolve\(\))\s*,\s*([\w.]+)/g,
  /waitForTimeout\(\s*([\w.]+)/g,
  /from '(node:timers\/promises)'/g,
];
/** The clock of tests of the queue, which runs as fast as the machine. */
const allowed = ['test/support/waits.test.ts', 'test/queue/patient-clock.ts'];

function longPausesOf(text: string): string[] {
  return pauses.flatMap((pattern) =>
    [...text.matchAll(pattern)]
      .filter(([, ms = '']) => !(Number(ms.replaceAll('_', '')) <= mostMs))
      .map(([found]) => found),
  );
}

test('no test waits for time to pass', () => {
  const files = globSync('test/**/*.ts').filter((file) => !allowed.includes(file));
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.flatMap((file) => longPausesOf(readFileSync(file, 'utf8')).map((one) => `${file}: ${one}`)),
  ).toEqual([]);
});

test.each([
  'await new Promise((resolve) => setTimeout(resolve, 300));',
  'setTimeout(gate.resolve, patience)',
  "import { setTimeout as pause } from 'node:timers/promises';",
  'await page.waitForTimeout(500)',
])('%s is one', (text) => {
  expect(longPausesOf(text)).toHaveLength(1);
});
