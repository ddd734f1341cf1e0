import type { Express, Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Log } from '../domain/log.ts';

/** The headers by which a proxy says that it speaks for somebody. */
const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
];
const loopbackName = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/**
 * Tells the app which proxies it believes (`trustedProxies`, CIDR). `req.ip` is then the address the nearest hop that is
 * no such proxy connected from; what X-Forwarded-For says left of it, or from anybody else, is not read. An empty list
 * is set too: an app mounted in another one would inherit that one's.
 */
export function trustProxies(app: Express, networks: readonly string[]): void {
  app.set('trust proxy', networks.length === 0 ? false : [...networks]);
}

/** Whether a proxy that is not in `trustedProxies` speaks for somebody here: all its clients then count as one. */
export function isUntrustedProxy({ app, socket, headers }: Request): boolean {
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return false;
  const trusts: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  return !trusts(socket.remoteAddress ?? '', 0);
}

/** Logs the first untrusted proxy, once a process. */
export function tellUntrustedProxy(log: Log): RequestHandler {
  let told = false;
  return (req, _res, next) => {
    if (!told && isUntrustedProxy(req)) {
      told = true;
      log.warn(
        { proxy: req.socket.remoteAddress },
        'A proxy that is not in trustedProxies forwards requests: all its clients share one rate limit. Add its address to trustedProxies (docs/operations.md)',
      );
    }
    next();
  };
}

/** Whether an address leads to this machine alone. */
export const isLoopback = (address: string): boolean => loopbackName.test(new URL(address).host);

const addressOf = ({ ip = '' }: Pick<Request, 'ip'>): string =>
  ip.slice(0, 64).replace(/^::ffff:(?=\d+\.)/, '');

/** What limits count a client by: its IPv4 address, or the /56 of its IPv6 address, which is one customer's. */
export const clientOf = (req: Pick<Request, 'ip'>): string => ipKeyGenerator(addressOf(req), 56);

/** From a program of this machine: not through a proxy that says so, and not by a page of somebody else's (Host). */
export function isThisMachine(req: Request): boolean {
  const address = addressOf(req);
  if (address !== '::1' && !address.startsWith('127.')) return false;
  return (
    loopbackName.test(req.headers.host ?? '') && forwarding.every((name) => req.headers[name] === undefined)
  );
}
