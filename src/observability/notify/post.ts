import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { DeliveryError } from '../../domain/errors.ts';
import { type Outbound, privateAddress } from '../../domain/outbound.ts';

/** Where signed messages go. */
export interface Endpoint {
  id: string;
  url: string;
  /** `whsec_…`, the newest first; all of them sign, so that the receiver may change over at any time. */
  secrets: readonly string[];
}

/** One message, as Standard Webhooks has them (standardwebhooks.com, "Webhook payload"). */
export interface Message {
  id: string;
  type: string;
  timestamp: string;
  data: unknown;
}

const timeoutMs = 15_000;

/**
 * Answers how to post a message, signed by Standard Webhooks 1.0 with the time of this try. Redirects are not followed.
 * What it answers rejects with DeliveryError unless it was answered 2xx.
 */
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

/** The address may carry a secret in its path: only its host is told. */
function undelivered(
  id: string,
  url: string,
  why: string,
  retryAfterMs: number | null = null,
): DeliveryError {
  const { host } = new URL(url);
  return new DeliveryError(
    'webhook-undelivered',
    why === privateAddress
      ? `El webhook ${id} (${host}) lleva a una red privada y no se llama: corrija su dirección, o escriba esa red en «outbound.allow» si el receptor está junto a facturapuente.`
      : `El webhook ${id} (${host}) no recibió el aviso (${why}); se intentará de nuevo.`,
    `Webhook ${id} (${host}) did not take a message (${why}).`,
    { retryAfterMs },
  );
}
