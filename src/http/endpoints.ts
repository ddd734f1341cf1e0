import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { ecuadorDay } from '../domain/clock.ts';
import type { Platform, RawDelivery } from '../domain/platform.ts';
import type { Log } from '../domain/ports.ts';
import { type Settings, type Store, storeOfApp, storeOfShop } from '../domain/settings.ts';
import type { Credentials } from '../domain/shop-identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observer } from '../observability/observer.ts';
import { queuePolicy } from './pages.ts';

/** The limit of one process: a thousand webhooks of usual size, eight of the longest. Beyond it requests get 503. */
const mostBytes = 32 * 1024 * 1024;
/** What a part of a body takes beside its bytes: measured with 500,000 chunks of one byte, Node 24. */
const partBytes = 650;
const retryAfterSeconds = 5;

export interface BodyMemory {
  fits(bytes: number): boolean;
  /** `cut` ends it: bodies that nobody finishes are cut when new ones need the memory. */
  open(cut: () => void): Hold;
}

interface Hold {
  /** False where they do not fit, although every unfinished body was cut. */
  add(bytes: number): boolean;
  finish(): void;
  release(): void;
}

export function openBodyMemory(total = mostBytes): BodyMemory {
  const unfinished = new Set<() => void>();
  let held = 0;
  const fits = (bytes: number) => held + bytes <= total;
  return {
    fits,
    open(cut) {
      let own = 0;
      const release = () => {
        unfinished.delete(end);
        held -= own;
        own = 0;
      };
      const end = () => {
        release();
        cut();
      };
      unfinished.add(end);
      return {
        add(bytes) {
          for (const other of unfinished) {
            if (fits(bytes)) break;
            if (other !== end) other();
          }
          if (!fits(bytes)) return false;
          own += bytes;
          held += bytes;
          return true;
        },
        finish: () => void unfinished.delete(end),
        release,
      };
    },
  };
}

/** Deliveries are kept for weeks: 100,000 rows with 128 MB are 13,000 webhooks of 10 kB a day. */
const daily = { rows: 100_000, bytes: 128 * 1024 * 1024 };

/** What each shop's deliveries of today take of the disk, in this process. */
export interface DeliveryQuota {
  /** `fits` is false once the shop has used its share of the day; `first`: for the first time. `giveBack` undoes the count. */
  take(shop: string, bytes: number, now: Date): { fits: boolean; first: boolean; giveBack: () => void };
}

export function openDeliveryQuota(most = daily): DeliveryQuota {
  const taken = new Map<string, { rows: number; bytes: number; over: boolean }>();
  let day = '';
  return {
    take(shop, bytes, now) {
      const today = ecuadorDay(now);
      if (today !== day) taken.clear();
      day = today;
      const own = taken.get(shop) ?? { rows: 0, bytes: 0, over: false };
      taken.set(shop, own);
      const fits = own.rows < most.rows && own.bytes + bytes <= most.bytes;
      const first = !fits && !own.over;
      if (fits) {
        own.rows += 1;
        own.bytes += bytes;
      } else own.over = true;
      const giveBack = () => {
        own.rows -= 1;
        own.bytes -= bytes;
      };
      return { fits, first, giveBack };
    },
  };
}

type ReadBody = (req: IncomingMessage, res: ServerResponse) => Promise<RawDelivery>;

/** Signatures are made over the raw bytes. Refuses compressed bodies. Rejects with a status: 400, 413, 415, 503. */
export function openRawBody(limit: number, memory: BodyMemory): ReadBody {
  return async (req, res) => {
    const headers = req.headers as Readonly<Record<string, string | undefined>>;
    const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = headers;
    if (encoding.toLowerCase() !== 'identity') throw failure(415, 'The body is compressed.');
    if (Number(length) > limit) throw tooLarge(limit);
    return { headers, body: await gather(req, res, limit, memory) };
  };
}

export function formReader(limit: number, memory: BodyMemory, maxKeys = 40): RequestHandler {
  const read = openRawBody(limit, memory);
  return async (req, res, next) => {
    // A parser of the surrounding program may have read it.
    if (!req.readableEnded && req.is('urlencoded'))
      req.body = parse((await read(req, res)).body.toString(), '&', '=', { maxKeys });
    next();
  };
}

