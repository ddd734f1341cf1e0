import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Log } from '../domain/log.ts';
import { queueName } from './bullmq.ts';
import { warnOfEviction } from './eviction.ts';
import { watchOutage } from './outage.ts';

export interface Board {
  handler(req: IncomingMessage, res: ServerResponse): void;
  close(): Promise<void>;
}

/**
 * Bull Board on the jobs in Redis, for looking only: what becomes of work is the ledger's to say. Jobs are ids, so
 * it shows nothing of buyers. Whoever mounts it at `path` lets only the operator in.
 */
export function openBoard(options: {
  redisUrl: string;
  prefix: string;
  path: string;
  log: Log;
  /** Nothing else in this process looks whether its Redis may drop jobs. */
  warns?: boolean;
}): Board {
  const { redisUrl, prefix, path, log, warns = false } = options;
  const outage = watchOutage(log, {
    failed: 'The page of the queue does not reach Redis.',
    over: 'The page of the queue reaches Redis again.',
  });
  const connection = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
  });
  let queue: Queue | undefined;
  let show: Board['handler'] | undefined;
  connection.on('error', outage.failed).on('ready', outage.over);
  // As the transport: BullMQ's objects start on a living connection only.
  connection.once('ready', () => {
    queue = new Queue(queueName, { connection, prefix }).on('error', outage.failed);
    const server = new ExpressAdapter().setBasePath(path);
    createBullBoard({
      queues: [new BullMQAdapter(queue, { readOnlyMode: true })],
      serverAdapter: server,
      options: { uiConfig: { boardTitle: 'facturapuente', hideRedisDetails: true } },
    });
    show = server.getRouter();
    if (warns) void warnOfEviction(connection, log);
  });
  return {
    handler(req, res) {
      if (show && connection.status === 'ready') return show(req, res);
      res.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
      res.end('Redis no responde; vuelva a intentarlo en unos segundos.');
    },
    async close() {
      await queue?.close().catch(() => {});
      connection.disconnect();
    },
  };
}
