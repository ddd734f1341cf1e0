import { destination, pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { Log } from '../domain/log.ts';
import type { LogLevel } from './log-level.ts';

/**
 * The log: one JSON object a line with `level` as a word, `time` as ISO 8601 in UTC, `msg`, and `trace` on every
 * line of an order's journey.
 * @param to.file appended to, made with its folders; standard output without one.
 */
export function openLog({ level, file }: { level: LogLevel; file?: string | undefined }): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: onlyWords },
  };
  return file === undefined
    ? pino(options)
    : pino(options, destination({ dest: file, append: true, mkdir: true, sync: true, mode: 0o600 }));
}

/**
 * Of an error its name, code, words and stack. Errors of libraries carry more as properties (an HTTP client's its
 * whole request, credentials included), and none of that belongs into a log.
 */
function onlyWords(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return { type, ...(code === undefined ? {} : { code }), message, stack };
}
