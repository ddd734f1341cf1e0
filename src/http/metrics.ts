import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Metrics } from '../observe/metrics.ts';
import { notFound, refuse } from './failures.ts';

/** What the doors need to show metrics; without a token only this machine sees them. */
export interface MetricsAccess {
  metrics: Metrics;
  token: string | undefined;
}

/**
 * `GET /metrics`. With a token everybody must say it, this machine too: a proxy on the same machine makes the whole
 * world look local. Without one only calls that came straight from this machine are answered, and for all others
 * there is nothing here.
 */
export function metricsDoor({ metrics, token }: MetricsAccess): RequestHandler {
  return async (req, res, next) => {
    if (token === undefined && !isLocal(req)) return notFound(req, res, next);
    if (token !== undefined && !says(req.headers.authorization, `Bearer ${token}`)) {
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

const passedOn = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via', 'cf-connecting-ip'];
const localName = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** From this machine, not handed on by a proxy that says so, and not by a page of somebody else's (Host). */
function isLocal({ socket, headers }: Request): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (address !== '::1' && !address.startsWith('127.')) return false;
  return localName.test(headers.host ?? '') && passedOn.every((name) => headers[name] === undefined);
}
