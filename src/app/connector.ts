import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express, RequestHandler } from 'express';
import type { Config } from '../config/load.ts';
import { inWords } from '../domain/checks.ts';
import type { Clock } from '../domain/clock.ts';
import type { DocumentListener } from '../domain/document.ts';
import type { Platform } from '../domain/platform.ts';
import type { Log } from '../domain/ports.ts';
import { mayConfigureAll, type Person, scopeOf, variableOf } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import { openBodyMemory, openRawBody, type Queues, queuesPath } from '../http/endpoints.ts';
import { createBackEndpoint, createHttp, openServer } from '../http/server.ts';
import { shopConnected } from '../jobs/connection.ts';
import { lookUpsOfStores } from '../jobs/registry-names.ts';
import { failingJobs } from '../jobs/watch.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lostLedger } from '../ledger/lost.ts';
import { ratesOf, watchInstallation } from '../observability/installation.ts';
import { type CallableOperations, callable } from '../operations/all.ts';
import type { Operations } from '../operations/carry-out.ts';
import type { PanelParts } from '../panel/visit.ts';
import type { Transport } from '../queue/transport.ts';
import { openTransport } from '../queue/transport.ts';
import { overrideItem } from '../setup/account.ts';
import { clocksAgree } from '../setup/health.ts';
import { type Installation, openInstallation } from './installation.ts';
import { askedAtStart, refuseUnconfirmed } from './observation.ts';
import { operationsOf } from './operating.ts';
import { startPeriodic } from './periodic.ts';
import { packageVersion } from './platforms.ts';
import { openDirectWorker, periodicTasks, startWorking } from './working.ts';

/** `web` serves the endpoints, `worker` runs the jobs, `all` does both in one process. */
export type Role = 'all' | 'web' | 'worker';

export interface ConnectorOptions {
  config: Config;
  role: Role;
  log: Log;
  /** Default: the port of the config. 0 takes a free one. */
  port?: number;
  host?: string;
  /** Added to the built-in platforms and those the config names. */
  platforms?: readonly Platform[];
  /** False opens no server: the program that embeds the connector mounts `handler`. */
  listen?: boolean;
  /** Added to the webhooks of the config. */
  listeners?: readonly DocumentListener[];
}

