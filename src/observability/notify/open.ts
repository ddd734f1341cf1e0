import { createHash } from 'node:crypto';
import type { AlertChannel, AlertNews } from '../../domain/alerts.ts';
import type { Clock } from '../../domain/clock.ts';
import type { DocumentEventType, DocumentListener } from '../../domain/document-event.ts';
import type { Mailer } from '../../domain/mail.ts';
import type { Outbound } from '../../domain/outbound.ts';
import { alertLetter } from './letters.ts';
import { type Endpoint, openPost } from './post.ts';

/** Who outside hears of what, as configured. */
export interface NotifyOptions {
  publicUrl: string;
  /** Mail addresses that are told of alerts. */
  alertsTo: readonly string[];
  /**
   * `types`: what it hears of; "alerts" for alerts. Empty: everything. `stores`: only documents of these, and no alerts,
   * which may be of the whole installation; without it of all.
   */
  webhooks: readonly (Endpoint & { types: readonly string[]; stores?: readonly string[] | undefined })[];
}

interface Parts {
  /** Null where no mail is configured. */
  mailer: Mailer | null;
  clock: Clock;
  userAgent: string;
  outbound: Outbound;
}

/** The type of messages about alerts. */
const alertsType = 'alerts';

/** Opens nothing yet: whoever tells connects. */
export function openNotify(
  { publicUrl, alertsTo, webhooks }: NotifyOptions,
  { mailer, clock, userAgent, outbound }: Parts,
): { channels: Map<string, AlertChannel>; listeners: Map<string, DocumentListener> } {
  const channels = new Map<string, AlertChannel>();
  const listeners = new Map<string, DocumentListener>();
  const post = openPost(outbound);
  if (mailer && alertsTo.length > 0)
    channels.set('correo', {
      id: 'correo',
      tell: (news) => mailer.send({ to: alertsTo, ...alertLetter(news, publicUrl) }),
    });
  for (const { types, stores, ...endpoint } of webhooks) {
    const { id } = endpoint;
    const hears = (type: string) => types.length === 0 || types.includes(type);
    const now = () => ({ now: clock.now(), userAgent });
    listeners.set(id, {
      id,
      wants: (type: DocumentEventType) => hears(type),
      async hear(event) {
        if (stores?.includes(event.data.store) !== false) await post(endpoint, event, now());
      },
    });
    if (stores === undefined && hears(alertsType))
      channels.set(id, { id, tell: (news) => post(endpoint, alertsMessage(news, clock.now()), now()) });
  }
  return { channels, listeners };
}

/** The same news, tried again within the hour, bears the same id. */
function alertsMessage(news: AlertNews, now: Date) {
  const timestamp = now.toISOString();
  const told = JSON.stringify([news.begun, news.still, news.ended, timestamp.slice(0, 13)]);
  const id = `alerts-${createHash('sha256').update(told).digest('base64url')}`;
  return { id, type: alertsType, timestamp, data: news };
}
