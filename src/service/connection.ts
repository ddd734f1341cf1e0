import { type Dispatcher, errors, type FormData, Pool } from 'undici';

/** Milliseconds. `total` ends a call whose answer trickles in byte by byte. */
export interface Timeouts {
  connect: number;
  headers: number;
  body: number;
  total: number;
}

export const defaultTimeouts: Timeouts = { connect: 5_000, headers: 30_000, body: 15_000, total: 60_000 };

/** Larger answers are no answers: the largest known one is a RIDE PDF with a logo. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** JSON, sent byte for byte, or the parts of a multipart body. */
  body?: string | FormData;
  /** Left out for the routes that need none. */
  apiKey?: string;
}

export interface Reply {
  kind: 'reply';
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Dispatcher.ResponseData['body'];
}

/** No answer. `mayHaveLeft` is false only when not one byte of the request was written. */
export interface Broken {
  kind: 'broken';
  reason: string;
  mayHaveLeft: boolean;
}

export interface Connection {
  call(call: Call): Promise<Reply | Broken>;
  close(): Promise<void>;
}

/**
 * One pool of connections to one service address. Nothing is ever repeated here: whether a POST may be sent
 * again is the ledger's decision.
 */
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
    // Not `close`, which would wait for a PDF nobody reads any more.
    close: () => pool.destroy(),
  };
}

/** undici says `onRequestStart` when it has a connected socket and is about to write on it. */
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

/** A sentence without address, headers or body. */
export function breakage(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return 'no connection within the time allowed';
  if (error instanceof errors.HeadersTimeoutError) return 'no answer within the time allowed';
  if (error instanceof errors.BodyTimeoutError) return 'the answer stopped half way';
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'the answer is too large';
  if (error instanceof Error && error.name === 'TimeoutError') return 'the call took too long';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `the connection failed${code}`;
}
