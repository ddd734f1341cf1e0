import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { ConfigError } from '../core/errors.ts';
import type { Person } from '../core/people.ts';
import { assetsPath, sendAsset } from './assets.ts';
import { addBuyerPage } from './buyer/door.ts';
import { commandDoor, commandPath } from './command-door.ts';
import type { HttpDeps } from './deps.ts';
import { deskDoor, deskPath } from './desk-door.ts';
import { documentLinks } from './document-links.ts';
import { answerFailure, notFound } from './failures.ts';
import { alive, readiness } from './health.ts';
import { installDoor, installPath } from './install-door.ts';
import { type MetricsAccess, metricsDoor } from './metrics.ts';
import { addOperations, type Operations } from './operations.ts';
import { addPanel } from './panel/door.ts';
import { addPlatformPages } from './platform-pages.ts';
import { platformWebhooks } from './platform-webhooks.ts';
import { serviceWebhooks } from './service-webhooks.ts';
import { storeDoor, storePath } from './store-door.ts';

/** How long a caller may take over its headers and its whole request, and how often that is looked at. */
const patience = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** How long answers under way may take after `close` before their connections are cut. */
const GRACE_MS = 10_000;

export interface Server {
  /** For this machine: `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  /** Takes no more connections and lets answers under way finish. */
  close(): Promise<void>;
}

function createApp(
  deps: Pick<HttpDeps, 'ledger' | 'ready' | 'log'>,
  { metrics, addDoors = () => {} }: { metrics: MetricsAccess | null; addDoors?: (app: Express) => void },
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Before the headers that guard browsers: no browser calls a webhook, and a dozen headers are a part of its price.
  addDoors(app);
  app.use(helmet());
  app.get('/healthz', alive);
  app.get('/readyz', readiness(deps));
  if (metrics) app.get('/metrics', metricsDoor(metrics));
  return app;
}

function closeApp(app: Express, deps: Pick<HttpDeps, 'log'>): Express {
  app.use(notFound);
  app.use(answerFailure(deps.log));
  return app;
}

/** The doors of the product: webhooks of shops and service, pages for buyers, health, metrics, operations. */
export function createHttp(
  deps: HttpDeps,
  {
    metrics,
    operations,
    people = [],
    mcp = null,
  }: {
    metrics: MetricsAccess | null;
    operations: Operations | null;
    people?: readonly Person[];
    /** The door of assistants (src/mcp). */
    mcp?: RequestHandler | null;
  },
): Express {
  const addDoors = (doors: Express) => {
    doors.post('/webhooks/:connection', platformWebhooks(deps));
    doors.post('/service/webhook/:account', serviceWebhooks(deps));
  };
  const app = createApp(deps, { metrics, addDoors });
  app.get(`${assetsPath}/:name`, sendAsset);
  app.use('/d', documentLinks(deps));
  addPlatformPages(app, deps.settings, deps.shopContext, deps);
  addBuyerPage(app, deps);
  app.post(installPath, installDoor(deps));
  app.post(storePath, storeDoor(deps));
  app.post(deskPath, deskDoor(deps));
  app.post(commandPath, commandDoor(deps));
  if (people.length > 0) addPanel(app, deps, people);
  if (mcp) app.all('/mcp', mcp);
  if (operations) addOperations(app, operations, deps.log);
  return closeApp(app, deps);
}

/** Health and metrics alone, for a port that the world does not see. */
export function createBackDoor(
  deps: Pick<HttpDeps, 'ledger' | 'ready' | 'log'> & { access: MetricsAccess },
): Express {
  return closeApp(createApp(deps, { metrics: deps.access }), deps);
}

interface Address {
  port: number;
  host: string;
  setting: string;
}

/**
 * Listens at an address; port 0 takes any free one. Rejects when the port is taken, naming the `setting` that
 * chooses another.
 */
export async function openServer(
  listener: RequestListener,
  { port, host, setting, slow = patience }: Address & { slow?: typeof patience },
): Promise<Server> {
  const server = createServer(slow, listener);
  // Longer than the usual proxy's minute, so that it is never we who close a connection it is about to use.
  server.keepAliveTimeout = 75_000;
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw unusable({ port, host, setting }, error);
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

function unusable({ port, host, setting }: Address, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') return error;
  const why = error.code === 'EADDRINUSE' ? 'ya está en uso' : 'no se puede usar en esta máquina';
  return new ConfigError(
    'port-unusable',
    `El puerto ${port} de ${host} ${why}: elija otro con ${setting}, o detenga el programa que lo ocupa.`,
    `Cannot listen on ${host}:${port} (${error.code}); choose another port.`,
    { cause: error },
  );
}
