import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/cli/demo/parts.ts';
import { demoIssuer } from '../src/cli/demo-issuer.ts';
import { secret } from './bodies.ts';

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface Served {
  url: string;
  /** Milliseconds from the spawn to the first ready answer. */
  readyMs: number;
  residentMb(): number;
  stop(): Promise<void>;
}

/** The yardstick server. */
export async function startBaseline(): Promise<Served> {
  const began = performance.now();
  const child = spawn(process.execPath, [here('baseline-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return served(child, `http://127.0.0.1:${line.toString().trim()}`, began, async () => {});
}

/** The built product, as a user starts it, on a fresh SQLite ledger. `web` measures the door alone. */
export async function startProduct(role: 'all' | 'web'): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'facturapuente-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const config = {
    publicUrl: url,
    port,
    accounts: { cuenta: { baseUrl: 'http://127.0.0.1:9', apiKey: 'clave' } },
    issuers: { ejemplo: { account: 'cuenta', ambiente, ...issuer } },
    stores: {
      tienda: {
        platform: 'woocommerce',
        issuer: 'ejemplo',
        series: { establecimiento: '001', puntoEmision: '001' },
        connection: { url: 'http://127.0.0.1:1', webhookSecrets: [secret] },
      },
    },
  };
  const file = join(folder, 'facturapuente.config.json');
  writeFileSync(file, JSON.stringify(config));
  const began = performance.now();
  const args = [
    here('../dist/src/cli/bin.js'),
    'start',
    '--config',
    file,
    '--role',
    role,
    '--host',
    '127.0.0.1',
    '--log-level',
    'error',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`start ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return served(child, url, began, async () => rmSync(folder, { recursive: true, force: true }));
}

export function served(child: ChildProcess, url: string, began: number, clean: () => Promise<void>): Served {
  return {
    url,
    readyMs: performance.now() - began,
    residentMb() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
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
}

/** Runs the load generator in its own process to its end. */
export async function load(
  url: string,
  mode: 'closed' | 'open',
  seconds: number,
  rate = 0,
  firstId = 1,
): Promise<Loaded> {
  const args = [here('load.ts'), url, mode, String(seconds), String(rate), String(firstId)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(child, 'close');
  const loaded = JSON.parse(text) as Loaded;
  if (loaded.failures > 0) throw new Error(`${loaded.failures} requests were not answered with 200.`);
  return loaded;
}
