import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson } from '../domain/json.ts';
import { type DocumentEvent, readEvent } from './event.ts';
import { spelledKey } from './inferred.ts';
import { documentBody, webhookEvent } from './wire.ts';

/**
 * A webhook delivery after checking. `test` is `webhook.prueba`; `other` is genuine, but of an event this
 * version does not know; `contradictory` genuine, but its parts do not agree. `status` of a refusal: 401 not proven
 * genuine, 400 genuine but unreadable.
 */
export type ServiceDelivery =
  | { ok: true; kind: 'document'; event: DocumentEvent; dedupeKey: string }
  | { ok: true; kind: 'test' }
  | { ok: true; kind: 'other' | 'contradictory'; evento: string }
  | { ok: false; status: 400 | 401; reason: string };

type Headers = Readonly<Record<string, string | undefined>>;

/** Spec, limits: the receiver must reject what was signed further away, in either direction. */
const WINDOW_SECONDS = 300;

/**
 * Checks the signature over the exact bytes, then reads the body. The event is the body's `evento`: headers
 * are not signed. Header names are lower case; `secrets` are all that may have signed, newest first.
 */
export function verifyServiceWebhook(
  headers: Headers,
  rawBody: Uint8Array,
  secrets: readonly string[],
  now: Date,
): ServiceDelivery {
  const v2 = headers['x-service-signature-v2'];
  // V1 only where there is no V2: it carries no time, so a broken V2 must not be rescued by it.
  const refusal =
    v2 === undefined
      ? refuseV1(headers['x-service-signature'], rawBody, secrets)
      : refuseV2(v2, rawBody, secrets, now);
  if (refusal !== null) return { ok: false, status: 401, reason: refusal };

  const json = readJson(rawBody);
  const named = webhookEvent.safeParse(json);
  if (!named.success) return { ok: false, status: 400, reason: 'The body names no event.' };
  const { evento } = named.data;
  if (evento === 'webhook.prueba') return { ok: true, kind: 'test' };
  if (!documentBody.shape.evento.safeParse(evento).success) return { ok: true, kind: 'other', evento };
  const read = documentBody.safeParse(spelledKey(json));
  if (!read.success) return { ok: false, status: 400, reason: 'The body has no access key of 49 digits.' };
  const event = readEvent(read.data);
  if (event === 'contradictory') return { ok: true, kind: event, evento };
  const delivery = headers['x-service-delivery'];
  // Retries of one delivery share its id; V1 has no replay protection, so there the content is the identity.
  const dedupeKey =
    v2 !== undefined && delivery
      ? `entrega:${delivery.slice(0, 100)}`
      : `evento:${event.claveacceso}:${evento}`;
  return { ok: true, kind: 'document', event, dedupeKey };
}

function refuseV2(header: string, body: Uint8Array, secrets: readonly string[], now: Date): string | null {
  const [, t = '', hex = ''] = /^\s*t=(\d{1,12})\s*,\s*v1=([0-9a-f]{64})\s*$/i.exec(header) ?? [];
  if (hex === '') return 'The V2 signature header is not t=<timestamp>,v1=<hex>.';
  if (!secrets.some((secret) => matches(hex, secret, [`${t}.`, body]))) return 'The V2 signature is wrong.';
  const distance = Math.abs(now.getTime() / 1000 - Number(t));
  return distance > WINDOW_SECONDS ? 'The V2 signature was made more than 300 seconds away from now.' : null;
}

function refuseV1(header: string | undefined, body: Uint8Array, secrets: readonly string[]): string | null {
  if (header === undefined) return 'There is no signature.';
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/i.exec(header.trim()) ?? [];
  if (hex === '') return 'The signature header is not sha256=<hex>.';
  return secrets.some((secret) => matches(hex, secret, [body])) ? null : 'The signature is wrong.';
}

function matches(hex: string, secret: string, parts: readonly (string | Uint8Array)[]): boolean {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return timingSafeEqual(mac.digest(), Buffer.from(hex, 'hex'));
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
