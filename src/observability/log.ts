import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { destination, pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { Log } from '../domain/ports.ts';

/**
 * The log: one JSON object a line with `level` as a word, `time` as ISO 8601 in UTC, `msg`, and `trace` on every line about
 * an order.
 * @param to.file appended to, made with its folders; standard output without one.
 */
export function openLog({ level, file }: { level: LogLevel; file?: string | undefined }): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: safeError },
  };
  return file === undefined
    ? pino(options)
    : pino(options, destination({ dest: file, append: true, mkdir: true, sync: true, mode: 0o600 }));
}

/** The name, code, message and stack of an error, without other properties: those of HTTP clients include credentials. */
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return { type, ...(code === undefined ? {} : { code }), message, stack };
}

/** From everything to nothing. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The same log, with the current trace on each line that names none. */
export function tracedLog(log: Log): Log {
  const traced = (fields: Record<string, unknown>): Record<string, unknown> => {
    const trace = currentTrace();
    return trace === null ? fields : { trace, ...fields };
  };
  return {
    info: (fields, message) => log.info(traced(fields), message),
    warn: (fields, message) => log.warn(traced(fields), message),
    error: (fields, message) => log.error(traced(fields), message),
  };
}

/**
 * The correlation of one order, from its webhook to the note on the order. `trace` is an id of 32 hexadecimal digits (the
 * form of an OpenTelemetry trace id): a delivery gets it at the endpoint, jobs pass it on in the ledger, and every log line
 * and span has it.
 */
interface TraceContext {
  trace: string;
}

const current = new AsyncLocalStorage<TraceContext>();

/** All digits are random, because they select the share of traces that is recorded. */
export const newTrace = (): string => randomBytes(16).toString('hex');

/** Runs `task` under a trace, or under a new one. */
export function inTrace<T>(trace: string | null, task: () => T): T {
  return current.run({ trace: trace ?? newTrace() }, task);
}

/** The trace of the running code; null outside of all. */
export const currentTrace = (): string | null => current.getStore()?.trace ?? null;

/**
 * Moves the running code to an earlier trace: a service webhook is about a document whose trace began with an order. Null,
 * or outside of all traces, changes nothing.
 */
export function joinTrace(trace: string | null): void {
  const context = current.getStore();
  if (context && trace !== null) context.trace = trace;
}
