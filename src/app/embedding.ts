import type { RequestListener } from 'node:http';
import type { Config } from '../config/load.ts';
import type { DocumentEvent, DocumentEventType } from '../domain/document-event.ts';
import { type Log, silentLog } from '../domain/log.ts';
import type { Platform } from '../domain/platform.ts';
import { openConnector } from './connector.ts';

/** Called for each event of its type; one that throws or rejects is called again later with the same event. */
export type DocumentHooks = { [Type in DocumentEventType]?: (event: DocumentEvent) => unknown };

export interface EmbeddedOptions {
  /** Of `loadConfig` or `parseConfig`; its `publicUrl` ends with the path where `handler` is mounted. */
  config: Config;
  /** What becomes of documents, as it happens: at least once each, in this process or in a later one. */
  on?: DocumentHooks;
  /** Silent unless given. */
  log?: Log;
  /** Beside the built-in ones and those the config names. */
  platforms?: readonly Platform[];
}

export interface EmbeddedConnector {
  /** The doors, as a handler of Node's http: `app.use('/facturas', connector.handler)` in Express. */
  handler: RequestListener;
  /** Stops taking in, finishes or gives back what runs within `deadlineMs` (20 s), closes everything. */
  close(deadlineMs?: number): Promise<void>;
}

/** The id its hooks have among the listeners of the config. */
const hooksId = 'hooks';

/**
 * The whole connector inside another program: doors to mount, the worker beside them, hooks instead of webhooks. Body
 * parsers must come after it: signatures are made over raw bytes. Throws ConfigError and LedgerError.
 */
export async function createConnector({
  config,
  on = {},
  log = silentLog,
  platforms,
}: EmbeddedOptions): Promise<EmbeddedConnector> {
  const hooks = {
    id: hooksId,
    wants: (type: DocumentEventType) => on[type] !== undefined,
    hear: async (event: DocumentEvent) => {
      await on[event.type]?.(event);
    },
  };
  const connector = await openConnector({
    config,
    role: 'all',
    log,
    listen: false,
    listeners: Object.keys(on).length > 0 ? [hooks] : [],
    ...(platforms && { platforms }),
  });
  const { handler } = connector;
  if (handler === null) throw new RangeError('A connector of role "all" has doors.');
  return { handler, close: (deadlineMs = 20_000) => connector.close(deadlineMs) };
}
