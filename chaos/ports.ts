import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports the system gives to connections: what dies must find its own port free when it comes back. */
const [lowest, highest] = [20_000, 32_000];

let next = lowest + Math.floor(Math.random() * (highest - lowest));

/** A port of 127.0.0.1 nobody listens on, and another one each time. */
export async function steadyPort(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    next = next + 1 < highest ? next + 1 : lowest;
    if (await isFree(next)) return next;
  }
  throw new Error(`No free port between ${lowest} and ${highest}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
