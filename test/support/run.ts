import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { main } from '../../src/cli/main.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What a command finds around it: variables beside the test's own, what it reads, the folder it runs in. */
type Around = [env?: Record<string, string>, input?: string, cwd?: string];

export function environmentWith(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...clean } = process.env;
  return { ...clean, NO_COLOR: '1', ...env };
}

let running: Promise<unknown> = Promise.resolve();

/** Runs the command line to its end in this process, one command after the other. */
export function run(args: readonly string[], ...around: Around): Promise<Ran> {
  const ran = running.then(() => runHere(args, ...around));
  running = ran.catch(() => {});
  return ran;
}

async function runHere(args: readonly string[], ...[env = {}, input = '', cwd]: Around): Promise<Ran> {
  const { stdout, stderr } = process;
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode };
  const [outWrite, errWrite] = [stdout.write, stderr.write];
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  let timer: NodeJS.Timeout | undefined;
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  const writeTo = (stream: 'stdout' | 'stderr') => (text: string | Uint8Array) => {
    ran[stream] += typeof text === 'string' ? text : Buffer.from(text).toString();
    return true;
  };
  stdout.write = writeTo('stdout');
  stderr.write = writeTo('stderr');
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  process.env = environmentWith(env);
  process.exitCode = undefined;
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`facturapuente ${args.join(' ')} did not end: ${ran.stderr}`)),
        75_000,
      );
    });
    return Object.assign(ran, { code: await Promise.race([main(['node', 'facturapuente', ...args]), late]) });
  } finally {
    clearTimeout(timer);
    Object.assign(stdout, { write: outWrite });
    Object.assign(stderr, { write: errWrite });
    if (stdin) Object.defineProperty(process, 'stdin', stdin);
    process.env = before.env;
    process.exitCode = before.exitCode;
    process.chdir(before.cwd);
  }
}

/** Runs the command line as a user would, as a process of its own. */
export function runProcess(
  args: readonly string[],
  ...[env = {}, input = '', cwd = process.cwd()]: Around
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { env: environmentWith(env), cwd });
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
