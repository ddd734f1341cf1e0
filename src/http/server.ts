import { once } from 'node:events';
import type { Server as HttpServer, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import express, { type Express, type RequestHandler } from 'express';
import { ConfigError, LedgerError } from '../domain/errors.ts';
import type { Log } from '../domain/ports.ts';
import { type Html, html } from '../domain/text.ts';
import { queueStopped } from '../jobs/alerts.ts';
import type { Metrics } from '../observability/observer.ts';
import { assetsPath, pageAssets } from './assets.ts';
import { addBuyerPage } from './buyer-page.ts';
import type { HttpDeps } from './deps.ts';
import { documentLinks } from './document-links.ts';
import {
  addOperations,
  answerFailure,
  isLoopback,
  isThisMachine,
  isUntrustedProxy,
  notFound,
  type Queues,
  refuse,
  refusePipelines,
  reportUntrustedProxy,
  trustProxies,
} from './endpoints.ts';
import { same } from './links.ts';
import { securityHeaders, sendPage } from './pages.ts';
import { addPlatformPages } from './platform-pages.ts';
import { platformWebhooks, serviceWebhooks } from './webhooks.ts';

export const panelPath = '/panel';

// `import` of node:http also loads Node's own fetch and WebSocket (45 ms of a start, Node 24).
const { createServer } = process.getBuiltinModule('node:http');

const patience = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** A proxy in front keeps a few dozen open. */
const mostConnections = 1_000;

/** How long running requests may take after `close` before their connections are cut. */
const GRACE_MS = 10_000;

export interface Server {
  url: string;
  port: number;
  close(): Promise<void>;
}

function createApp(
  deps: Pick<HttpDeps, 'ledger' | 'ready' | 'log'>,
  options: {
    metrics: MetricsAccess | null;
    isPublic: boolean;
    trustedProxies: readonly string[];
    addWebhooks?: (app: Express) => void;
  },
): Express {
  const { metrics, isPublic, trustedProxies, addWebhooks } = options;
  const app = express();
  trustProxies(app, trustedProxies);
  app.use(reportUntrustedProxy(deps.log));
  app.disable('x-powered-by');
  app.disable('etag');
  // They come before the security headers, which cost time and mean nothing to callers of webhooks.
  addWebhooks?.(app);
  app.use(securityHeaders);
  app.get('/healthz', alive);
  app.get('/readyz', readiness(deps));
  if (metrics) app.get('/metrics', metricsEndpoint(metrics, isPublic, deps.log));
  return app;
}

function closeApp(app: Express, deps: Pick<HttpDeps, 'log'>): Express {
  app.use(notFound);
  app.use(answerFailure(deps.log));
  return app;
}

export function createHttp(
  deps: HttpDeps,
  {
    metrics,
    queues = null,
    addPanel = null,
    trustedProxies = [],
    mcp = null,
  }: {
    metrics: MetricsAccess | null;
    queues?: Queues | null;
    /** Adds the panel below `panelPath` and returns the guard of pages for who may configure all; null without users. */
    addPanel?: ((app: Express) => RequestHandler) | null;
    trustedProxies?: readonly string[];
    mcp?: RequestHandler | null;
  },
): Express {
  const isPublic = !isLoopback(deps.settings.publicUrl);
  const addWebhooks = (app: Express) => {
    app.post('/webhooks/:connection', platformWebhooks(deps));
    app.post('/service/webhook/:account', serviceWebhooks(deps));
  };
  const app = createApp(deps, { metrics, isPublic, trustedProxies, addWebhooks });
  app.get(`${assetsPath}/:name`, pageAssets.send);
  app.use('/d', ...documentLinks(deps));
  addPlatformPages(app, deps.settings, deps.shopContext, deps);
  addBuyerPage(app, deps);
  if (mcp) app.all('/mcp', mcp);
  const root = new URL(deps.settings.publicUrl).pathname.replace(/\/$/, '');
  app.get('/', frontPage({ root, hasPanel: addPanel !== null }));
  if (addPanel) {
    const guard = addPanel(app);
    if (queues) addOperations(app, queues, guard);
  } else app.get(`${panelPath}{/*rest}`, panelWithoutUsers(root));
  return closeApp(app, deps);
}

export function createBackEndpoint(
  deps: Pick<HttpDeps, 'ledger' | 'ready' | 'log'> & { access: MetricsAccess },
): Express {
  return closeApp(createApp(deps, { metrics: deps.access, isPublic: false, trustedProxies: [] }), deps);
}

interface Address {
  port: number;
  host: string;
  setting: string;
}

/** Port 0 takes any free one. Throws ConfigError `port-unusable`, which names `setting`. */
export async function openServer(
  listener: RequestListener,
  { port, host, setting, slow = patience }: Address & { slow?: typeof patience },
): Promise<Server> {
  const server = createServer(slow, refusePipelines(listener));
  // Longer than the usual minute of proxies, so that they close idle connections first.
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

async function closeServer(server: HttpServer): Promise<void> {
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
    { port, host, reason: why, setting, error: error.code },
    { cause: error },
  );
}

/** `doctor` reads here that a proxy is missing in `trustedProxies`. */
const alive: RequestHandler = (req, res) => {
  res.json({ status: 'alive', ...(isUntrustedProxy(req) && { proxy: 'untrusted' }) });
};

const ANSWER_WITHIN_MS = 2_000;

/** Without workers webhooks are still accepted, so the answer stays 200, and its body names that. */
function readiness({ ledger, ready, log }: Pick<HttpDeps, 'ledger' | 'ready' | 'log'>): RequestHandler {
  const isQueueStopped = watchQueue(ledger);
  return async (_req, res) => {
    const [ledgerState, transportState, isStopped] = await Promise.all([
      ...([stateOf(ledger.check()), stateOf(ready())] as const),
      isQueueStopped(),
    ]);
    const ok = ledgerState === 'ok' && transportState === 'ok';
    const report = {
      status: ok ? 'ready' : 'not-ready',
      ledger: ledgerState,
      transport: transportState,
      workers: isStopped ? 'none' : 'ok',
    };
    if (!ok) log.warn(report, 'Not ready');
    res.status(ok ? 200 : 503).json(report);
  };
}

/** Anybody may ask: the alerts are read once in this time. */
const ALERTS_READ_FOR_MS = 3_000;

function watchQueue({ alerts }: Pick<HttpDeps['ledger'], 'alerts'>): () => Promise<boolean> {
  let last: Promise<boolean> | undefined;
  let until = 0;
  return () => {
    const now = performance.now();
    if (last === undefined || now >= until) {
      until = now + ALERTS_READ_FOR_MS;
      last = alerts.open().then(
        (open) => open.some(({ code }) => code === queueStopped.code),
        () => false,
      );
    }
    return Promise.race([last, wait(ANSWER_WITHIN_MS, false, { ref: false })]);
  };
}

async function stateOf(check: Promise<void>): Promise<'ok' | 'no-answer' | 'read-only'> {
  try {
    return await Promise.race([
      check.then(() => 'ok' as const),
      wait(ANSWER_WITHIN_MS, 'no-answer' as const, { ref: false }),
    ]);
  } catch (error) {
    return error instanceof LedgerError && error.code === 'ledger-unwritable' ? 'read-only' : 'no-answer';
  }
}

interface MetricsAccess {
  metrics: Metrics;
  token: string | undefined;
}

/**
 * Without a token only programs of this machine are answered, and nobody where a proxy forwards to this port
 * (`isPublic`): a local proxy that adds no header would make every caller look local.
 */
function metricsEndpoint(
  { metrics, token }: MetricsAccess,
  isPublic: boolean,
  log: Pick<Log, 'warn'>,
): RequestHandler {
  return async (req, res, next) => {
    if (token === undefined && (isPublic || !isThisMachine(req))) return notFound(req, res, next);
    if (token !== undefined && !same(req.headers.authorization, `Bearer ${token}`)) {
      if (req.headers.authorization !== undefined)
        log.warn({ path: '/metrics' }, 'A request for metrics had a wrong token');
      res.set('WWW-Authenticate', 'Bearer');
      return refuse(res, 401, 'unauthorized', 'Hace falta la clave de metrics.token.');
    }
    const { type, text } = await metrics.scrape();
    res.type(type).send(text);
  };
}

interface Front {
  root: string;
  hasPanel: boolean;
}

const frontPage = ({ root, hasPanel }: Front): RequestHandler =>
  forBrowsers(200, {
    root,
    title: 'facturapuente',
    body: html`<p>Este servidor emite la factura electrónica de cada pedido pagado en una tienda en línea.</p>
<p class="soft">Si usted compró en una tienda, el enlace a su factura está en su pedido.</p>
${hasPanel && html`<p><a class="button" href="${root}/panel">Abrir el panel</a></p>`}`,
  });

const panelWithoutUsers = (root: string): RequestHandler =>
  forBrowsers(404, {
    root,
    title: 'El panel no tiene usuarios',
    body: html`<p>Si usted administra este servidor, cree un usuario:</p>
<ol>
<li>Ejecute <code>npx facturapuente hash-password</code> y escriba una contraseña.</li>
<li>Agregue el usuario a <code>panel.users</code> en la configuración; <code>passwordHash</code> es lo que imprimió el comando.</li>
<li>Reinicie <code>facturapuente start</code>.</li>
</ol>`,
  });

/** Programs get the answer of an unknown address. */
function forBrowsers(status: number, page: { root: string; title: string; body: Html }): RequestHandler {
  return (req, res, next) => {
    res.vary('Accept');
    if (req.accepts(['json', 'html']) !== 'html') return notFound(req, res, next);
    sendPage(res, status, page);
  };
}