export interface Connector {
  /** null for a worker, and where `listen` is false. */
  url: string | null;
  /** The program mounts it at `publicUrl`; null for a worker. */
  handler: RequestListener | null;
  /** The address of `/metrics`; null for a worker without `metrics.port`. */
  metricsUrl: string | null;
  /** Called by name: `operations.retry({ document })`. */
  operations: CallableOperations;
  /** Finishes or releases running jobs within `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/** A failure closes what was opened before. Throws ConfigError and LedgerError. */
export async function openConnector(options: ConnectorOptions): Promise<Connector> {
  const { config, role } = options;
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    warnOfOverrides(config, options.log);
    const { platforms, listeners } = options;
    const opening = { role, as: 'start', log: options.log, platforms, listeners } as const;
    const installation = await openInstallation(config, opening);
    closers.push(installation.close);
    const { live, settings, ledger, log } = installation;
    await warnOfClock(ledger, config, log);
    await refuseUnconfirmed(askedAtStart(settings.stores, config), live, ledger);

    let deadline = 0;
    const transport = await openTransport({
      redisUrl: config.redis?.url,
      prefix: config.redis?.prefix,
      concurrency: config.worker.concurrency,
      log,
    });
    closers.push(() => transport.close(deadline));
    const direct = await openDirectWorker(installation);
    closers.push(() => direct.stop(deadline));
    if (role !== 'web') await startWorking(installation, transport, { closers, deadline: () => deadline });
    closers.push(startPeriodic(periodicTasks(installation, { role, transport, direct }), log));
    // Without Redis a process that runs no jobs knows of none.
    showInstallation(installation, role === 'web' && config.redis === null ? null : transport);
    const operations = operationsOf(installation);
    const endpoints = await openEndpoints(options, installation, { operations, transport, closers });
    return {
      ...endpoints,
      operations: callable(operations, settings),
      async close(deadlineMs) {
        deadline = deadlineMs;
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw lostLedger(error);
  }
}

/** The config wins over DATABASE_URL and REDIS_URL, so that a variable meant for another program moves no ledger. */
function warnOfOverrides({ overrides }: Pick<Config, 'overrides'>, log: Log): void {
  for (const setting of overrides) {
    const variable = variableOf[setting];
    const { what, resolution } = inWords(overrideItem(setting));
    log.warn(
      { variable, setting, aviso: `${what}. ${resolution}` },
      `${variable} is set and ignored: the config has ${setting}`,
    );
  }
}

/** All processes use the PostgreSQL server's clock (clock-check.ts), and documents have its date. */
export async function warnOfClock(
  ledger: Pick<Ledger, 'aheadOfServer'>,
  { testClock }: Pick<Config, 'testClock'>,
  log: Log,
  machine: Clock = { now: () => new Date() },
): Promise<void> {
  if (testClock !== undefined) return;
  const aheadMs = await ledger.aheadOfServer(machine);
  if (aheadMs === null || clocksAgree(aheadMs)) return;
  const seconds = Math.round(aheadMs / 1000);
  const aviso = `El reloj de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${Math.abs(seconds)} s frente al del servidor PostgreSQL: se trabaja con la hora de PostgreSQL. Sincronice ambos (NTP).`;
  log.warn({ aheadMs, aviso }, "The clock differs from the database server's, which is used.");
}

function showInstallation(
  { metrics, ledger, clock, rateLimits, jobDeps }: Installation,
  transport: Transport | null,
): void {
  for (const account of jobDeps.accounts.keys()) metrics.account(account);
  watchInstallation(metrics.registry, {
    counts: ledger.counts,
    clock,
    rates: () => ratesOf([...jobDeps.accounts.values()], rateLimits),
    pauses: () => ledger.pauses.list(),
    failing: () => failingJobs({ ledger, clock }),
    lookUps: () => lookUpsOfStores(ledger, clock),
    async reconciliations() {
      const shops = await ledger.reconciliations.freshness();
      // Stores that were removed from the config are no longer reconciled.
      const configured = shops.filter(({ platform, shop }) => jobDeps.storeOf(platform, shop));
      return configured.map(({ storeId, reconciledTo, behind }) => ({
        store: storeId,
        reconciledTo,
        behind,
      }));
    },
    ...(transport ? { jobs: async () => ({ ...(await transport.counts()) }) } : {}),
  });
}

const mcpBodyLimit = 256 * 1024;

export async function openEndpoints(
  { config, role, port = config.port, host = config.host, listen = true }: ConnectorOptions,
  installation: Installation,
  {
    operations,
    transport,
    closers,
  }: { operations: Operations; transport: Transport; closers: (() => Promise<void>)[] },
): Promise<Pick<Connector, 'url' | 'handler' | 'metricsUrl'>> {
  const { settings, ledger, clock, log, observer, metrics, links, tickets, jobDeps } = installation;
  const { service, shopContext, exporting } = installation;
  const ready = transport.check;
  const { port: backPort, token } = config.metrics;
  const access = { metrics, token };
  const back =
    backPort === undefined
      ? null
      : await openServer(createBackEndpoint({ ledger, log, ready, access }), {
          port: backPort,
          host,
          setting: 'metrics.port',
        });
  if (back) closers.push(() => back.close());
  if (role === 'worker') return { url: null, handler: null, metricsUrl: back?.url ?? null };

  const people = peopleOf(config);
  const queues = people.some(mayConfigureAll) ? await openQueues(config, log, closers) : null;
  const bodies = openBodyMemory();
  const deps: HttpDeps = {
    settings,
    ledger,
    clock,
    log,
    alerts: jobDeps.alerts,
    links,
    keepFiles: config.files.keepMegabytes > 0,
    service,
    shopContext,
    tickets,
    mailer: jobDeps.mailer,
    connected: ({ name }, shop, app) => shopConnected(jobDeps, name, shop, app),
    ready,
    bodies,
    observer,
  };
  const mcp = await openMcp(config, { operations, ledger, clock, settings, bodies, log });
  const app = createHttp(deps, {
    metrics: back ? null : access,
    queues,
    addPanel: await openPanel(config, people, { ...deps, operations, exporting }),
    trustedProxies: config.trustedProxies,
    mcp,
  });
  if (!listen) return { url: null, handler: app, metricsUrl: back?.url ?? null };
  const server = await openServer(app, { port, host, setting: '--port' });
  closers.push(() => server.close());
  return { url: server.url, handler: app, metricsUrl: back?.url ?? server.url };
}

async function openMcp(
  { mcp: { tokens, allowProduction }, publicUrl }: ConnectorOptions['config'],
  {
    operations,
    ledger,
    clock,
    settings,
    bodies,
    log,
  }: Pick<PanelParts, 'operations' | 'ledger' | 'clock' | 'settings' | 'bodies' | 'log'>,
): Promise<RequestHandler | null> {
  if (Object.keys(tokens).length === 0) return null;
  const { mcpEndpoint } = await import('../assistant/endpoint.ts');
  const { callTool, toolsOf } = await import('../assistant/tools.ts');
  const holders = new Map(
    Object.entries(tokens).map(([name, token]) => [
      name,
      typeof token === 'string' ? { sha256: token, stores: undefined } : token,
    ]),
  );
  const parts = { operations, plans: { ledger, clock }, allowProduction };
  const call = (name: string) => (tool: string, input: unknown) => {
    const by = `${name} (asistente)`;
    const stores = holders.get(name)?.stores;
    return callTool(parts, tool, input, { by, scope: stores ? scopeOf(stores, settings.stores, by) : null });
  };
  const tools = toolsOf(operations);
  const hashes = Object.fromEntries([...holders].map(([name, { sha256 }]) => [name, sha256]));
  const read = openRawBody(mcpBodyLimit, bodies);
  const readBody = async (req: IncomingMessage, res: ServerResponse) => (await read(req, res)).body;
  return mcpEndpoint({ tokens: hashes, publicUrl, version: packageVersion, tools, call, readBody, log });
}

/** Its pages are loaded only where somebody may sign in. null without users. */
async function openPanel({ panel }: Config, people: readonly Person[], parts: PanelParts) {
  if (people.length === 0) return null;
  const { addPanel } = await import('../panel/endpoint.ts');
  return (app: Express) => addPanel(app, parts, people, panel.secondFactor);
}

function peopleOf({ panel, operator }: ConnectorOptions['config']): Person[] {
  return [...(operator ? [{ ...operator, role: 'configure' as const }] : []), ...panel.users];
}

async function openQueues(
  { redis }: ConnectorOptions['config'],
  log: Log,
  closers: (() => Promise<void>)[],
): Promise<Queues | null> {
  if (!redis) return null;
  const { openBoard } = await import('../queue/board.ts');
  const board = openBoard({
    redisUrl: redis.url,
    prefix: redis.prefix,
    path: queuesPath,
    log,
  });
  closers.push(() => board.close());
  return board.handler;
}
