import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { destination, pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { Log } from '../domain/ports.ts';

/** Each line is a JSON object: `level` as a word, `time` in ISO 8601 UTC, `msg`, `trace`. */
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

/** Other properties of errors are omitted: those of HTTP clients include credentials. */
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return { type, ...(code === undefined ? {} : { code }), message, stack };
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

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

/** `trace`: 32 hexadecimal digits, as an OpenTelemetry trace id; from the webhook of an order to the note on the order. */
interface TraceContext {
  trace: string;
}

const current = new AsyncLocalStorage<TraceContext>();

/** All digits are random, because they select the share of traces that is recorded. */
export const newTrace = (): string => randomBytes(16).toString('hex');

export function inTrace<T>(trace: string | null, task: () => T): T {
  return current.run({ trace: trace ?? newTrace() }, task);
}

export const currentTrace = (): string | null => current.getStore()?.trace ?? null;

/** A service webhook is about a document whose trace began with an order. null, or no current trace, changes nothing. */
export function joinTrace(trace: string | null): void {
  const context = current.getStore();
  if (context && trace !== null) context.trace = trace;
}
