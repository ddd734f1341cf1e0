import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { ConfigError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';
import { documentLinks } from './document-links.ts';
import { answerFailure, notFound } from './failures.ts';
import { alive, readiness } from './health.ts';
import { platformWebhooks } from './platform-webhooks.ts';
import { serviceWebhooks } from './service-webhooks.ts';

/** How long answers under way may take after `close` before their connections are cut. */
const GRACE_MS = 10_000;

export interface Server {
  /** For this machine: `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  /** Takes no more connections and lets answers under way finish. */
  close(): Promise<void>;
}

/** The doors of the product: shops' webhooks, the service's webhook, document links, health. */
export function createHttp(deps: HttpDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(helmet());
  app.get('/healthz', alive);
  app.get('/readyz', readiness(deps));
  app.post('/webhooks/:connection', platformWebhooks(deps));
  app.post('/service/webhook/:account', serviceWebhooks(deps));
  app.use('/d', documentLinks(deps));
  app.use(notFound);
  app.use(answerFailure(deps.log));
  return app;
}

/** Opens the doors at an address; port 0 takes any free one. Rejects when the port is taken. */
export async function openServer(
  deps: HttpDeps,
  { port, host }: { port: number; host: string },
): Promise<Server> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000 }, createHttp(deps));
  // Longer than the usual proxy's minute, so that it is never we who close a connection it is about to use.
  server.keepAliveTimeout = 75_000;
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw unusable(port, host, error);
  });
  const taken = (server.address() as AddressInfo).port;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return {
    url: `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${taken}`,
    port: taken,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

function unusable(port: number, host: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') return error;
  const why = error.code === 'EADDRINUSE' ? 'ya está en uso' : 'no se puede usar en esta máquina';
  return new ConfigError(
    'port-unusable',
    `El puerto ${port} de ${host} ${why}: elija otro con --port, o detenga el programa que lo ocupa.`,
    `Cannot listen on ${host}:${port} (${error.code}); choose another port.`,
    { cause: error },
  );
}
