import type { Log } from '../domain/log.ts';
import { currentTrace } from './journey.ts';

/** The same log; each line written on a journey names it, unless it names one itself. */
export function tracedLog(log: Log): Log {
  const on = (fields: Record<string, unknown>): Record<string, unknown> => {
    const trace = currentTrace();
    return trace === null ? fields : { trace, ...fields };
  };
  return {
    info: (fields, message) => log.info(on(fields), message),
    warn: (fields, message) => log.warn(on(fields), message),
    error: (fields, message) => log.error(on(fields), message),
  };
}
