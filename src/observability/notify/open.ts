import { createHash } from 'node:crypto';
import type { AlertChannel, AlertNews, OpenAlert } from '../../domain/alerts.ts';
import type { Clock } from '../../domain/clock.ts';
import type { DocumentEventType, DocumentListener } from '../../domain/document-event.ts';
import type { Mailer } from '../../domain/mail.ts';
import type { Outbound } from '../../domain/outbound.ts';
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

/** Shown of one kind; the rest is counted. */
const shown = 10;

/** One letter for all the news of a moment, in Spanish; alerts of one code stand together. */
export function alertLetter(
  { begun, still, ended }: AlertNews,
  publicUrl: string,
): { subject: string; text: string } {
  const sections = [
    section('Lo nuevo', begun),
    section('Sigue pendiente', still),
    ended.length > 0 ? ['RESUELTO', ...groups(ended).map((alerts) => `- ${summary(alerts)}`)].join('\n') : '',
  ].filter((text) => text !== '');
  return {
    subject: subjectOf({ begun, still, ended }),
    text: `${sections.join('\n\n')}\n\n--\nfacturapuente, ${publicUrl}\n`,
  };
}

function subjectOf({ begun, still, ended }: AlertNews): string {
  const [first] = begun;
  if (first) return begun.length === 1 ? first.what : `${begun.length} asuntos necesitan su atención`;
  if (still.length > 0)
    return still.length === 1
      ? `Sigue pendiente: ${still[0]?.what}`
      : `${still.length} asuntos siguen pendientes`;
  return ended.length === 1 ? `Resuelto: ${ended[0]?.what}` : `${ended.length} asuntos resueltos`;
}

function section(title: string, alerts: readonly OpenAlert[]): string {
  if (alerts.length === 0) return '';
  const parts = groups(alerts).map((same) => {
    const lines = same.slice(0, shown).map(({ what }) => `- ${what}`);
    if (same.length > shown) lines.push(`- y ${same.length - shown} más.`);
    return [
      ...lines,
      ...[...new Set(same.map(({ cure }) => cure))].map((cure) => `  Qué hacer: ${cure}`),
    ].join('\n');
  });
  return [title.toUpperCase(), ...parts].join('\n');
}

function summary(alerts: readonly OpenAlert[]): string {
  return alerts.length === 1 ? (alerts[0]?.what ?? '') : `${alerts[0]?.what} (y ${alerts.length - 1} más)`;
}

function groups(alerts: readonly OpenAlert[]): OpenAlert[][] {
  return [...Map.groupBy(alerts, ({ code }) => code).values()];
}
