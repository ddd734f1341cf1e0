import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Express, RequestHandler } from 'express';
import express from 'express';
import helmet from 'helmet';
import { ConfigError, LedgerError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import type { Person } from '../domain/people.ts';
import type { Metrics } from '../observability/metrics.ts';
import { assetsPath, sendAsset } from './assets.ts';
import { addBuyerPage } from './buyer/door.ts';
import {
  isLoopback,
  isThisMachine,
  isUntrustedProxy,
  tellUntrustedProxy,
  trustProxies,
} from './client-address.ts';
import type { HttpDeps } from './deps.ts';
import { documentLinks } from './document-links.ts';
import { answerFailure, notFound, refuse } from './failures.ts';
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

/** The process runs and its event loop turns; `doctor` learns here that a proxy is missing in `trustedProxies`. */
const alive: RequestHandler = (req, res) => {
  res.json({ status: 'alive', ...(isUntrustedProxy(req) && { proxy: 'untrusted' }) });
};

const ANSWER_WITHIN_MS = 2_000;

/** Whether work can be taken in: the ledger can be written and the transport answers. Orchestrators send traffic by it. */
function readiness({ ledger, ready, log }: Pick<HttpDeps, 'ledger' | 'ready' | 'log'>): RequestHandler {
  return async (_req, res) => {
    const [ledgerSays, transportSays] = await Promise.all([
      answerOf(() => ledger.check()),
      answerOf(() => ready()),
    ]);
    const ok = ledgerSays === 'ok' && transportSays === 'ok';
    const report = { status: ok ? 'ready' : 'not-ready', ledger: ledgerSays, transport: transportSays };
    if (!ok) log.warn(report, 'Not ready');
    res.status(ok ? 200 : 503).json(report);
  };
}

type Said = 'ok' | 'no-answer' | 'read-only';

async function answerOf(check: () => Promise<void>): Promise<Said> {
  const stop = new AbortController();
  const late = wait(ANSWER_WITHIN_MS, 'no-answer' as const, { signal: stop.signal }).catch(
    () => 'no-answer' as const,
  );
  try {
    return await Promise.race([check().then(() => 'ok' as const), late]);
  } catch (error) {
    return isUnwritable(error) ? 'read-only' : 'no-answer';
  } finally {
    stop.abort();
  }
}

const isUnwritable = (error: unknown): boolean =>
  error instanceof LedgerError && error.code === 'ledger-unwritable';

/** What the endpoints need to show metrics. */
interface MetricsAccess {
  metrics: Metrics;
  token: string | undefined;
}

/**
 * `GET /metrics`. With a token everybody must say it, this machine too. Without one programs of this machine are
 * answered, and for all others there is nothing here; where a proxy brings the world to this port (`isPublic`) nobody
 * is, because a proxy on this machine that adds no header makes everybody look local.
 */
function metricsDoor(
  { metrics, token }: MetricsAccess,
  isPublic: boolean,
  log: Pick<Log, 'warn'>,
): RequestHandler {
  return async (req, res, next) => {
    if (token === undefined && (isPublic || !isThisMachine(req))) return notFound(req, res, next);
    if (token !== undefined && !says(req.headers.authorization, `Bearer ${token}`)) {
      if (req.headers.authorization !== undefined)
        log.warn({ path: '/metrics' }, 'Somebody gave a wrong token of the metrics');
      res.set('WWW-Authenticate', 'Bearer');
      return refuse(res, 401, 'unauthorized', 'Hace falta la clave de metrics.token.');
    }
    const { type, text } = await metrics.scrape();
    res.set('Cache-Control', 'no-store').type(type).send(text);
  };
}

/** Compared by their hashes, so that the time it takes tells neither length nor beginning. */
function says(said: string | undefined, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(said ?? ''), hash(expected));
}
