import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NotTestable } from './check.ts';
import { isRecord } from './service.ts';

/** One delivery as it came. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  raw: Buffer;
  body: Record<string, unknown>;
  /** Unix seconds on our clock. */
  at: number;
}

export interface Receiver {
  port: number;
  received: readonly Delivery[];
  /** Answers 503 to the first delivery that speaks of this number (`001-900-000000001`). */
  refuseOnce(numero: string): void;
  close(): Promise<void>;
}

/** A receiver of webhooks on loopback; a tunnel brings what comes from outside. */
export async function openReceiver(port: number): Promise<Receiver> {
  const received: Delivery[] = [];
  const refusing = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const body = readObject(raw);
    received.push({ headers: request.headers, raw, body, at: Date.now() / 1000 });
    response.writeHead(refusing.delete(String(body.numero)) ? 503 : 200).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(() => {
    throw new NotTestable(`El puerto ${port} de --listen ya está en uso; elija otro.`);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received,
    refuseOnce: (numero) => void refusing.add(numero),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function readObject(raw: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(raw.toString('utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