/** Throws where the sender is gone already: nothing would release the bytes. */
function holdUntilClosed(res: ServerResponse, memory: BodyMemory, cut: () => void): Hold {
  if (res.closed) throw aborted();
  const hold = memory.open(cut);
  res.once('close', hold.release);
  return hold;
}

function gather(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  memory: BodyMemory,
): Promise<Buffer> {
  // A parser of the surrounding program has read the body: its bytes cannot be verified.
  if (req.readableEnded) return Promise.resolve(Buffer.alloc(0));
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      req.off('data', take);
      parts.length = 0;
      hold.finish();
      req.resume();
      reject(error);
    };
    const hold = holdUntilClosed(res, memory, () => fail(busy(res)));
    const take = (part: Buffer) => {
      size += part.length;
      try {
        if (size > limit) throw tooLarge(limit);
        if (!hold.add(part.length + partBytes)) throw busy(res);
        parts.push(part);
      } catch (error) {
        fail(error);
      }
    };
    req.on('data', take);
    req.once('end', () => {
      hold.finish();
      resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    });
    req.once('error', () => fail(aborted()));
    req.once('close', () => fail(aborted()));
  });
}

const failure = (status: number, message: string, more: object = {}) =>
  Object.assign(new Error(message), { status, ...more });
const aborted = () => failure(400, 'The request ended before its body did.');
const tooLarge = (limit: number) => failure(413, `The body is longer than ${limit} bytes.`, { limit });

function busy(res: ServerResponse): Error {
  res.setHeader('Retry-After', retryAfterSeconds);
  return failure(503, 'Too many bodies are being read at once.');
}

const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
];
const loopbackName = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** Networks are CIDR. Without any the setting is false, so that a mounted app does not inherit the one of its program. */
export function trustProxies(app: Express, networks: readonly string[]): void {
  app.set('trust proxy', networks.length === 0 ? false : [...networks]);
}

/** All clients of a proxy that is not in `trustedProxies` count as one. */
export function isUntrustedProxy({ app, socket, headers }: Request): boolean {
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return false;
  const trusts: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  return !trusts(socket.remoteAddress ?? '', 0);
}

export function reportUntrustedProxy(log: Log): RequestHandler {
  let reported = false;
  return (req, _res, next) => {
    if (!reported && isUntrustedProxy(req)) {
      reported = true;
      log.warn(
        { proxy: req.socket.remoteAddress },
        'A proxy that is not in trustedProxies forwards requests: all its clients share one rate limit. Add its address to trustedProxies (docs/operations.md)',
      );
    }
    next();
  };
}

export const isLoopback = (address: string): boolean => loopbackName.test(new URL(address).host);

const addressOf = ({ ip = '' }: Pick<Request, 'ip'>): string =>
  ip.slice(0, 64).replace(/^::ffff:(?=\d+\.)/, '');

/** The IPv4 address, or the /56 of the IPv6 address, which one customer has. */
export const clientOf = (req: Pick<Request, 'ip'>): string => ipKeyGenerator(addressOf(req), 56);

/** No proxy forwarded the request, and Host is this machine's. */
export function isThisMachine(req: Request): boolean {
  const address = addressOf(req);
  if (address !== '::1' && !address.startsWith('127.')) return false;
  return (
    loopbackName.test(req.headers.host ?? '') && forwarding.every((name) => req.headers[name] === undefined)
  );
}

export interface Endpoint {
  id: string;
  platform: Platform;
  app: unknown;
  connection: unknown;
  store: Store | null;
}

/** One per app, shared by its shops, and one per store without an app. */
export function findEndpoint({ apps, stores }: Settings, id: string): Endpoint | undefined {
  const app = apps.get(id);
  if (app) return { id, platform: app.platform, app: app.settings, connection: null, store: null };
  const store = stores.get(id);
  if (!store || store.app !== null) return undefined;
  const { platform, connection } = store;
  return { id, platform, app: null, connection, store };
}

/**
 * `waiting`: the shop installed the app and has no store yet; deliveries are kept. `former`: it may still report that it
 * left and whose data to erase. `none`: unknown, or of another endpoint; the answer does not say which.
 */
