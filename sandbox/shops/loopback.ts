import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

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
