import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../src/cli/bin.ts', import.meta.url));

/** One process of the product, which dies and comes back. */
export interface Part {
  name: string;
  /** Resolves when the process that runs now is ready; rejects after a minute. */
  ready(): Promise<void>;
  /** kill -9, once it is ready unless it cannot be now, and a new one in its place at once. */
  kill(atOnce?: boolean): Promise<void>;
  /** An orderly stop, for good until `start`. */
  stop(): Promise<void>;
  start(): void;
  /** How often it ended without being told to. */
  collapses(): number;
}

const preload = new URL('./wall-clock.mjs', import.meta.url).href;

/** What was compiled once is not compiled again after every kill. DATABASE_URL and the like must not reach the product. */
const envOf = (wallClock: string | null) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
  ...(wallClock === null ? {} : { CHAOS_WALL_CLOCK: wallClock, NODE_OPTIONS: `--import ${preload}` }),
});

/** A new process that cannot come up (a server is away) is started again after so many milliseconds. */
const again = 300;

/**
 * Starts `facturapuente start` with these arguments; what it logs goes to `<folder>/<name>.log`.
 * @param wallClock the file that says how wrong its clock is; null leaves it the machine's.
 */
export function startPart(
  name: string,
  args: readonly string[],
  folder: string,
  wallClock: string | null,
): Part {
  const env = envOf(wallClock);
  const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
  let child: ChildProcess | undefined;
  let isReady = false;
  let wanted = false;
  let collapses = 0;

  function start(): void {
    wanted = true;
    isReady = false;
    const mine = spawn(process.execPath, [bin, 'start', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    child = mine;
    for (const stream of [mine.stdout, mine.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log.write(text);
        if (child === mine && text.includes('facturapuente is ready')) isReady = true;
      });
    }
    mine.once('exit', () => {
      if (child !== mine || !wanted) return;
      isReady = false;
      collapses += 1;
      setTimeout(() => wanted && child === mine && start(), again);
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    wanted = false;
    const mine = child;
    if (!mine || mine.exitCode !== null || mine.signalCode !== null) return;
    const exited = once(mine, 'exit');
    mine.kill(signal);
    await exited;
  }

  async function ready(): Promise<void> {
    const until = performance.now() + 60_000;
    while (!isReady) {
      if (performance.now() > until)
        throw new Error(`${name} was not ready within a minute; see ${name}.log.`);
      await pause(10);
    }
  }

  start();
  return {
    name,
    ready,
    start,
    async kill(atOnce = false) {
      if (!atOnce) await ready();
      await end('SIGKILL');
      start();
    },
    async stop() {
      await end('SIGTERM');
    },
    collapses: () => collapses,
  };
}
