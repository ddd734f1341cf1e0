import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback } from '../sandbox/shops/loopback.ts';

/** One request as the proxy sees it. */
export interface Passing {
  method: string;
  path: string;
  body: string;
}

/**
 * Effect on the next answer of a kind: swapped with the following one, replaced by another request's from a cache, or by a
 * gateway's own 409 that says nothing of the request it forwarded.
 */
export type Twist = 'swap' | 'cache' | 'conflict';

/** A proxy between the product and a server, which forwards everything by default. */
export interface AnswerProxy {
  /** Its current address. */
  url(): string;
  /** Listens at another address from now on; at the old one as well when `keepOld`. */
  move(keepOld: boolean): Promise<string>;
  twist(kind: string, twist: Twist): void;
  /** Cancels pending twists. */
  untwist(): void;
  /** Answers to such requests are changed from now on; null ends it. */
  spoil(name: string, how: Spoiling | null): void;
  /** Applied twists, by `<kind> <twist>`. */
  struck(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface Spoiling {
  meets(passing: Passing): boolean;
  change(answer: Changed): Changed;
}

/** What a spoilt answer may differ in. */
interface Changed {
  status: number;
  body: string;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** How long an answer waits for another one to swap with. */
const patienceMs = 1_500;

/** @param kindOf groups requests whose answers can be confused; null leaves a request alone. */
export async function openProxy(
  target: string,
  kindOf: (passing: Passing) => string | null,
): Promise<AnswerProxy> {
  const struck = new Map<string, number>();
  const armed: { kind: string; twist: Twist }[] = [];
  const cached = new Map<string, { path: string; body: string; answer: Answer }>();
  const spoilings = new Map<string, Spoiling>();
  const waiting = new Map<string, { own: Answer; path: string; resolve: (other: Answer) => void }>();

  function take(kind: string, twist: Twist): void {
    const at = armed.findIndex((one) => one.kind === kind && one.twist === twist);
    if (at >= 0) armed.splice(at, 1);
    const name = `${kind} ${twist}`;
    struck.set(name, (struck.get(name) ?? 0) + 1);
  }
  const isArmed = (kind: string, twist: Twist) =>
    armed.some((one) => one.kind === kind && one.twist === twist);

  async function exchanged(kind: string, path: string, own: Answer): Promise<Answer> {
    const first = waiting.get(kind);
    if (first && first.path !== path) {
      waiting.delete(kind);
      take(kind, 'swap');
      first.resolve(own);
      return first.own;
    }
    if (first || !isArmed(kind, 'swap')) return own;
    const other = new Promise<Answer>((resolve) => waiting.set(kind, { own, path, resolve }));
    const alone = pause(patienceMs).then(() => {
      if (waiting.get(kind)?.own === own) waiting.delete(kind);
      return own;
    });
    return Promise.race([other, alone]);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    const passing = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      body: bytes.toString('utf8'),
    };
    const kind = kindOf(passing);
    const sameAs = `${passing.path} ${passing.body}`;
    const before = kind === null ? undefined : cached.get(kind);
    if (kind !== null && before && isArmed(kind, 'cache') && `${before.path} ${before.body}` !== sameAs) {
      take(kind, 'cache');
      return write(response, before.answer);
    }
    const own = await forward(target, request, response, bytes);
    if (own === null) return void response.destroy();
    for (const { meets, change } of spoilings.values())
      if (meets(passing)) {
        const { status, body } = change({ status: own.status, body: own.body.toString() });
        return write(response, { ...own, status, body: Buffer.from(body) });
      }
    if (kind !== null && own.status < 300 && isArmed(kind, 'conflict')) {
      take(kind, 'conflict');
      return write(response, { status: 409, headers: {}, body: Buffer.from('<h1>409 Conflict</h1>') });
    }
    if (kind === null || own.status >= 300) return write(response, own);
    cached.set(kind, { path: passing.path, body: passing.body, answer: own });
    write(response, await exchanged(kind, sameAs, own));
  }

  const listen = () =>
    listenOnLoopback((request, response) => void serve(request, response).catch(() => response.destroy()));
  const open = [await listen()];
  let url = open[0]?.url ?? '';
  return {
    url: () => url,
    async move(keepOld) {
      const next = await listen();
      url = next.url;
      if (!keepOld) await Promise.all(open.splice(0).map((one) => one.close()));
      open.push(next);
      return url;
    },
    twist: (kind, twist) => void armed.push({ kind, twist }),
    untwist: () => void armed.splice(0),
    spoil(name, how) {
      if (how) spoilings.set(name, how);
      else spoilings.delete(name);
    },
    struck: () => struck,
    async close() {
      await Promise.all(open.splice(0).map((one) => one.close()));
    },
  };
}

/** The server's answer; null if the connection broke. A client that disconnects cancels its request. */
function forward(
  target: string,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...kept } = headers;
    const asked = httpRequest(
      new URL(url ?? '/', target),
      { method, headers: { ...kept, 'content-length': body.length } },
      async (answer) => {
        try {
          const parts: Buffer[] = [];
          for await (const part of answer) parts.push(part);
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(parts) });
        } catch {
          resolve(null);
        }
      },
    );
    asked.on('error', () => resolve(null));
    response.on('close', () => asked.destroy());
    asked.end(body);
  });
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _encoding, connection: _connection, ...kept } = headers;
  response.writeHead(status, { ...kept, 'content-length': body.length });
  response.end(body);
}
