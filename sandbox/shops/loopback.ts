import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';

/** A certificate in PEM with its private key. */
export interface Certificate {
  key: string;
  cert: string;
}

/** The server of an emulator: on this machine only, and gone at once when closed; over TLS with a certificate. */
export async function listenOnLoopback(
  listener: RequestListener,
  port = 0,
  tls?: Certificate,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The emulator has no port.');
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Below the ephemeral ports of the system (from 32,768 on Linux, 49,152 elsewhere), so that neither an outgoing connection
 * nor a listener without a port takes one of these.
 */
const [lowest, highest] = [20_000, 32_000];

/** Parallel processes have neighbouring ids, so each searches its own range. */
const perProcess = 100;
const own = lowest + (process.pid % ((highest - lowest) / perProcess)) * perProcess;

let next = 0;

/** A free port of 127.0.0.1; another one at each call, of the 100 of this process. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < perProcess; tries += 1) {
    const port = own + next;
    next = (next + 1) % perProcess;
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port of 127.0.0.1 between ${own} and ${own + perProcess - 1}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createTcpServer();
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
