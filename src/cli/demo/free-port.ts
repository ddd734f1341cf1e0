import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports the system gives to outgoing connections and to listeners that name none (32,768 on Linux, 49,152
 * elsewhere): what is found free here, or dies and comes back to it, does not find it taken by one of those.
 */
const [lowest, highest] = [20_000, 32_000];

/** Processes that run side by side have numbers close to each other, so each searches ports of its own. */
const perProcess = 100;
const own = lowest + (process.pid % ((highest - lowest) / perProcess)) * perProcess;

let next = 0;

/** A port of 127.0.0.1 nobody listens on; another one each time, until all 100 of this process were given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < perProcess; tries += 1) {
    const port = own + next;
    next = (next + 1) % perProcess;
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port of 127.0.0.1 between ${own} and ${own + perProcess - 1}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
