import type { Clock } from '../src/core/clock.ts';
import { parseTestClock, runTestClock } from '../src/core/clock.ts';
import { createSandbox, readTestClock, type Sandbox } from '../src/sandbox/index.ts';
import { type Installation, planInstallation, writeInstallation } from './installation.ts';
import type { Options } from './options.ts';
import { type Part, startPart } from './parts.ts';
import { openServers, type Servers } from './servers.ts';
import type { TroubledShop } from './shop.ts';
import { openShopify } from './shopify-shop.ts';
import { openWoo } from './woo-shop.ts';

/** Everything that stands when the run begins. */
export interface Stage {
  options: Options;
  /** The time all of them live in. */
  clock: Clock;
  /** The instant the day changes in Ecuador, in that time. */
  midnight: Date;
  sandbox: Sandbox;
  shops: TroubledShop[];
  installation: Installation;
  servers: Servers | null;
  parts: Part[];
  config: string;
  folder: string;
  close(): Promise<void>;
}

const day = 24 * 3_600_000;
/** Mainland Ecuador is UTC−5 all year round. */
const ecuadorOffset = 5 * 3_600_000;

/** Opens sandbox, shops, servers and the product's processes; what fails closes what was opened before. */
export async function openStage(options: Options, folder: string): Promise<Stage> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const servers = await openServers(options, folder);
    if (servers) closers.push(() => servers.close());
    const now = new Date();
    const midnight = new Date(Math.ceil((now.getTime() - ecuadorOffset) / day) * day + ecuadorOffset);
    const begins = midnight.getTime() - secondsBeforeMidnight(options) * 1000 * options.rate;
    const testClock = `anchor=${now.toISOString()},offset=${begins - now.getTime()},rate=${options.rate}`;
    const clock = runTestClock(parseTestClock(testClock), { now: () => new Date() });

    const installation = await planInstallation(options);
    const sandbox = await createSandbox({
      allowLoopbackWebhooks: true,
      accounts: installation.accounts,
      authorizeDelayMs: 60,
      now: readTestClock(testClock),
    });
    closers.push(() => sandbox.close());
    const shops: TroubledShop[] = [];
    for (const { platform, credentials } of installation.stores) {
      const shop = await (platform === 'shopify' ? openShopify : openWoo)(credentials, clock);
      shops.push(shop);
      closers.push(() => shop.close());
    }
    const shopUrls = shops.map(({ url }) => url);
    const places = { sandboxUrl: sandbox.url, shopUrls, servers, testClock };
    const config = await writeInstallation(options, folder, installation, places);
    const parts = startParts(config, installation, folder, options);
    closers.push(() => Promise.all(parts.map((part) => part.stop())));
    await Promise.all(parts.map((part) => part.ready()));
    return { options, clock, midnight, sandbox, shops, installation, servers, parts, config, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Real seconds the first half of the schedule is given; who is early waits, who is late meets midnight sooner. */
const secondsBeforeMidnight = ({ orders, kills }: Options): number => 4 + orders * 0.03 + kills * 0.5;

function startParts(config: string, { doors }: Installation, folder: string, { embedded }: Options): Part[] {
  const common = ['--config', config, '--host', '127.0.0.1', '--log-level', 'info'];
  if (embedded) return [startPart('start', common, folder)];
  const webs = doors.map((door, at) =>
    startPart(`web-${at + 1}`, [...common, '--role', 'web', '--port', new URL(door).port], folder),
  );
  const workers = [1, 2].map((at) => startPart(`worker-${at}`, [...common, '--role', 'worker'], folder));
  return [...webs, ...workers];
}
