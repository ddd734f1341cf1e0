import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  scripts: Record<string, string>;
};

/** What `npm run NAME -- ARGS` runs, to its end; what starts to measure instead is stopped with the test. */
function tool(name: string, args: readonly string[]) {
  const entry = /^node (\S+\.ts)$/.exec(scripts[name] ?? '')?.[1];
  if (entry === undefined) throw new Error(`npm run ${name} runs no script of this repository.`);
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...args], { cwd: root });
    onTestFinished(() => void child.kill('SIGTERM'));
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, out, err }));
  });
}

/** What the usage of each contains. */
const reported: Record<string, string[]> = {
  bench: [
    '--only',
    '--json',
    'Parts: mapping, endpoint, open-loop, slow-disk, grown, dispatch, memory, panel',
  ],
  chaos: ['--orders', '--refunds', '--kills', '--seed', '--rate', '--embedded', '--keep'],
  fuzz: ['--requests', '--seed'],
};

describe.each(Object.keys(reported))('npm run %s', (name) => {
  test('--help prints its use with every option, and starts nothing', async () => {
    const { code, out, err } = await tool(name, ['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: npm run ${name} -- [options]`);
    for (const word of reported[name] ?? []) expect(out).toContain(word);
  });

  test('an unknown option is refused with a sentence, 2 and no stack', async () => {
    const { code, out, err } = await tool(name, ['--bogus']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: unknown option '--bogus'/);
    expect(err).toContain(`npm run ${name} -- --help`);
    expect(err).not.toMatch(/^ +at /m);
  });
});

test.each([
  ['bench', ['--only', 'endpoint,dor'], "There is no part 'dor', only mapping, endpoint, open-loop"],
  ['bench', ['--only', ''], "There is no part '', only mapping, endpoint, open-loop"],
  ['bench', ['memory'], 'too many arguments'],
  ['chaos', ['--orders', 'many'], '--orders many: give a whole number from 1.'],
  ['fuzz', ['--requests', '0'], '--requests 0: give a whole number from 1.'],
])('npm run %s -- %j is refused in a sentence', async (name, args, sentence) => {
  const { code, err } = await tool(name, args);
  expect(code).toBe(2);
  expect(err).toContain(sentence);
  expect(err).not.toMatch(/^ +at /m);
});
