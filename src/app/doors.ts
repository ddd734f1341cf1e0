import type { RequestHandler } from 'express';
import type { Person } from '../core/people.ts';
import type { Tickets } from '../core/tickets.ts';
import type { Transport } from '../dispatch/transport.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { Links } from '../http/links.ts';
import { type Operations, queuesPath } from '../http/operations.ts';
import { createBackDoor, createHttp, openServer } from '../http/server.ts';
import { shopConnected, takeStores } from '../steps/connection.ts';
import { type AllCommands, openAllCommands } from './all-commands.ts';
import type { Connector, ConnectorOptions } from './connector.ts';
import { openInstalling } from './installing.ts';
import type { Observation } from './observation.ts';
import type { Runtime } from './runtime.ts';
import type { LiveSettings } from './settings.ts';
import { openStoring } from './storing.ts';
import { packageVersion } from './version.ts';

/** Opens what a role listens on, when everything behind it stands. */
export async function openDoors(
  { config, role, port = config.port, host = '0.0.0.0', listen = true }: ConnectorOptions,
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

  const operations = await openOperations(config, role, log, closers);
  const installing = openInstalling({
    settings,
    tickets,
    ledger,
    clock,
    contextOf: shopContext,
    ready: ({ platform, shop }) => shopConnected(runtime.steps, platform.name, shop),
  });
  const { commands, assistant } = openAllCommands(runtime, settings, config.mcp);
  const deps: HttpDeps = {
    settings,
    ledger,
    clock,
    log,
    links,
    keepFiles: config.files.keepMegabytes > 0,
    service,
    shopContext,
    tickets,
    installing,
    commands,
    exporting: runtime.exporting,
    storing: openStoring({ ledger, clock, live }, async () => {
      await takeStores(runtime.steps, await runtime.stores.refresh());
    }),
    connected: ({ name }, shop) => shopConnected(runtime.steps, name, shop),
    ready,
    observer,
  };
  const mcp = await openMcp(config, assistant);
  const app = createHttp(deps, { metrics: back ? null : access, operations, people: peopleOf(config), mcp });
  if (!listen) return { url: null, handler: app, metricsUrl: back?.url ?? null };
  const server = await openServer(app, { port, host, setting: '--port' });
  closers.push(() => server.close());
  return { url: server.url, handler: app, metricsUrl: back?.url ?? server.url };
}

/** The door of assistants; only where the config has a token for one. */
async function openMcp(
  { mcp: { tokens }, publicUrl }: ConnectorOptions['config'],
  assistant: AllCommands['assistant'],
): Promise<RequestHandler | null> {
  if (Object.keys(tokens).length === 0) return null;
  // Loaded here, so that nobody else pays for it.
  const { mcpDoor } = await import('../mcp/door.ts');
  const call = (by: string) => (tool: string, input: unknown) => assistant(tool, input, `${by} (asistente)`);
  return mcpDoor({ tokens, publicUrl, version: packageVersion, call });
}

/** Who may open the panel: those of the config, and its operator, who may do everything. */
function peopleOf({ panel, operator }: ConnectorOptions['config']): Person[] {
  return [...(operator ? [{ ...operator, role: 'configure' as const }] : []), ...panel.users];
}

/** The page of the queue: only with BullMQ, and only for a configured operator. */
async function openOperations(
  { redis, operator }: ConnectorOptions['config'],
  role: ConnectorOptions['role'],
  log: Observation['log'],
  closers: (() => Promise<void>)[],
): Promise<Operations | null> {
  if (!redis || !operator) return null;
  // Loaded here, so that nobody else pays for it.
  const { openBoard } = await import('../dispatch/board.ts');
  const board = openBoard({
    redisUrl: redis.url,
    prefix: redis.prefix,
    path: queuesPath,
    log,
    // Elsewhere the transport does.
    warns: role === 'web',
  });
  closers.push(() => board.close());
  return { operator, queues: board.handler };
}
