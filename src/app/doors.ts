import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { mayConfigureAll, type Person } from '../domain/people.ts';
import type { Tickets } from '../domain/tickets.ts';
import { shopConnected } from '../jobs/connection.ts';
import type { Transport } from '../queue/transport.ts';
import type { HttpDeps } from '../web/deps.ts';
import type { Links } from '../web/links.ts';
import { type Queues, queuesPath } from '../web/operations.ts';
import { type BodyMemory, openBodyMemory, openRawBody } from '../web/raw-body.ts';
import { createBackDoor, createHttp, openServer } from '../web/server.ts';
import { type AllCommands, openAllCommands } from './all-commands.ts';
import type { Connector, ConnectorOptions } from './connector.ts';
import type { Observation } from './observation.ts';
import type { Runtime } from './runtime.ts';
import type { LiveSettings } from './settings.ts';
import { packageVersion } from './version.ts';

/** An assistant asks with a few words, not with documents. */
const mcpBodyLimit = 256 * 1024;

/** Opens what a role listens on, when everything behind it stands. */
export async function openDoors(
  { config, role, port = config.port, host = config.host, listen = true }: ConnectorOptions,
  parts: {
    runtime: Runtime;
    observation: Observation;
    live: LiveSettings;
    links: Links;
    tickets: Tickets;
    transport: Transport | null;
    closers: (() => Promise<void>)[];
  },
): Promise<Pick<Connector, 'url' | 'handler' | 'metricsUrl'>> {
  const { runtime, live, links, tickets, transport, closers, observation } = parts;
  const { settings } = live;
  const { ledger, clock, service, shopContext } = runtime;
  const { log, observer, metrics } = observation;
  const ready = async () => transport?.check();
  const { port: backPort, token } = config.metrics;
  const access = { metrics, token };
  const back =
    backPort === undefined
      ? null
      : await openServer(createBackDoor({ ledger, log, ready, access }), {
          port: backPort,
          host,
          setting: 'metrics.port',
        });
  if (back) closers.push(() => back.close());
  if (role === 'worker') return { url: null, handler: null, metricsUrl: back?.url ?? null };

  const people = peopleOf(config);
  const queues = people.some(mayConfigureAll) ? await openQueues(config, role, log, closers) : null;
  const { commands, assistant } = openAllCommands(runtime, settings, config.mcp);
  const bodies = openBodyMemory();
  const deps: HttpDeps = {
    settings,
    ledger,
    clock,
    log,
    alerts: runtime.steps.alerts,
    links,
    keepFiles: config.files.keepMegabytes > 0,
    service,
    shopContext,
    tickets,
    commands,
    exporting: runtime.exporting,
    connected: ({ name }, shop, app) => shopConnected(runtime.steps, name, shop, app),
    ready,
    bodies,
    observer,
  };
  const mcp = await openMcp(config, assistant, { bodies, log });
  const app = createHttp(deps, {
    metrics: back ? null : access,
    queues,
    people,
    secondFactor: config.panel.secondFactor,
    trustedProxies: config.trustedProxies,
    mcp,
  });
  if (!listen) return { url: null, handler: app, metricsUrl: back?.url ?? null };
  const server = await openServer(app, { port, host, setting: '--port' });
  closers.push(() => server.close());
  return { url: server.url, handler: app, metricsUrl: back?.url ?? server.url };
}

/** The door of assistants; only where the config has a token for one. */
async function openMcp(
  { mcp: { tokens }, publicUrl }: ConnectorOptions['config'],
  assistant: AllCommands['assistant'],
  { bodies, log }: { bodies: BodyMemory; log: Observation['log'] },
): Promise<RequestHandler | null> {
  if (Object.keys(tokens).length === 0) return null;
  // Loaded here, so that nobody else pays for it.
  const { mcpDoor } = await import('../assistant/door.ts');
  const holders = Object.entries(tokens).map(
    ([name, token]) => [name, typeof token === 'string' ? { sha256: token } : token] as const,
  );
  const stores = new Map(holders.map(([name, token]) => [name, token.stores]));
  const call = (name: string) => (tool: string, input: unknown) =>
    assistant(tool, input, { by: `${name} (asistente)`, stores: stores.get(name) });
  const hashes = Object.fromEntries(holders.map(([name, { sha256 }]) => [name, sha256]));
  const read = openRawBody(mcpBodyLimit, bodies);
  const readBody = async (req: IncomingMessage, res: ServerResponse) => (await read(req, res, 'mcp')).body;
  return mcpDoor({ tokens: hashes, publicUrl, version: packageVersion, call, readBody, log });
}

/** Who may open the panel: those of the config, and its operator, who may do everything. */
function peopleOf({ panel, operator }: ConnectorOptions['config']): Person[] {
  return [...(operator ? [{ ...operator, role: 'configure' as const }] : []), ...panel.users];
}

/** The page of the queue: only with BullMQ. */
async function openQueues(
  { redis }: ConnectorOptions['config'],
  role: ConnectorOptions['role'],
  log: Observation['log'],
  closers: (() => Promise<void>)[],
): Promise<Queues | null> {
  if (!redis) return null;
  // Loaded here, so that nobody else pays for it.
  const { openBoard } = await import('../queue/board.ts');
  const board = openBoard({
    redisUrl: redis.url,
    prefix: redis.prefix,
    path: queuesPath,
    log,
    // Elsewhere the transport does.
    warns: role === 'web',
  });
  closers.push(() => board.close());
  return board.handler;
}
