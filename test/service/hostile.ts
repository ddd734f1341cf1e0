import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { RateLimit } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openServiceClient, type ServiceClientOptions } from '../../src/service/client.ts';

/** A service that answers what the test says, on loopback; gone when the test is over. */
export async function openHostile(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers every request with one status and body. */
export function answering(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  return openHostile((req, res) => {
    req.resume().on('end', () => {
      res.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
}

/** One request as it arrived. */
export interface Arrived {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Keeps what arrives and answers every request alike. */
export async function recording(body: unknown, status = 200): Promise<{ url: string; arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const url = await openHostile((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      const { method, url, headers } = req;
      arrived.push({ method, url, headers, body: Buffer.concat(chunks) });
      res.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  return { url, arrived };
}

/** A rate limit that records its calls. */
export function openRateLimit(): RateLimit & { taken: string[]; slowed: number[] } {
  const taken: string[] = [];
  const slowed: number[] = [];
  return {
    taken,
    slowed,
    async take(kind) {
      taken.push(kind);
    },
    async slow(forMs) {
      slowed.push(forMs);
    },
  };
}

export function openClient(baseUrl: string, options: Partial<ServiceClientOptions> = {}) {
  const client = openServiceClient({
    baseUrl,
    apiKey: 'clave-de-prueba',
    userAgent: 'facturapuente-test',
    log: silentLog,
    ...options,
  });
  onTestFinished(() => client.close());
  const rateLimit = openRateLimit();
  return { client, rateLimit, calls: client.with(rateLimit) };
}

export const clave = '0408202501109000787000120321010000460451234567815';
