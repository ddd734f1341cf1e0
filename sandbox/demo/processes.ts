import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

export type Part = ReturnType<typeof startPart>;

/** Runs `facturapuente start` as its own process. */
export function startPart(entry: string, args: readonly string[]) {
  const child = spawn(process.execPath, [entry, 'start', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    exited,
    /** What it logged so far. */
    log: () => lines.join(''),
    async stop(): Promise<void> {
      if (child.exitCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Waits until a process is ready; throws with its log where it ends before. */
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
