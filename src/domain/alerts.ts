import type { AlertCode, AlertParams } from '../messages/alerts.ts';
import type { Log } from './ports.ts';
import type { Owner } from './settings.ts';

export interface AlertName {
  code: string;
  /** Identifies the cause within a code; the alert ends under the same subject. */
  subject: string;
}

export type Alert = {
  [C in AlertCode]: {
    code: C;
    subject: string;
    params: AlertParams<C>;
    /** Absent for the whole installation, and then hidden from people limited to some stores. */
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
  'webhooks-not-stored',
  'order-unread',
  'job-held',
];

/** `order-unread` and `job-held` also end by themselves; the other alerts end only when a person ends them. */
export const isClearable = (code: string): boolean => clearable.includes(code);

export interface AlertEnd {
  code: string | readonly string[];
  subject: string;
}

/** Neither method fails: a channel that cannot be reached is retried by the implementation. */
export interface Alerts {
  raise(alert: Alert): Promise<void>;
  over(alert: AlertEnd): Promise<void>;
}

export interface OpenAlert {
  code: string;
  subject: string;
  what: string;
  resolution: string;
  since: string;
  about?: Owner | undefined;
}

export interface AlertNews {
  begun: readonly OpenAlert[];
  still: readonly OpenAlert[];
  ended: readonly OpenAlert[];
}

export interface AlertChannel {
  id: string;
  notify(news: AlertNews): Promise<void>;
}

/** Codes only: the sentences quote others, and stay out of the log. */
export function logAlerts(log: Log): Alerts {
  return {
    raise: async ({ code, subject, about }) =>
      log.error({ alert: code, subject, about }, 'Alert began; «facturapuente alerts» has its sentence'),
    over: async ({ code, subject }) =>
      log.info({ alert: code, subject }, 'Alert ended; what waited for it continues'),
  };
}
