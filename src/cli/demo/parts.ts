import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** This command line's own entry: TypeScript from the sources, JavaScript from the built package. */
const entry = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../bin.ts' : '../bin.js', import.meta.url),
);

export const randomSecret = (): string => randomBytes(32).toString('hex');

/** A folder for the demo's config and ledger; removed at the end. */
export async function ownFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'facturapuente-demo-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function writeConfig(folder: string, config: unknown): Promise<string> {
  const file = join(folder, 'facturapuente.config.json');
  await writeFile(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}

export interface Part {
  stop(): Promise<void>;
  /** What it wrote to its log so far; for the error when it dies. */
  log(): string;
  exited: Promise<number | null>;
}

/** Starts `facturapuente start` as a process of its own, as a deployment would. */
export function startPart(args: readonly string[]): Part {
  const child: ChildProcess = spawn(process.execPath, [entry, 'start', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    exited,
    log: () => lines.join(''),
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Waits until a process answers that it is ready, or tells why it died. */
export async function ready(url: string, part: Part): Promise<void> {
  let code: number | null | undefined;
  part.exited.then((exit) => {
    code = exit;
  });
  for (let tries = 0; tries < 600; tries += 1) {
    if (code !== undefined) throw new Error(`facturapuente start ended with ${code}:\n${part.log()}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await pause(25);
  }
  throw new Error(`facturapuente start was not ready after 15 s:\n${part.log()}`);
}
