import type { Log } from './log.ts';

/** Something a person must know of, told once when it begins. */
export interface Alert {
  /** For machines: "account-api-key", "account-credits" … */
  code: string;
  /** The same thing has the same subject: its end is told under it. */
  subject: string;
  /** What happened and what to do, in Spanish. */
  what: string;
  cure: string;
}

/** Where alerts go. Telling must not fail: whoever cannot be reached is the port's own trouble. */
export interface Alerts {
  raise(alert: Alert): void;
  /** What was told of is over. */
  over(alert: Pick<Alert, 'code' | 'subject'>): void;
}

/** Alerts as lines of the log: errors when they begin. */
export function logAlerts(log: Log): Alerts {
  return {
    raise: ({ code, subject, what, cure }) => log.error({ alert: code, subject, cure }, what),
    over: ({ code, subject }) =>
      log.info({ alert: code, subject }, 'An alert is over; what waited goes on by itself'),
  };
}
