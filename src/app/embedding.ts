import type { RequestListener } from 'node:http';
import type { Config } from '../config/load.ts';
import type { DocumentEvent, DocumentEventType } from '../domain/document.ts';
import type { Platform } from '../domain/platform.ts';
import { type Log, silentLog } from '../domain/ports.ts';
import type { CallableOperations } from '../operations/all.ts';
import { openConnector } from './connector.ts';

/** One that throws or rejects is called again later with the same event. */
export type DocumentHooks = { [Type in DocumentEventType]?: (event: DocumentEvent) => unknown };

export interface EmbeddedOptions {
  /** Its `publicUrl` ends with the path where `handler` is mounted. */
  config: Config;
  /** Each event is delivered at least once, in this process or a later one. */
  on?: DocumentHooks;
  log?: Log;
  /** Added to the built-in platforms and those the config names. */
  platforms?: readonly Platform[];
}

export interface EmbeddedConnector {
  /** A handler of Node's http: `app.use('/facturas', connector.handler)` in Express. */
  handler: RequestListener;
  /** Called by name: `operations.retry({ document })`. */
  operations: CallableOperations;
  /** Finishes or releases running jobs within `deadlineMs` (20 s). */
  close(deadlineMs?: number): Promise<void>;
}

const hooksId = 'hooks';

/**
 * The whole connector inside another program. Mount it before body parsers, because signatures cover the raw bytes.
 * Throws ConfigError and LedgerError.
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
    notify: async (event: DocumentEvent) => {
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
  const { handler, operations } = connector;
  if (handler === null) throw new RangeError('A connector of role "all" has endpoints.');
  return { handler, operations, close: (deadlineMs = 20_000) => connector.close(deadlineMs) };
}
