import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { RawDelivery } from '../domain/platform.ts';

/**
 * Bytes of request bodies that one process holds until they are answered: a thousand webhooks of usual size, eight of
 * the longest. Whoever asks beyond it is told 503, and asks again.
 */
const mostBytes = 32 * 1024 * 1024;
const retryAfterSeconds = 5;

/** How many bytes of bodies are held, in all and for each endpoint. */
export interface BodyMemory {
  /** Whether `bytes` more fit: no endpoint takes more than a quarter, but for a single body. */
  fits(endpoint: string, bytes: number): boolean;
  /** Counts bytes that are held, or, negative, no longer. */
  add(endpoint: string, bytes: number): void;
}

export function openBodyMemory(total = mostBytes): BodyMemory {
  const held = new Map<string, number>();
  let all = 0;
  return {
    fits(endpoint, bytes) {
      const own = held.get(endpoint) ?? 0;
      return all + bytes <= total && (own === 0 || own + bytes <= total / 4);
    },
    add(endpoint, bytes) {
      all += bytes;
      const own = (held.get(endpoint) ?? 0) + bytes;
      if (own === 0) held.delete(endpoint);
      else held.set(endpoint, own);
    },
  };
}

export type ReadBody = (req: IncomingMessage, res: ServerResponse, endpoint: string) => Promise<RawDelivery>;

/**
 * Reads a request exactly as it came, up to `limit` bytes: signatures are made over these bytes. Compressed
 * bodies are refused, for nobody who signs sends them. Rejects with an error that carries its status (400, 413, 415,
 * 503), before a byte is read where the length is declared.
 */
export function openRawBody(limit: number, memory: BodyMemory): ReadBody {
  return async (req, res, endpoint) => {
    const headers = req.headers as Readonly<Record<string, string | undefined>>;
    const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = headers;
    if (encoding.toLowerCase() !== 'identity') throw failure(415, 'The body is compressed.');
    const declared = Number(length);
    if (declared > limit) throw tooLarge(limit);
    if (!memory.fits(endpoint, declared)) throw busy(res);
    const hold = openHold(memory, endpoint, res);
    return { headers, body: await gather(req, limit, hold) };
  };
}

/** Reads a form of at most `limit` bytes into `req.body`; a compressed one only as far as that. */
export function formReader(
  limit: number,
  memory: BodyMemory,
  endpoint: string,
  parameterLimit = 40,
): ReturnType<typeof express.urlencoded> {
  const read = express.urlencoded({ extended: false, limit, parameterLimit });
  return (req, res, next) => {
    openHold(memory, endpoint, res)(limit);
    read(req, res, next);
  };
}

/** Counts what one request holds until its answer is sent or its connection is gone. */
function openHold(memory: BodyMemory, endpoint: string, res: ServerResponse): (bytes: number) => void {
  if (res.closed) throw aborted();
  let held = 0;
  let over = false;
  res.once('close', () => {
    over = true;
    memory.add(endpoint, -held);
  });
  return (bytes) => {
    if (over) throw aborted();
    if (!memory.fits(endpoint, bytes)) throw busy(res);
    memory.add(endpoint, bytes);
    held += bytes;
  };
}

/** The whole body. After a failure what still comes is thrown away, so that the sender can read our answer. */
function gather(req: IncomingMessage, limit: number, hold: (bytes: number) => void): Promise<Buffer> {
  // A parser of the program around us was here before: what it left proves nothing.
  if (req.readableEnded) return Promise.resolve(Buffer.alloc(0));
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      req.off('data', take);
      parts.length = 0;
      req.resume();
      reject(error);
    };
    const take = (part: Buffer) => {
      size += part.length;
      try {
        if (size > limit) throw tooLarge(limit);
        hold(part.length);
        parts.push(part);
      } catch (error) {
        fail(error);
      }
    };
    req.on('data', take);
    req.once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
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
