import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { listenOnLoopback } from '../../sandbox/shops/loopback.ts';

/** An answer as it went out, for whoever gives it to another request. */
export interface PassedAnswer {
  method: string;
  path: string;
  status: number;
  body: Buffer;
}

/** What becomes of one answer: another one, or the true one where it answers undefined. */
type Change = (
  asked: { method: string; path: string },
  truth: PassedAnswer,
) => Pick<PassedAnswer, 'status' | 'body'> | undefined;

export interface HostileProxy {
  url: string;
  /** Every true answer so far. */
  answers: PassedAnswer[];
  /** Of the next answer it changes, and `times` less one more. */
  change(change: Change, times?: number): void;
  close(): Promise<void>;
}

/** A proxy that mixes answers up: what it gives one request was another's, or came out of a cache. */
export async function openHostileProxy(target: () => string): Promise<HostileProxy> {
  const answers: PassedAnswer[] = [];
  const changes: { change: Change; left: number }[] = [];
  const server = await listenOnLoopback(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const answer = await pass(new URL(path, target()), { method, headers, agent }, await bytesOf(incoming));
    const truth = { method, path, status: answer.statusCode ?? 502, body: await bytesOf(answer) };
    answers.push(truth);
    let { status, body }: Pick<PassedAnswer, 'status' | 'body'> = truth;
    for (const one of changes) {
      const changed = one.left > 0 ? one.change({ method, path }, truth) : undefined;
      if (!changed) continue;
      one.left -= 1;
      ({ status, body } = changed);
    }
    const { 'content-length': _length, 'transfer-encoding': _coding, ...passed } = answer.headers;
    outgoing.writeHead(status, passed);
    outgoing.end(body);
  });
  return {
    url: server.url,
    answers,
    change: (change, times = 1) => void changes.push({ change, left: times }),
    close: server.close,
  };
}

/** Connections are not kept: none is left over to a test that ends. */
const agent = new Agent({ keepAlive: false });

const pass = (url: URL, options: RequestOptions, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
