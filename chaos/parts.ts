import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../src/cli/bin.ts', import.meta.url));

/** One process of the product, which is killed and restarted. */
export interface Part {
  name: string;
  /** Resolves when the process that runs now is ready; rejects after a minute. */
  ready(): Promise<void>;
  /** kill -9 once it is ready (or at once if it cannot become ready), and an immediate restart. */
  kill(atOnce?: boolean): Promise<void>;
  /** kill -9, until `start`. */
  crash(): Promise<void>;
  /** A clean stop, until `start`. */
  stop(): Promise<void>;
  start(): void;
  /** How often it ended by itself. */
  collapses(): number;
}

const preload = new URL('./wall-clock.mjs', import.meta.url).href;

/**
 * Keeps the compile cache across kills. DATABASE_URL and the like must not reach the product.
 * @param wallClock the file with the error of its clock; null: the machine's clock.
 */
export const envOf = (wallClock: string | null) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
  ...(wallClock === null ? {} : { CHAOS_WALL_CLOCK: wallClock, NODE_OPTIONS: `--import ${preload}` }),
});

/** Milliseconds before a process that cannot start (a server is down) is started again. */
const again = 300;

/** Starts `facturapuente start` with these arguments; what it logs goes to `<folder>/<name>.log`. */
export function startPart(
  name: string,
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Part {
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
    const until = performance.now() + 300_000;
    while (!isReady) {
      if (performance.now() > until)
        throw new Error(`${name} was not ready within five minutes; see ${name}.log.`);
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
    crash: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
    },
    collapses: () => collapses,
  };
}
