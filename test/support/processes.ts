import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

/** A process starts in two seconds; where many do others wait. */
export const startsWithinMs = 45_000;

/** One process of `facturapuente start`. */
export interface Running {
  pid: number;
  /** Throws what it said when it ended by itself. */
  alive(): void;
  /** Resolves when it says that it is ready. */
  ready(): Promise<void>;
  /** Resolves to its exit code once it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the product as a deploy would: processes of their own, which share a config file. */
export function openProcesses(file: string, env: Record<string, string> = {}) {
  const lines: string[] = [];

  function launch(role: string, port?: number): Running {
    const at = port === undefined ? [] : ['--port', String(port)];
    const args = [bin, 'start', '--config', file, '--host', '127.0.0.1', '--role', role, ...at];
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child: ChildProcess = spawn(process.execPath, args, { stdio, env: { ...process.env, ...env } });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        lines.push(text);
        said += text;
      });
    const alive = () => {
      if (child.exitCode !== null) throw new Error(`start ended with ${child.exitCode}:\n${said}`);
    };
    return {
      pid: child.pid ?? 0,
      alive,
      async ready() {
        const isReady = () => {
          alive();
          return said.includes('facturapuente is ready');
        };
        await eventually(isReady, 'start to say that it is ready', startsWithinMs);
      },
      async end(signal) {
        if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
        const exit = once(child, 'exit');
        child.kill(signal);
        return (await exit)[0] as number | null;
      },
    };
  }

  return { launch, log: () => lines.join('') };
}
