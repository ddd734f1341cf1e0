import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../src/domain/clock.ts';
import type { DocumentState } from '../src/domain/document.ts';
import { type StorePlan, toStore } from './installation.ts';
import type { Options } from './options.ts';
import { openRandom } from './random.ts';
import type { Placed } from './schedule.ts';
import type { Sold } from './sold.ts';
import type { Stage } from './stage.ts';
import { openWoo } from './woo-shop.ts';

const bin = fileURLToPath(new URL('../src/cli/bin.ts', import.meta.url));

/** A command of the operator; `pick`, from 0 and below 1, chooses the document, order or store when it runs. */
export interface OperatorCommand {
  name: (typeof deck)[number];
  pick: number;
}

const deck = [
  ...(['retry', 'retry', 'retry', 'retry-authorized', 'sync', 'sync-all'] as const),
  ...(['documents', 'explain', 'alerts', 'store-add', 'store-remove'] as const),
];

/** 10 to 30 commands at random places, each of the deck before any repeats. */
export function drawCommands({ seed, orders }: Pick<Options, 'seed' | 'orders'>, length: number): Placed[] {
  const random = openRandom(seed, 'operator');
  let left: OperatorCommand['name'][] = [];
  return Array.from({ length: Math.min(30, 10 + Math.floor(orders / 15)) }, () => {
    if (left.length === 0) left = [...deck];
    const [name = 'alerts'] = left.splice(random.below(left.length), 1);
    const command: OperatorCommand = { name, pick: random.next() };
    return { at: random.below(length), happening: { what: 'command', command } };
  });
}

const idle: StorePlan = {
  id: 'tienda-sin-ventas',
  platform: 'woocommerce',
  account: 'cuenta-1',
  ruc: '',
  puntoEmision: '003',
  credentials: {
    secret: 'secreto-de-la-tienda-sin-ventas-0123456789abcdef',
    consumerKey: 'ck_sin_ventas',
    consumerSecret: 'cs_sin_ventas',
    accessToken: '',
    domain: '',
  },
};

/** A shop that sells nothing; `file` is what `store add` takes. */
export async function openIdleStore(
  folder: string,
  clock: Clock,
): Promise<{ file: string; close(): Promise<void> }> {
  const shop = await openWoo(idle.credentials, clock);
  const file = join(folder, `${idle.id}.json`);
  const store = { ...toStore(idle, shop.url()), invoiceFrom: '2026-01-01' };
  await writeFile(file, JSON.stringify({ stores: { [idle.id]: store } }));
  return { file, close: shop.close };
}

/** A person who runs commands of the product beside it, while disasters go on. */
export interface Operator {
  /** Starts a command, and waits for nothing. */
  run(command: OperatorCommand, sold: readonly Sold[]): void;
  /** Resolves when no command runs: before the ledger's files or the shared clock are replaced. */
  done(): Promise<void>;
  /** `refused`: ended with a sentence and without success. */
  counts(): { ran: number; refused: number };
  defects: readonly string[];
}

const waiting: readonly DocumentState[] = ['held', 'manual', 'rejected'];

export function openOperator({ config, env, folder, idleStore, installation, look }: Stage): Operator {
  const running = new Set<Promise<void>>();
  const defects: string[] = [];
  const counts = { ran: 0, refused: 0 };

  /** Any document where none has such a state; without documents or a reachable ledger a number that does not exist. */
  async function documentOf(states: readonly DocumentState[], pick: number): Promise<string> {
    const documents = await look((ledger) => ledger.documents.list({ limit: 10_000 })).catch(() => []);
    const these = documents.filter(({ state }) => states.includes(state));
    return picked(these.length > 0 ? these : documents, pick)?.id ?? '001-001-999999999';
  }

  async function argsOf({ name, pick }: OperatorCommand, sold: readonly Sold[]): Promise<string[]> {
    switch (name) {
      case 'retry':
        return ['retry', await documentOf(waiting, pick)];
      case 'retry-authorized':
        return ['retry', await documentOf(['authorized'], pick)];
      case 'sync':
        return ['sync', '--store', picked(installation.stores, pick)?.id ?? ''];
      case 'sync-all':
        return ['sync'];
      case 'documents':
        return ['documents', '--json'];
      case 'explain': {
        const order = picked(sold, pick);
        return ['explain', '--json', ...(order ? ['--store', order.storeId, order.name] : ['1'])];
      }
      case 'alerts':
        return ['alerts'];
      case 'store-add':
        return ['store', 'add', idleStore];
      case 'store-remove':
        return ['store', 'remove', idle.id];
    }
  }

  async function act(command: OperatorCommand, sold: readonly Sold[]): Promise<void> {
    const args = await argsOf(command, sold);
    const began = performance.now();
    const ended = await runCommand([...args, '--config', config], env);
    const defect = defectOf(ended, args.includes('--json'));
    counts.ran += 1;
    if (defect !== null) defects.push(`${args.join(' ')}: ${defect}`);
    else if (ended.code !== 0) counts.refused += 1;
    const said = ended.code === 0 ? '' : ended.stderr || ended.stdout;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    // Not *.log: those are searched for failed writes of the product.
    appendFileSync(join(folder, 'operator.txt'), `${args.join(' ')}: ${ended.code}, ${seconds} s\n${said}`);
  }

  return {
    run(command, sold) {
      const one = act(command, sold).finally(() => running.delete(one));
      running.add(one);
    },
    async done() {
      await Promise.all(running);
    },
    counts: () => counts,
    defects,
  };
}

const picked = <T>(from: readonly T[], pick: number): T | undefined => from[Math.floor(pick * from.length)];

export interface Ended {
  /** Null: it was killed because it hung. */
  code: number | null;
  stdout: string;
  stderr: string;
}

const longestMs = 30_000;

function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const limits = { timeout: longestMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args], { ...limits, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** What no command may do, whatever happens around it; null: it succeeded, or said why it did not. */
export function defectOf({ code, stdout, stderr }: Ended, json: boolean): string | null {
  if (code === null) return `did not end within ${longestMs / 1000} s`;
  if (/^\s+at .+:\d+/m.test(stderr + stdout)) return `a stack trace: ${stderr}`;
  if (code > 2) return `ended with ${code}: ${stderr}`;
  if (code !== 0) return (stderr + stdout).trim() === '' ? `ended with ${code} and no word` : null;
  return json && !isJson(stdout) ? `no JSON: ${stdout.slice(0, 200)}` : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
