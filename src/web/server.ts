import { once } from 'node:events';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { ConfigError } from '../domain/errors.ts';
import type { Person } from '../domain/people.ts';
import { assetsPath, sendAsset } from './assets.ts';
import { addBuyerPage } from './buyer/door.ts';
import { isLoopback, tellUntrustedProxy, trustProxies } from './client-address.ts';
import type { HttpDeps } from './deps.ts';
import { documentLinks } from './document-links.ts';
import { answerFailure, notFound } from './failures.ts';
import { alive, readiness } from './health.ts';
import { type MetricsAccess, metricsDoor } from './metrics.ts';
import { addOperations, type Queues } from './operations.ts';
import { addPanel } from './panel/door.ts';
import type { SecondFactorPolicy } from './panel/second-factor/factor.ts';
import { addPlatformPages } from './platform-pages.ts';
import { platformWebhooks } from './platform-webhooks.ts';
import { serviceWebhooks } from './service-webhooks.ts';

/** How long a caller may take over its headers and its whole request, and how often that is looked at. */
const patience = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** Beyond them a connection is closed as it comes; a proxy in front keeps a few dozen open. */
const mostConnections = 1_000;

/** How long answers under way may take after `close` before their connections are cut. */
const GRACE_MS = 10_000;

export interface Server {
  /** The address it is bound to: `http://127.0.0.1:8080`, `http://0.0.0.0:8080`. */
  url: string;
  port: number;
  /** Takes no more connections and lets answers under way finish. */
  close(): Promise<void>;
}

function createApp(
  deps: Pick<HttpDeps, 'ledger' | 'ready' | 'log'>,
  {
    metrics,
    isPublic,
    trustedProxies,
    addDoors = () => {},
  }: {
    metrics: MetricsAccess | null;
    /** Whether a proxy brings the world here. */
    isPublic: boolean;
    trustedProxies: readonly string[];
    addDoors?: (app: Express) => void;
  },
): Express {
  const app = express();
  trustProxies(app, trustedProxies);
  app.use(tellUntrustedProxy(deps.log));
  app.disable('x-powered-by');
  app.disable('etag');
  // Before the headers that guard browsers: no browser calls a webhook, and a dozen headers are a part of its price.
  addDoors(app);
  // Other names under ours need not speak HTTPS: a proxy that knows better may say so.
  app.use(helmet({ strictTransportSecurity: { includeSubDomains: false } }));
  app.get('/healthz', alive);
  app.get('/readyz', readiness(deps));
  if (metrics) app.get('/metrics', metricsDoor(metrics, isPublic, deps.log));
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
    queues = null,
    people = [],
    secondFactor = 'required',
    trustedProxies = [],
    mcp = null,
  }: {
    metrics: MetricsAccess | null;
    /** The page of the queue, for whoever may configure the whole installation. */
    queues?: Queues | null;
    people?: readonly Person[];
    secondFactor?: SecondFactorPolicy;
    /** CIDR. */
    trustedProxies?: readonly string[];
    /** The door of assistants (src/assistant). */
    mcp?: RequestHandler | null;
  },
): Express {
  const addDoors = (doors: Express) => {
    doors.post('/webhooks/:connection', platformWebhooks(deps));
    doors.post('/service/webhook/:account', serviceWebhooks(deps));
  };
  const app = createApp(deps, {
    metrics,
    isPublic: !isLoopback(deps.settings.publicUrl),
    trustedProxies,
    addDoors,
  });
  app.get(`${assetsPath}/:name`, sendAsset);
  app.use('/d', ...documentLinks(deps));
  addPlatformPages(app, deps.settings, deps.shopContext, deps);
  addBuyerPage(app, deps);
  if (mcp) app.all('/mcp', mcp);
  if (people.length > 0) {
    const guard = addPanel(app, deps, people, secondFactor);
    if (queues) addOperations(app, queues, guard);
  }
  return closeApp(app, deps);
}

/** Health and metrics alone, for a port that the world does not see. */
export function createBackDoor(
  deps: Pick<HttpDeps, 'ledger' | 'ready' | 'log'> & { access: MetricsAccess },
): Express {
  return closeApp(createApp(deps, { metrics: deps.access, isPublic: false, trustedProxies: [] }), deps);
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
  server.maxConnections = mostConnections;
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw unusable({ port, host, setting }, error);
  });
  const { address, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${taken}`,
    port: taken,
    close: () => closeServer(server),
  };
}

/** Takes no more connections, lets answers under way finish within GRACE_MS, then cuts them. */
export async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(cut);
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
