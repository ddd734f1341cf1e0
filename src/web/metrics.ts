import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Log } from '../domain/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { isThisMachine } from './client-address.ts';
import { notFound, refuse } from './failures.ts';

/** What the endpoints need to show metrics. */
export interface MetricsAccess {
  metrics: Metrics;
  token: string | undefined;
}

/**
 * `GET /metrics`. With a token everybody must say it, this machine too. Without one programs of this machine are
 * answered, and for all others there is nothing here; where a proxy brings the world to this port (`isPublic`) nobody
 * is, because a proxy on this machine that adds no header makes everybody look local.
 */
export function metricsDoor(
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
export function says(said: string | undefined, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(said ?? ''), hash(expected));
}
