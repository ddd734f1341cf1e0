/** The few methods of a structured logger that the rooms use; pino fits as it is. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
