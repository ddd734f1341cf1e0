import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readOptions as readBench } from '../../bench/options.ts';
import { readOptions as readChaos } from '../../chaos/options.ts';
import { readOptions as readFuzz } from '../security/fuzz/options.ts';

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

test('npm run bench -- --help prints its use with every option, and starts nothing', async () => {
  const { code, out, err } = await tool('bench', ['--help']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const parts = 'endpoint, mapping, dispatch, memory, sandbox, grown';
  for (const word of ['Usage: npm run bench -- [options]', '--only', `Parts: ${parts}`])
    expect(out).toContain(word);
});

test.each([
  ['chaos', ['--bogus'], "error: unknown option '--bogus'", 'npm run chaos -- --help'],
  ['fuzz', ['--requests', '0'], '--requests 0: give a whole number from 1.', ''],
])('npm run %s -- %j is refused with a sentence, 2 and no stack', async (name, args, sentence, hint) => {
  const { code, out, err } = await tool(name, args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(sentence);
  expect(err).toContain(hint);
  expect(err).not.toMatch(/^ +at /m);
});

const benchOptions = (args: string[]) => readBench(args, ['mapping', 'endpoint']);

test.each([
  ['bench', benchOptions, ['--bogus'], "unknown option '--bogus'"],
  ['bench', benchOptions, ['--only', 'endpoint,dor'], "There is no part 'dor', only mapping, endpoint"],
  ['bench', benchOptions, ['--only', ''], "There is no part '', only mapping, endpoint"],
  ['bench', benchOptions, ['memory'], 'too many arguments'],
  ['chaos', readChaos, ['--orders', 'many'], '--orders many: give a whole number from 1.'],
  ['fuzz', readFuzz, ['--bogus'], "unknown option '--bogus'"],
])('%s refuses %j', (_name, read: (args: string[]) => unknown, args, sentence) => {
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  expect(() => read(args)).toThrow(sentence);
});

test.each([
  ['chaos', readChaos, ['--orders', '--refunds', '--kills', '--seed', '--rate', '--embedded', '--keep']],
  ['fuzz', readFuzz, ['--requests', '--seed']],
])('%s tells its options', (name, read: (args: string[]) => unknown, words) => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  expect(() => read(['--help'])).toThrow('outputHelp');
  const out = printed.mock.calls.join('');
  for (const word of [`Usage: npm run ${name} -- [options]`, ...words]) expect(out).toContain(word);
});

test('what bench measures is what was asked for', () => {
  expect(benchOptions(['--only', 'endpoint'])).toEqual(['endpoint']);
  expect(benchOptions([])).toEqual(['mapping', 'endpoint']);
});
