import { Readable } from 'node:stream';
import PQueue from 'p-queue';
import { type Dispatcher, errors, type FormData, Pool } from 'undici';
import type { CallKind, RateLimit } from '../domain/job.ts';
import type { Log } from '../domain/ports.ts';
import {
  isPage,
  type ReadReply,
  type StreamAnswer,
  type Throttled,
  type Unknown,
  type UnknownEffect,
} from './answers.ts';

/** `slot` null: public, without slot and key. */
export interface Question<T> extends Omit<Call, 'apiKey'> {
  operation: string;
  slot: CallKind | null;
  read(reply: ReadReply): T | Unknown;
}

export interface Exchange {
  ask<T extends { kind: string }>(question: Question<T>): Promise<T | Throttled | Unknown>;
  get<T extends { kind: string }>(
    operation: string,
    path: string,
    read: Question<T>['read'],
  ): Promise<T | Throttled | Unknown>;
  /** For calls that must not happen twice: a lost answer states whether the request may have been sent. */
  act<T extends { kind: string }>(question: Question<T>): Promise<T | Throttled | UnknownEffect>;
  stream(operation: string, path: string, file: StreamedFile): Promise<StreamAnswer>;
}

/** After a 429 without `Retry-After`; the limit counts per minute (spec, limits). */
const DEFAULT_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

export function openExchange(
  connection: Connection,
  { apiKey, rateLimit, log }: { apiKey: string; rateLimit: RateLimit; log: Log },
): Exchange {
  const lost = (operation: string, reason: string, mayHaveLeft = true): UnknownEffect => {
    log.warn({ operation, reason }, 'The tax document service gave no usable answer');
    return { kind: 'unknown', reason, mayHaveLeft };
  };
  const send = async ({
    operation,
    slot,
    ...call
  }: Omit<Question<unknown>, 'read'>): Promise<Reply | Throttled | UnknownEffect> => {
    if (slot !== null) await rateLimit.take(slot);
    const reply = await connection.call(slot === null ? call : { ...call, apiKey });
    if (reply.kind === 'broken') return lost(operation, reply.reason, reply.mayHaveLeft);
    if (reply.status !== 429) return reply;
    await reply.body.dump().catch(() => {});
    const retryAfterMs = pauseOf(reply);
    if (slot !== null) await rateLimit.slow(retryAfterMs);
    return { kind: 'throttled', retryAfterMs };
  };
  const act: Exchange['act'] = async ({ read, ...question }) => {
    const { operation } = question;
    const reply = await send(question);
    if (reply.kind !== 'reply') return reply;
    let text: string;
    try {
      text = await reply.body.text();
    } catch (error) {
      return lost(operation, breakage(error));
    }
    const { status } = reply;
    if (isPage({ status, text })) return { ...lost(operation, `answered ${status} with a page`), status };
    const answer = read({ status, text, date: dateOf(reply) });
    if (!isUnknown(answer)) return answer;
    return { ...lost(operation, answer.reason), status, ...answer };
  };
  const ask: Exchange['ask'] = async (question) => {
    const answer = await act(question);
    return isUnknown(answer) ? { kind: 'unknown', reason: answer.reason } : answer;
  };
  return {
    act,
    ask,
    get: (operation, path, read) => ask({ operation, slot: 'question', method: 'GET', path, read }),
    async stream(operation, path, file) {
      const reply = await send({ operation, slot: 'download', method: 'GET', path });
      if (reply.kind === 'unknown') return { kind: 'unknown', reason: reply.reason };
      if (reply.kind === 'throttled') return reply;
      const answer = await readStream(reply, file);
      if (answer.kind === 'unknown') lost(operation, answer.reason);
      return answer;
    },
  };
}

function isUnknown(answer: { kind: string }): answer is Unknown {
  return answer.kind === 'unknown';
}

function dateOf({ headers }: Pick<Reply, 'headers'>): Date | null {
  const date = new Date(String(headers.date));
  return Number.isNaN(date.getTime()) ? null : date;
}

function pauseOf({ headers }: Pick<Reply, 'headers'>): number {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  const wished = seconds > 0 ? seconds * 1000 : DEFAULT_PAUSE_MS;
  return Math.min(wished, LONGEST_PAUSE_MS);
}

const urgency: Record<CallKind, number> = { emission: 2, question: 1, download: 0 };

/**
 * At most `perMinute` calls in any 60 seconds for one API key of one process, emissions first.
 * The service allows 300 (spec, "Limits"); the default allows for calls that take long to arrive.
 */
export function memoryRateLimit(perMinute = 280): RateLimit {
  const line = new PQueue({ concurrency: 1, interval: 60_000, intervalCap: perMinute, strict: true });
  let heldUntil = 0;
  const released = async () => {
    for (let left = heldUntil - performance.now(); left > 0; left = heldUntil - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
    }
  };
  return {
    take: (kind) => line.add(released, { priority: urgency[kind] }),
    async slow(forMs) {
      heldUntil = Math.max(heldUntil, performance.now() + forMs);
    },
  };
}

