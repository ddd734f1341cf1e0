import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSandbox, readTestClock, type Sandbox } from '../sandbox/emulator/index.ts';
import { loadConfig } from '../src/config/load.ts';
import type { Clock } from '../src/domain/clock.ts';
import { parseTestClock, runTestClock } from '../src/domain/clock.ts';
import { silentLog } from '../src/domain/ports.ts';
import { type LedgerReader, openLedgerReader } from '../src/ledger/read.ts';
import { type Installation, planInstallation, writeInstallation } from './installation.ts';
import { type LedgerDisk, openLedgerDisk } from './ledger-disk.ts';
import { openIdleStore } from './operator.ts';
import type { Options } from './options.ts';
import { envOf, type Part, startPart } from './parts.ts';
import { type AnswerProxy, openProxy, type Passing } from './proxy.ts';
import type { ServiceAnswer } from './schedule.ts';
import { openServers, type Servers } from './servers.ts';
import type { TroubledShop } from './shop.ts';
import { openShopify } from './shopify-shop.ts';
import { openWoo } from './woo-shop.ts';

/** Everything that runs when the schedule begins. */
export interface Stage {
  options: Options;
  /** The shared clock. */
  clock: Clock;
  /** Midnight in Ecuador on that clock. */
  midnight: Date;
  sandbox: Sandbox;
  shops: TroubledShop[];
  installation: Installation;
  servers: Servers | null;
  /** Stores whose shop moved. */
  moved: Set<string>;
  /** Between the product and the tax service. */
  service: AnswerProxy;
  disk: LedgerDisk;
  parts: Part[];
  config: string;
  folder: string;
  /** Environment of the product's processes. */
  env: NodeJS.ProcessEnv;
  /** File of a store that is not in the config and sells nothing. */
  idleStore: string;
  /** Stops the product cleanly, runs an action, and starts it with the config of then. */
  restartAround(act: () => Promise<void>): Promise<void>;
  /** The current ledger, read beside the product. */
  look<T>(at: (ledger: LedgerReader) => Promise<T>): Promise<T>;
  /** Moves the shared clock ahead while the product is stopped. */
  skip(ms: number): void;
  /** Sets the error of the product's wall clock, in milliseconds of the shared clock. */
  stepClock(ms: number): void;
  /** @param keep whether to keep the content of the ledger's disk. */
  close(keep?: boolean): Promise<void>;
}

const day = 24 * 3_600_000;
/** Mainland Ecuador is UTC−5 all year round. */
const ecuadorOffset = 5 * 3_600_000;

