import type { Budget, CallKind } from '../domain/budget.ts';
import type { Log } from '../domain/log.ts';
import type { StreamAnswer, Throttled, Unknown, UnknownEffect } from './answers.ts';
import { breakage, type Call, type Connection, type Reply } from './connection.ts';
import { isPage, type ReadReply } from './replies.ts';
import { type FileKind, readStream } from './streams.ts';

/** One call: what it is named in the log, which slot it takes (null: public, without slot and key), how to read it. */
export interface Question<T> {
  operation: string;
  slot: CallKind | null;
  call: Omit<Call, 'apiKey'>;
  read(reply: ReadReply): T | Unknown;
}

/** The calls of one API key under one budget. Each leaves at most once, whatever comes back. */
export interface Exchange {
  /** For what may be asked again without harm. */
  ask<T extends { kind: string }>(question: Question<T>): Promise<T | Throttled | Unknown>;
  /** For what must not happen twice: a lost answer says whether the call may have left. */
  act<T extends { kind: string }>(question: Question<T>): Promise<T | Throttled | UnknownEffect>;
  /** Hands a file on as it comes, once its first bytes say that it is one of this kind. */
  stream(operation: string, path: string, file: FileKind): Promise<StreamAnswer>;
}

/** After a 429 without `Retry-After`; the limit counts per minute (spec, limits). */
const DEFAULT_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

export function openExchange(
  connection: Connection,
  { apiKey, budget, log }: { apiKey: string; budget: Budget; log: Log },
): Exchange {
  const lost = (operation: string, reason: string, mayHaveLeft = true): UnknownEffect => {
    log.warn({ operation, reason }, 'The tax document service gave no usable answer');
    return { kind: 'unknown', reason, mayHaveLeft };
  };
  const send = async (
    operation: string,
    slot: CallKind | null,
    call: Omit<Call, 'apiKey'>,
  ): Promise<Reply | Throttled | UnknownEffect> => {
    if (slot !== null) await budget.take(slot);
    const reply = await connection.call(slot === null ? call : { ...call, apiKey });
    if (reply.kind === 'broken') return lost(operation, reply.reason, reply.mayHaveLeft);
    if (reply.status !== 429) return reply;
    await reply.body.dump().catch(() => {});
    const retryAfterMs = pauseOf(reply);
    if (slot !== null) await budget.slow(retryAfterMs);
    return { kind: 'throttled', retryAfterMs };
  };
  const act: Exchange['act'] = async ({ operation, slot, call, read }) => {
    const reply = await send(operation, slot, call);
    if (reply.kind !== 'reply') return reply;
    let text: string;
    try {
      text = await reply.body.text();
    } catch (error) {
      // An answer that breaks off is none, but the request left, whatever became of it.
      return lost(operation, breakage(error));
    }
    const { status } = reply;
    if (isPage({ status, text })) return { ...lost(operation, `answered ${status} with a page`), status };
    const answer = read({ status, text, date: dateOf(reply) });
    if (!isUnknown(answer)) return answer;
    return { ...lost(operation, answer.reason), status, ...answer };
  };
  return {
    act,
    async ask(question) {
      const answer = await act(question);
      return isUnknown(answer) ? { kind: 'unknown', reason: answer.reason } : answer;
    },
    async stream(operation, path, file) {
      const reply = await send(operation, 'download', { method: 'GET', path });
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
