import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/cli/demo/run.ts';
import { taxPolicy } from '../src/cli/demo/woocommerce-orders.ts';
import { demoIssuer } from '../src/cli/own-ledger.ts';
import { secret } from './bodies.ts';

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface Served {
  url: string;
  /** Milliseconds from the spawn to the first ready answer. */
  readyMs: number;
  residentMb(): number;
  /** Processor time taken so far, of user and system together; steadier than any rate on a busy machine. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** The baseline server. */
export async function startBaseline(): Promise<Served> {
  return startChild('baseline-server.ts', []);
}

/** A server of this folder, which prints its port. */
export async function startChild(script: string, args: readonly string[]): Promise<Served> {
  const began = performance.now();
  const child = spawn(process.execPath, [here(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return served(child, `http://127.0.0.1:${line.toString().trim()}`, began, async () => {});
}

/** The JSON that a script of this folder prints at its end. */
export async function runScript<T>(script: string, args: readonly string[]): Promise<T> {
  const child = spawn(process.execPath, [here(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} ended with ${code ?? signal}.`);
  return JSON.parse(text) as T;
}

/**
 * The built product, as a user starts it, on a fresh SQLite ledger by default. `web` measures the endpoint alone.
 */
export async function startProduct(
  role: 'all' | 'web',
  more: { ledger?: { url: string } | { directory: string } } & NodeStart = {},
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'facturapuente-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const config = {
    publicUrl: url,
    port,
    secret: 'un-secreto-de-al-menos-32-caracteres-para-medir',
    ...(more.ledger ? { ledger: more.ledger } : {}),
    accounts: { cuenta: { baseUrl: 'http://127.0.0.1:9', apiKey: 'clave' } },
    issuers: { ejemplo: { account: 'cuenta', ambiente, ...issuer } },
    stores: {
      tienda: {
        platform: 'woocommerce',
        issuer: 'ejemplo',
        series: { establecimiento: '001', puntoEmision: '001' },
        policy: { tax: taxPolicy },
        connection: { url: 'http://127.0.0.1:1', webhookSecrets: [secret], apiAccess: false },
      },
    },
  };
  const file = join(folder, 'facturapuente.config.json');
  writeFileSync(file, JSON.stringify(config));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return startInstalled({ file, url, remove }, role, more);
}

/** How Node is started; `env` beside this process's own. */
export interface NodeStart {
  nodeOptions?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** How the image does it. */
export function imageOptions(): NodeStart {
  const text = readFileSync(here('../Dockerfile'), 'utf8');
  const entry = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(text)?.[1] ?? '[]') as string[];
  const pairs = (/^ENV (.+)$/m.exec(text)?.[1] ?? '').split(' ').map((pair) => pair.split('='));
  return { nodeOptions: entry.filter((word) => word.startsWith('--')), env: Object.fromEntries(pairs) };
}

/** `start` of the built product on a config file; the installation is removed when it stops. */
export async function startInstalled(
  { file, url, remove }: { file: string; url: string; remove(): void },
  role: 'all' | 'web' = 'all',
  { env = {}, nodeOptions = [] }: NodeStart = {},
): Promise<Served> {
  const began = performance.now();
  const bin = here('../dist/src/cli/bin.js');
  const flags = ['--config', file, '--role', role, '--host', '127.0.0.1', '--log-level', 'error'];
  const child = spawn(process.execPath, [...nodeOptions, bin, 'start', ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`start ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return served(child, url, began, async () => remove());
}

export function served(child: ChildProcess, url: string, began: number, clean: () => Promise<void>): Served {
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
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      await clean();
    },
  };
}

export interface Loaded {
  perSecond: number;
  p50: number;
  p99: number;
  failures: number;
  next: number;
  /** Until the last answer, in milliseconds. */
  lastedMs: number;
}

/** Runs the load generator in its own process to its end. */
export async function load(
  url: string,
  mode: 'closed' | 'open' | 'burst',
  seconds: number,
  rate = 0,
  firstId = 1,
): Promise<Loaded> {
  const args = [url, mode, String(seconds), String(rate), String(firstId)];
  const loaded = await runScript<Loaded>('load.ts', args);
  if (loaded.failures > 0) throw new Error(`${loaded.failures} requests were not answered with 200.`);
  return loaded;
}