/** Opens sandbox, shops, servers and the product's processes; a failure closes what was opened before. */
export async function openStage(options: Options, folder: string): Promise<Stage> {
  const closers: ((keep: boolean) => Promise<unknown>)[] = [];
  let closed: Promise<void> | undefined;
  // An interrupt and a failure share one close.
  const close = (keep = true) => {
    closed ??= (async () => {
      for (const end of closers.splice(0).reverse()) await end(keep);
    })();
    return closed;
  };
  try {
    const ownDisk = options.disasters.includes('disk-full');
    const disk = openLedgerDisk(folder, options.embedded ? 'ledger' : 'postgres', ownDisk);
    closers.push((keep) => disk.close(keep));
    const servers = await openServers(options, folder, disk);
    if (servers) closers.push(() => servers.close());
    const now = new Date();
    const midnight = new Date(Math.ceil((now.getTime() - ecuadorOffset) / day) * day + ecuadorOffset);
    const begins = midnight.getTime() - secondsBeforeMidnight(options) * 1000 * options.rate;
    let offset = begins - now.getTime();
    const testClock = () => `anchor=${now.toISOString()},offset=${offset},rate=${options.rate}`;
    const clock = { now: () => runTestClock(parseTestClock(testClock()), { now: () => new Date() }).now() };

    const installation = await planInstallation(options);
    const sandbox = await createSandbox({
      allowLoopbackWebhooks: true,
      accounts: installation.accounts,
      authorizeDelayMs: 60,
      now: readTestClock(testClock()),
    });
    closers.push(() => sandbox.close());
    const service = await openProxy(sandbox.url, serviceAnswer);
    closers.push(() => service.close());
    const shops: TroubledShop[] = [];
    for (const { platform, credentials } of installation.stores) {
      const shop = await (platform === 'shopify' ? openShopify : openWoo)(credentials, clock);
      shops.push(shop);
      closers.push(() => shop.close());
    }
    const { file: idleStore, close: closeIdle } = await openIdleStore(folder, clock);
    closers.push(closeIdle);
    const configure = () =>
      writeInstallation(options, folder, installation, {
        serviceUrl: service.url(),
        shopUrls: shops.map(({ url }) => url()),
        ...{ servers, ledger: disk.directory, testClock: testClock() },
      });
    const config = await configure();
    const wallClock = options.disasters.includes('own-clock') ? join(folder, 'wall-clock') : null;
    const stepClock = (ms: number) => {
      if (wallClock) writeFileSync(wallClock, String(ms / options.rate));
    };
    stepClock(firstStartAhead);
    const env = envOf(wallClock);
    const parts = startParts(config, installation, folder, options, env);
    closers.push(() => Promise.all(parts.map((part) => part.stop())));
    const ready = () => Promise.all(parts.map((part) => part.ready()));
    // With such a wrong clock it starts and releases no job; after the correction it goes on.
    if (wallClock) await Promise.race([ready(), pause(firstStartMs)]);
    stepClock(0);
    await ready();
    // No sale in the same minute; at this speed that is some seconds.
    if (wallClock) await pause(noticeMs);
    function skip(ms: number): void {
      offset += ms;
      sandbox.clock.step(ms);
    }
    async function restartAround(act: () => Promise<void>): Promise<void> {
      await Promise.all(parts.map((part) => part.stop()));
      await act();
      await configure();
      for (const part of parts) part.start();
      await ready();
    }
    async function look<T>(at: (ledger: LedgerReader) => Promise<T>): Promise<T> {
      const reader = openLedgerReader(
        (await loadConfig({ path: config, cwd: process.cwd(), env: {} })).ledger,
        silentLog,
      );
      try {
        return await at(reader);
      } finally {
        await reader.close();
      }
    }
    return {
      ...{ options, clock, midnight, sandbox, shops, installation, servers, service, disk, parts, config },
      ...{ folder, env, idleStore, moved: new Set<string>(), restartAround, look, skip, stepClock, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How far ahead the product's clock is at its first start. */
const firstStartAhead = 26 * 3_600_000;
/** How long it stays wrong, in real time. */
const firstStartMs = 8_000;
/** How long a step back may go unnoticed. */
const noticeMs = 6_000;

/** The service's answers that a cache or two mixed-up connections could confuse. */
function serviceAnswer({ method, path }: Passing): ServiceAnswer | null {
  if (method === 'POST') return path.endsWith('/emision') ? 'emission' : null;
  const [, what] = /^\/api\/comprobante\/(consulta|xml|pdf)\//.exec(path) ?? [];
  return what === 'consulta' ? 'status' : ((what as 'xml' | 'pdf' | undefined) ?? null);
}

/** Real seconds for the first half of the schedule; an early run waits, a late one reaches midnight sooner. */
const secondsBeforeMidnight = ({ orders, kills }: Options): number => 4 + orders * 0.03 + kills * 0.5;

function startParts(
  config: string,
  { endpoints }: Installation,
  folder: string,
  { embedded }: Options,
  env: NodeJS.ProcessEnv,
): Part[] {
  const common = ['--config', config, '--host', '127.0.0.1', '--log-level', 'info'];
  if (embedded) return [startPart('start', common, folder, env)];
  const webs = endpoints.map((endpoint, at) =>
    startPart(`web-${at + 1}`, [...common, '--role', 'web', '--port', new URL(endpoint).port], folder, env),
  );
  const workers = [1, 2].map((at) => startPart(`worker-${at}`, [...common, '--role', 'worker'], folder, env));
  return [...webs, ...workers];
}
