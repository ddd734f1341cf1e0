import type { Config } from '../config/load.ts';
import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { DocumentListener } from '../domain/document-event.ts';
import type { Log } from '../domain/log.ts';
import type { Mailer } from '../domain/mail.ts';
import type { Outbound } from '../domain/outbound.ts';
import { ledgerAlerts } from '../jobs/alerts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openNotify } from '../observability/notify/open.ts';
import { userAgent } from './version.ts';

export interface Notification extends ReturnType<typeof openNotify> {
  alerts: Alerts;
  mailer: Mailer | null;
}

/** What sends letters takes 5 MB, which whoever sends none is spared. */
async function letters(mail: NonNullable<Config['mail']>): Promise<Mailer> {
  const { openMail } = await import('../observability/notify/mail.ts');
  return openMail(mail);
}

/** Who outside hears of what: the channels and listeners of the config, beside `more` of the program around. */
export async function openNotification(
  { publicUrl, mail, notify }: Pick<Config, 'publicUrl' | 'mail' | 'notify'>,
  { ledger, clock, log, outbound }: { ledger: Ledger; clock: Clock; log: Log; outbound: Outbound },
  more: readonly DocumentListener[] = [],
): Promise<Notification> {
  const mailer = mail === undefined ? null : await letters(mail);
  const webhooks = Object.entries(notify.webhooks).map(([id, endpoint]) => ({ id, ...endpoint }));
  const { channels, listeners } = openNotify(
    { publicUrl, alertsTo: notify.alertsTo, webhooks },
    { mailer, clock, userAgent, outbound },
  );
  for (const listener of more) listeners.set(listener.id, listener);
  return { alerts: ledgerAlerts({ ledger, clock, log, channels }), channels, listeners, mailer };
}
