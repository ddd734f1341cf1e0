import type { Log } from '../../src/domain/ports.ts';

/** A log that keeps its lines as "level message". */
export function recordingLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const at = (level: string) => (_: Record<string, unknown>, message: string) =>
    void lines.push(`${level} ${message}`);
  return { lines, log: { info: at('info'), warn: at('warn'), error: at('error') } };
}