/** For callers that count for themselves. A 429 is then only answered as `throttled`. */
export const unmetered: RateLimit = { async take() {}, async slow() {} };

interface StreamedFile {
  name: string;
  begins(head: Buffer): boolean | null;
}

const MAGIC = Buffer.from('%PDF');
const LONGEST_HEAD = 4096;

/** A PDF begins with `%PDF` (assumption A6). */
export const pdfFile: StreamedFile = {
  name: 'PDF',
  begins: (head) => (head.length < MAGIC.length ? null : head.subarray(0, MAGIC.length).equals(MAGIC)),
};

/** An XML begins with a declaration, a comment or a tag; a page of HTML is none (assumption A5). */
export const xmlFile: StreamedFile = {
  name: 'XML',
  begins(head) {
    const text = head
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .trimStart();
    if (text.length < '<!doctype html'.length) return null;
    return /^<(?!!doctype html|html[\s>])[\w?!]/i.test(text);
  },
};

async function readStream({ status, headers, body }: Reply, file: StreamedFile): Promise<StreamAnswer> {
  // A stream that is destroyed before its end emits an error.
  body.on('error', () => {});
  const refuse = (answer: StreamAnswer): StreamAnswer => {
    body.destroy();
    return answer;
  };
  if (status === 401) return refuse({ kind: 'unauthorized' });
  if (status === 404) {
    const text = await body.text().catch(() => '<');
    return isPage({ status, text })
      ? { kind: 'unknown', reason: 'answered 404 with a page' }
      : { kind: 'not-found' };
  }
  if (status !== 200) return refuse({ kind: 'unknown', reason: `answered ${status}` });
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let right: boolean | null = null;
  try {
    while (right === null) {
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
      right = file.begins(head) ?? (head.length > LONGEST_HEAD ? false : null);
    }
  } catch (error) {
    return refuse({ kind: 'unknown', reason: breakage(error) });
  }
  if (right !== true) {
    return refuse({ kind: 'unknown', reason: `answered 200 with something that is no ${file.name}` });
  }
  const stream = Readable.from(continued(head, chunks), { objectMode: false });
  stream.once('close', () => body.destroy());
  const length = Number(headers['content-length'] ?? Number.NaN);
  return { kind: 'found', length: Number.isSafeInteger(length) ? length : null, stream };
}

async function* continued(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return;
    yield next.value;
  }
}

/** Milliseconds. `total` ends a call whose answer arrives too slowly. */
export interface Timeouts {
  connect: number;
  headers: number;
  body: number;
  total: number;
}

export const defaultTimeouts: Timeouts = { connect: 5_000, headers: 30_000, body: 15_000, total: 60_000 };

/** Bytes; the largest known answer is a RIDE PDF with a logo. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** JSON is sent byte for byte. */
  body?: string | FormData;
  apiKey?: string;
}

interface Reply {
  kind: 'reply';
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Dispatcher.ResponseData['body'];
}

/** No answer. `mayHaveLeft` is false only when not one byte of the request was written. */
interface Broken {
  kind: 'broken';
  reason: string;
  mayHaveLeft: boolean;
}

interface Connection {
  call(call: Call): Promise<Reply | Broken>;
  close(): Promise<void>;
}

/** It repeats nothing: whether a POST may be sent again is decided with the ledger. */
export function openConnection(baseUrl: string, userAgent: string, timeouts: Timeouts): Connection {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/(?<!\/)\/+$/, '');
  const pool = new Pool(origin, {
    connections: 16,
    // One request per connection at a time: a lost connection then concerns one document, not several.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeouts.connect },
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    maxResponseSize: LARGEST_ANSWER,
    keepAliveTimeout: 4_000,
  });
  return {
    async call({ method, path, body, apiKey }) {
      let started = false;
      const watched = pool.compose(noteStart(() => (started = true)));
      try {
        const {
          statusCode,
          headers,
          body: answer,
        } = await watched.request({
          method,
          path: `${prefix}${path}`,
          headers: {
            'user-agent': userAgent,
            accept: 'application/json, application/xml, application/pdf',
            ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
            ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          },
          ...(body === undefined ? {} : { body }),
          signal: AbortSignal.timeout(timeouts.total),
        });
        return { kind: 'reply', status: statusCode, headers, body: answer };
      } catch (error) {
        return { kind: 'broken', reason: breakage(error), mayHaveLeft: started };
      }
    },
    // Not `close`, which would wait for a PDF that is no longer read.
    close: () => pool.destroy(),
  };
}

/** undici calls `onRequestStart` when it has a connected socket and is about to write to it. */
function noteStart(mark: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        mark();
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

function breakage(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return 'no connection within the time allowed';
  if (error instanceof errors.HeadersTimeoutError) return 'no answer within the time allowed';
  if (error instanceof errors.BodyTimeoutError) return 'the answer stopped half way';
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'the answer is too large';
  if (error instanceof Error && error.name === 'TimeoutError') return 'the call took too long';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `the connection failed${code}`;
}
