import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { AlertChannel, AlertNews, OpenAlert } from '../../domain/alerts.ts';
import type { Clock } from '../../domain/clock.ts';
import type { DocumentEventType, DocumentListener } from '../../domain/document.ts';
import { DeliveryError } from '../../domain/errors.ts';
import { type Mailer, type Outbound, privateAddress } from '../../domain/ports.ts';

interface NotifyOptions {
  publicUrl: string;
  alertsTo: readonly string[];
  /** `types`: event types, "alerts" for alerts; empty for everything. `stores`: only their documents, and no alerts. */
  webhooks: readonly (Endpoint & { types: readonly string[]; stores?: readonly string[] | undefined })[];
}

interface Parts {
  mailer: Mailer | null;
  clock: Clock;
  userAgent: string;
  outbound: Outbound;
}

const alertsType = 'alerts';

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
      notify: (news) => mailer.send({ to: alertsTo, ...alertLetter(news, publicUrl) }),
    });
  for (const { types, stores, ...endpoint } of webhooks) {
    const { id } = endpoint;
    const isWanted = (type: string) => types.length === 0 || types.includes(type);
    const now = () => ({ now: clock.now(), userAgent });
    listeners.set(id, {
      id,
      wants: (type: DocumentEventType) => isWanted(type),
      async notify(event) {
        if (stores?.includes(event.data.store) !== false) await post(endpoint, event, now());
      },
    });
    if (stores === undefined && isWanted(alertsType))
      channels.set(id, { id, notify: (news) => post(endpoint, alertsMessage(news, clock.now()), now()) });
  }
  return { channels, listeners };
}

/** Within the hour, a retry of the same news has the same id. */
function alertsMessage(news: AlertNews, now: Date) {
  const timestamp = now.toISOString();
  const reported = JSON.stringify([news.begun, news.still, news.ended, timestamp.slice(0, 13)]);
  const id = `alerts-${createHash('sha256').update(reported).digest('base64url')}`;
  return { id, type: alertsType, timestamp, data: news };
}

const shown = 10;

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
      ...[...new Set(same.map(({ resolution }) => resolution))].map(
        (resolution) => `  Qué hacer: ${resolution}`,
      ),
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

interface Endpoint {
  id: string;
  url: string;
  /** `whsec_…`, newest first; all of them sign, so that the receiver can change at any time. */
  secrets: readonly string[];
}

/** Standard Webhooks (standardwebhooks.com, "Webhook payload"). */
export interface Message {
  id: string;
  type: string;
  timestamp: string;
  data: unknown;
}

const timeoutMs = 15_000;

/** Signed by Standard Webhooks 1.0 with the time of this attempt; follows no redirects. Throws DeliveryError unless 2xx. */
export function openPost(outbound: Outbound) {
  let agent: Agent | undefined;
  return async (
    { id, url, secrets }: Endpoint,
    message: Message,
    { now, userAgent }: { now: Date; userAgent: string },
  ): Promise<void> => {
    if (outbound.refuses(new URL(url).hostname)) throw undelivered(id, url, privateAddress);
    agent ??= new Agent({ connect: { lookup: outbound.lookup as LookupFunction, timeout: timeoutMs } });
    const { id: messageId, ...payload } = message;
    const body = JSON.stringify(payload);
    const signatures = secrets.map((secret) => new Webhook(secret).sign(messageId, now, body));
    const answer = await request(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signatures.join(' '),
      },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
      dispatcher: agent,
    }).catch((error: unknown) => {
      throw undelivered(id, url, reasonOf(error));
    });
    await answer.body.dump().catch(() => {});
    if (answer.statusCode >= 200 && answer.statusCode < 300) return;
    const seconds = Number(answer.headers['retry-after']);
    throw undelivered(id, url, `HTTP ${answer.statusCode}`, Number.isFinite(seconds) ? seconds * 1000 : null);
  };
}

function reasonOf(error: unknown): string {
  const { name = 'Error', code } = (error ?? {}) as { name?: string; code?: string };
  return code ?? name;
}

/** Names only the host: the path may contain a secret. */
function undelivered(
  id: string,
  url: string,
  why: string,
  retryAfterMs: number | null = null,
): DeliveryError {
  const { host } = new URL(url);
  return new DeliveryError('webhook-undelivered', { id, host, why }, { retryAfterMs });
}