type ShopAccess = { kind: 'store'; store: Store } | { kind: 'waiting' | 'former' | 'none'; store: null };

/** The shop's name in a delivery is not trusted. */
export async function accessOfShop(
  endpoint: Endpoint,
  shop: string,
  {
    settings: { stores },
    ledger,
    credentials,
  }: { settings: Settings; ledger: Pick<Ledger, 'stores'>; credentials: Pick<Credentials, 'get'> },
): Promise<ShopAccess> {
  const { id, platform, app } = endpoint;
  const none: ShopAccess = { kind: 'none', store: null };
  // Deliveries to a store's own endpoint are of that store, whatever shop they name.
  if (endpoint.store !== null) return { kind: 'store', store: endpoint.store };
  const store = storeOfApp(stores, id, shop);
  if (store) return { kind: 'store', store };
  if (storeOfShop(stores, platform.name, shop)) return none;
  if (await platform.hasAccess?.(shop, app, credentials)) return { kind: 'waiting', store: null };
  const last = await ledger.stores.lastApp({ platform: platform.name, shop });
  return last === id ? { kind: 'former', store: null } : none;
}

export type Queues = (req: IncomingMessage, res: ServerResponse) => void;

export const queuesPath = '/operations/queues';

export function addOperations(app: Express, queues: Queues, guard: RequestHandler): void {
  const pages = Router();
  pages.use(guard, queuePolicy, (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return refuse(res, 405, 'only-looking', 'Aquí solo se puede mirar.');
    queues(req, res);
  });
  app.use(queuesPath, pages);
}

/** A word for programs and metrics, a Spanish sentence for people. */
export function refuse(res: Response, status: number, error: string, message: string): void {
  res.locals.answer = error;
  res.status(status).json({ error, message });
}

export function accept(res: Response, word: string): void {
  res.locals.answer = word;
  res.json({ status: word });
}

export const notFound: RequestHandler = (_req, res) => {
  refuse(res, 404, 'not-found', 'Esta dirección no existe.');
};

/** No stack traces; only failures of the product are errors in the log. */
export function answerFailure(log: Log): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const { status, word } = failureOf(error);
    if (word === 'failed')
      log.error({ err: error, method: req.method, route: req.route?.path }, 'A request failed');
    refuse(res, status, word, sentences[word](error));
  };
}

type FailureWord = 'too-large' | 'unreadable' | 'busy' | 'failed';

const sentences: Record<FailureWord, (error: { limit?: number }) => string> = {
  'too-large': ({ limit }) => `El cuerpo supera el máximo de ${limit} bytes.`,
  unreadable: () => 'La solicitud no se pudo leer.',
  busy: () => 'Llegan demasiadas solicitudes a la vez; vuelva a intentarlo en unos segundos.',
  failed: () => 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
};

/** body-parser and the router put a status on their errors, too. */
export function failureOf(error: unknown): { status: number; word: FailureWord } {
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return { status, word: 'too-large' };
  if (status === 503) return { status, word: 'busy' };
  if (typeof status === 'number' && status >= 400 && status < 500) return { status, word: 'unreadable' };
  return { status: 500, word: 'failed' };
}

export function cameTo(res: Response, endpoint: string): void {
  res.locals.endpoint = endpoint;
}

export function watched<Params>(observer: Observer, handler: RequestHandler<Params>): RequestHandler<Params> {
  return (req, res, next) =>
    observer.endpoint(async (said) => {
      try {
        await handler(req, res, next);
        said(res.locals.endpoint ?? 'unknown', res.locals.answer ?? 'closed');
      } catch (error) {
        said(res.locals.endpoint ?? 'unknown', failureOf(error).word);
        throw error;
      }
    });
}

const mostUnanswered = 8;

/** Answers that nobody reads stay in memory. Browsers and proxies wait for answers. */
export function refusePipelines(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  const add = (socket: Socket, requests: number) =>
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + requests);
  return (req, res) => {
    const { socket } = req;
    if (socket.destroyed || unanswered.get(socket) === mostUnanswered) return void socket.destroy();
    add(socket, 1);
    res.once('close', () => add(socket, -1));
    listener(req, res);
  };
}
