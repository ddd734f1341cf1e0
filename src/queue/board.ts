import type { IncomingMessage, ServerResponse } from 'node:http';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Log } from '../domain/ports.ts';
import { queueName } from './bullmq.ts';
import { watchOutage } from './transport.ts';

export interface Board {
  handler(req: IncomingMessage, res: ServerResponse): void;
  close(): Promise<void>;
}

/** Read-only; job ids only. The caller admits only the operator to `path`. Bull Board is an optional peer (14 MB). */
export function openBoard(options: {
  redisUrl: string;
  prefix: string;
  path: string;
  log: Log;
  /** Throws ERR_MODULE_NOT_FOUND where Bull Board is not installed. */
  load?: typeof loadBullBoard;
}): Board {
  const { redisUrl, prefix, path, log, load = loadBullBoard } = options;
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
  let closed = false;
  let unavailable = 'Redis no responde; vuelva a intentarlo en unos segundos.';
  connection.on('error', outage.failed).on('ready', outage.over);
  // BullMQ's objects start on an open connection only (bullmq.ts).
  connection.once('ready', () => {
    load().then(
      ({ createBullBoard, BullMQAdapter, ExpressAdapter }) => {
        if (closed) return;
        queue = new Queue(queueName, { connection, prefix }).on('error', outage.failed);
        const server = new ExpressAdapter().setBasePath(path);
        createBullBoard({
          queues: [new BullMQAdapter(queue, { readOnlyMode: true })],
          serverAdapter: server,
          options: { uiConfig: { boardTitle: 'facturapuente', hideRedisDetails: true } },
        });
        show = server.getRouter();
      },
      (error) => {
        unavailable = `Esta página necesita Bull Board, que no está instalado: npm install ${packages.join(' ')}`;
        if (error.code !== 'ERR_MODULE_NOT_FOUND') outage.failed(error);
      },
    );
  });
  return {
    handler(req, res) {
      if (show && connection.status === 'ready') return show(req, res);
      res.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
      res.end(unavailable);
    },
    async close() {
      closed = true;
      await queue?.close().catch(() => {});
      connection.disconnect();
    },
  };
}

const packages = ['@bull-board/api', '@bull-board/express'];

async function loadBullBoard() {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ]);
  return { createBullBoard, BullMQAdapter, ExpressAdapter };
}
