import type { Log } from './log.ts';
import type { Owner } from './scope.ts';

/** Something a person must know of, told when it begins. */
export interface Alert {
  /** For machines: "account-api-key", "document-rejected" … Alerts of one code are told together. */
  code: string;
  /** The same thing has the same subject: its end is told under it. */
  subject: string;
  /** What happened and what to do, in Spanish. */
  what: string;
  cure: string;
  /** Whose it is; without it the whole installation's, told to nobody who is limited to some stores. */
  about?: Owner | undefined;
}

const clearable = [
  'document-differs',
  'document-annulled',
  'dropped-authorized',
  'shop-clock-back',
  'answers-mixed-up',
  'ledger-older-than-service',
  'shop-uninstalled',
  'shop-without-store',
  'history-in-doubt',
];

/** Whether nothing but a person who looked can end it; all others end when their cause does. */
export const isClearable = (code: string): boolean => clearable.includes(code);

/** One alert of a subject, or several of which those that last end. */
export interface AlertEnd {
  code: string | readonly string[];
  subject: string;
}

/** Where alerts go. Telling never fails: whoever cannot be reached is the port's own trouble. */
export interface Alerts {
  /** Told once, however often it is raised while it lasts. */
  raise(alert: Alert): Promise<void>;
  /** What was told of is over; costs next to nothing where nothing was, so whoever sees that all is well may say so. */
  over(alert: AlertEnd): Promise<void>;
}

/** An alert and when it began. */
export interface OpenAlert extends Alert {
  since: string;
}

/** What one channel has not been told yet. */
export interface AlertNews {
  begun: readonly OpenAlert[];
  /** Told before, and still so. */
  still: readonly OpenAlert[];
  ended: readonly OpenAlert[];
}

/** Somebody who is told of alerts: a mailbox, a webhook. `tell` throws when it did not arrive. */
export interface AlertChannel {
  id: string;
  tell(news: AlertNews): Promise<void>;
}

/** Alerts as lines of the log: errors when they begin. */
export function logAlerts(log: Log): Alerts {
  return {
    raise: async ({ code, subject, what, cure }) => log.error({ alert: code, subject, cure }, what),
    over: async ({ code, subject }) =>
      log.info({ alert: code, subject }, 'An alert is over; what waited goes on by itself'),
  };
}
