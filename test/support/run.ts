import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line as a user would, to its end; `input` is what it reads, `cwd` the folder it runs in. */
export function run(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
  cwd = process.cwd(),
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { DATABASE_URL: _database, REDIS_URL: _redis, ...clean } = process.env;
    const child = spawn(process.execPath, [bin, ...args], { env: { ...clean, NO_COLOR: '1', ...env }, cwd });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.on('error', () => {}).end(input);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
