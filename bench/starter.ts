import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installed } from './installation.ts';
import type { Servers } from './servers.ts';
import type { Tasks } from './tasks.ts';

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A running server. */
export interface Served {
  url: string;
  /** Milliseconds from the start to the first ready answer. */
  readyMs: number;
  residentMb(): number;
  /** Processor time taken so far, of user and system together; steadier than any rate on a busy machine. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** How `facturapuente start` is started; `env` beside this process's own. */
export interface ProductStart {
  role?: 'all' | 'web';
  nodeOptions?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** What a part starts things with. All of them end with it, also when the part fails. */
export interface Starter {
  /** Aborts when the part is over, also by its limit. */
  signal: AbortSignal;
  /** A new folder, removed at the end. */
  folder(): string;
  /** Runs at the end, the last one first. */
  defer(task: () => Promise<void> | void): void;
  server<Name extends keyof Servers>(name: Name, options: Parameters<Servers[Name]>[0]): Promise<Served>;
  /** Runs a task to its end. */
  task<Name extends keyof Tasks>(name: Name, options: Parameters<Tasks[Name]>[0]): ReturnType<Tasks[Name]>;
  /** The built product, as a user starts it. */
  product(installation: Installed, how?: ProductStart): Promise<Served>;
}

/** Waits for a state. Throws when the part is over. */
export async function until<T>(
  { signal }: Pick<Starter, 'signal'>,
  look: () => Promise<T | false | null> | T | false | null,
  everyMs = 5,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const seen = await look();
    if (seen !== false && seen !== null) return seen;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Whether a server answers 200 at a path. */
export async function isReady(url: string): Promise<true | null> {
  const answer = await fetch(url).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok ? true : null;
}

/** What a part leaves to be done at its end. */
export function openEnd(): Pick<Starter, 'defer' | 'folder'> & {
  close(): Promise<void>;
  removeFolders(): void;
} {
  const tasks: (() => Promise<void> | void)[] = [];
  const folders: string[] = [];
  const removeFolders = () => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  };
  return {
    defer: (task) => void tasks.push(task),
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'facturapuente-bench-'));
      folders.push(folder);
      return folder;
    },
    removeFolders,
    async close() {
      const errors: unknown[] = [];
      for (const task of tasks.splice(0).reverse())
        await (async () => task())().catch((error) => errors.push(error));
      removeFolders();
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** Every server and task is a process of its own. `close` kills those that run. */
export function openProcesses(signal: AbortSignal): Starter & { close(): Promise<void> } {
  const end = openEnd();
  const children = new Set<ChildProcess>();
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  const onExit = () => {
    killAll();
    end.removeFolders();
  };
  process.on('exit', onExit);

  function start(file: string, args: readonly string[], { nodeOptions = [], env = {} }: ProductStart = {}) {
    signal.throwIfAborted();
    const child = fork(file, [...args], {
      execArgv: [...nodeOptions],
      env: { ...process.env, ...env },
      // The tables go to stdout alone.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }

  /** The first message of a child; throws if the child ends before. */
  async function answerOf<T>(name: string, child: ChildProcess): Promise<T> {
    const died = ended(child).then(() => {
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}.`);
    });
    const [answer] = await Promise.race([once(child, 'message'), died]);
    return answer as T;
  }

  const startChild = (name: string, options: unknown) =>
    start(here('child.ts'), [name, JSON.stringify(options ?? null)]);

  return {
    ...end,
    signal,
    async server(name, options) {
      const began = performance.now();
      const child = startChild(name, options);
      return served(child, await answerOf<string>(name, child), began);
    },
    task<Name extends keyof Tasks>(name: Name, options: Parameters<Tasks[Name]>[0]) {
      const run = async () => {
        const child = startChild(name, options);
        const answer = await answerOf<unknown>(name, child);
        await ended(child);
        return answer;
      };
      return run() as ReturnType<Tasks[Name]>;
    },
    async product({ file, url }, how = {}) {
      const began = performance.now();
      const flags = [
        '--config',
        file,
        '--role',
        how.role ?? 'all',
        '--host',
        '127.0.0.1',
        '--log-level',
        'error',
      ];
      const child = start(here('../dist/src/cli/bin.js'), ['start', ...flags], how);
      await until({ signal }, () => {
        if (child.exitCode !== null) throw new Error(`start ended with ${child.exitCode}.`);
        return isReady(`${url}/readyz`);
      });
      return served(child, url, began);
    },
    async close() {
      killAll();
      await Promise.all([...children].map(ended));
      process.off('exit', onExit);
      await end.close();
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function served(child: ChildProcess, url: string, began: number): Served {
  return {
    url,
    readyMs: performance.now() - began,
    residentMb() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    cpuMs() {
      // Fields 14 and 15 of proc(5), in ticks of 10 ms; the name before them may hold spaces.
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
    },
  };
}

/** How the image starts the product. */
export function imageOptions(): ProductStart {
  const text = readFileSync(here('../Dockerfile'), 'utf8');
  const entry = JSON.parse([...text.matchAll(/^ENTRYPOINT (.+)$/gm)].at(-1)?.[1] ?? '[]') as string[];
  const env = ([...text.matchAll(/^ENV (.+)$/gm)].at(-1)?.[1] ?? '')
    .split(' ')
    .map((pair) => pair.split('='));
  return { nodeOptions: entry.filter((word) => word.startsWith('--')), env: Object.fromEntries(env) };
}
