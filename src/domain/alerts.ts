import type { AlertCode, AlertParams } from '../messages/alerts.ts';
import type { Log } from './ports.ts';
import type { Owner } from './settings.ts';

/** The name of an alert. Alerts with one code are delivered together. */
export interface AlertName {
  code: string;
  /** Identifies the cause within a code; the alert ends under the same subject. */
  subject: string;
}

/** Something a person must know: a code of `src/messages`, with the data of the case. */
export type Alert = {
  [C in AlertCode]: {
    code: C;
    subject: string;
    params: AlertParams<C>;
    /** Whose it is; absent for the whole installation, and then hidden from people limited to some stores. */
    about?: Owner | undefined;
  };
}[AlertCode];

const clearable = [
  'document-differs',
  'document-annulled',
  'dropped-authorized',
  'shop-clock-back',
  'answers-mixed-up',
  'ledger-older-than-service',
  'shop-uninstalled',
  'shop-without-store',
  'history-unclear',
  'webhooks-not-stored',
  'order-unread',
  'job-held',
];

/** Whether a person can end the alert; all but `order-unread` and `job-held` end by nothing else. */
export const isClearable = (code: string): boolean => clearable.includes(code);

/** Ends one alert of a subject, or all of several codes. */
export interface AlertEnd {
  code: string | readonly string[];
  subject: string;
}

/** Where alerts go. Neither method fails: a channel that cannot be reached is retried by the implementation. */
export interface Alerts {
  /** Notified once, however often it is raised while it lasts. */
  raise(alert: Alert): Promise<void>;
  /** Ends the alert. Cheap when there is none, so callers need not know whether it was raised. */
  over(alert: AlertEnd): Promise<void>;
}

/** An alert that began, in words. */
export interface OpenAlert {
  code: string;
  subject: string;
  /** What happened and what to do, in Spanish. */
  what: string;
  resolution: string;
  since: string;
  about?: Owner | undefined;
}

/** What one channel has not been notified of yet. */
export interface AlertNews {
  begun: readonly OpenAlert[];
  /** Notified before, and still open. */
  still: readonly OpenAlert[];
  ended: readonly OpenAlert[];
}

/** A mailbox or a webhook that receives alerts. `notify` throws when it was not delivered. */
export interface AlertChannel {
  id: string;
  notify(news: AlertNews): Promise<void>;
}

/** Writes alerts to the log by their codes, as errors when they begin: their sentences quote others, and stay out of the log. */
export function logAlerts(log: Log): Alerts {
  return {
    raise: async ({ code, subject, about }) =>
      log.error({ alert: code, subject, about }, 'Alert began; «facturapuente alerts» has its sentence'),
    over: async ({ code, subject }) =>
      log.info({ alert: code, subject }, 'Alert ended; what waited for it continues'),
  };
}
