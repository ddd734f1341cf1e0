import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { decode } from 'html-entities';
import { z } from 'zod';
import type { Credentials } from '../../src/domain/credentials.ts';
import { readJson, readJsonHead } from '../../src/domain/json.ts';
import { id } from '../../src/domain/loose.ts';
import type { RawDelivery, Receipt } from '../../src/domain/platform.ts';
import { word } from '../../src/domain/text.ts';
import { readKept } from './kept.ts';
import type { Connection } from './settings.ts';

/** Room for an order of several thousand lines. */
export const bodyLimit = 4 * 1024 * 1024;

// What is not read here is left where it is: an order has a hundred keys.
const orderBody = z.object({ id, status: word.optional() });
/** The same, where it stands at the beginning, as WooCommerce writes it. */
const headBody = z.object({ id: z.unknown(), status: word });
const actionBody = z.object({ action: word, arg: id });

/**
 * Actions whose first argument is an order, the only one a webhook carries; those of refunds, notes and items carry
 * other ids. A refund that is made also wakes `order.updated` and `order_refunded`; one that is deleted wakes at most
 * `refund_deleted`, which cannot name its order (measured on WooCommerce 11.0.1).
 */
const orderAction =
  /^woocommerce_(payment_complete|order_(?!note|item)|(new|update|trash|untrash|delete|cancelled)_order$)/;

/**
 * Verifies a delivery on its raw bytes and says which order to look at; nothing else in it is believed. The
 * topic is not signed and no transition (measured on WooCommerce 11.0.1), the delivery id is shared by orders of
 * the same second, so a repeat is recognised by topic and body.
 */
export async function receive(
  delivery: RawDelivery,
  connection: Connection | null,
  credentials?: Credentials,
): Promise<Receipt> {
  const signature = delivery.headers['x-wc-webhook-signature'];
  if (signature === undefined) {
    return isPing(delivery)
      ? { kind: 'ping' }
      : { kind: 'refused', status: 401, reason: 'No X-WC-Webhook-Signature header and not a ping.' };
  }
  if (connection === null) {
    return { kind: 'refused', status: 401, reason: 'No WooCommerce store is configured at this address.' };
  }
  const fits = (secrets: readonly string[]) => isGenuine(delivery.body, signature, secrets);
  const genuine =
    fits(connection.webhookSecrets) ||
    (credentials !== undefined && (await fitsKeptSecret(credentials, connection.url, fits)));
  if (!genuine) {
    const reason =
      'The signature fits no secret of this store; copy the secret of the webhook again, or run facturapuente install.';
    return { kind: 'refused', status: 401, reason };
  }

  const topic = delivery.headers['x-wc-webhook-topic'] ?? '';
  const ignored = (reason: string): Receipt => ({ kind: 'ignored', topic, reason });
  const hint = (id: string, hasState = false): Receipt => {
    const known = createHash('sha256').update(delivery.body);
    // Where only an id is sent, a second event is the same bytes as the first; the delivery id tells their seconds apart.
    if (!hasState) known.update(delivery.headers['x-wc-webhook-delivery-id'] ?? '');
    const dedupeKey = `${topic}:${known.digest('hex')}`;
    return { kind: 'hint', topic, shop: connection.url, orderId: id, dedupeKey };
  };
  const head = headBody.safeParse(readJsonHead(delivery.body)).data;
  const body = head ?? parse(delivery.body);
  if (body === undefined) return ignored('The body is not JSON.');

  if (!topic.startsWith('order.')) {
    const action = actionBody.safeParse(body).data;
    if (!action) return ignored('The topic is not about orders.');
    return orderAction.test(action.action)
      ? hint(action.arg)
      : ignored(`The argument of ${action.action} is no order id.`);
  }
  const order = orderBody.safeParse(body);
  // Validly signed: the order was deleted meanwhile (404), or the webhook's owner lost his rights (403).
  if (!order.success) return ignored(`No order id inside${errorCode(body)}.`);
  const { id, status } = order.data;
  if (status === 'checkout-draft' || status === 'auto-draft') return ignored(`Order ${id} is still a draft.`);
  return hint(id, status !== undefined);
}

/** Sent when a webhook is made or its address changes: a form without signature (measured on WooCommerce 11.0.1). */
function isPing({ headers, body }: RawDelivery): boolean {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return false;
  return body.byteLength < 64 && /^webhook_id=\d+$/.test(Buffer.from(body).toString('latin1'));
}

/** WooCommerce signs with the HTML-decoded secret, so one that holds `&amp;` is tried both ways. */
function isGenuine(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64');
  const keys = secrets.flatMap((secret) =>
    secret.includes('&') ? [secret, decode(secret, { level: 'xml' })] : [secret],
  );
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(body).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const utf8 = new TextDecoder();

function parse(body: Uint8Array): unknown {
  try {
    return readJson(utf8.decode(body));
  } catch {
    return undefined;
  }
}

function errorCode(body: unknown): string {
  const error = z.looseObject({ code: z.string().regex(/^[\w-]{1,80}$/) }).safeParse(body);
  return error.success ? `: the shop says ${error.data.code}` : '';
}

interface Known {
  secrets: readonly string[];
  readAt: number;
}

/** A door that is knocked at by strangers asks the ledger no more often than this. */
const atMostEveryMs = 50;
/** Secrets taken back elsewhere are forgotten here after so long. */
const goodForMs = 60_000;

const known = new WeakMap<Credentials, Map<string, Known>>();

/**
 * Whether one of the secrets we made for a shop's webhooks fits. They are read again when none does, so that a secret
 * made by another process counts at once.
 */
async function fitsKeptSecret(
  credentials: Credentials,
  shop: string,
  fits: (secrets: readonly string[]) => boolean,
): Promise<boolean> {
  const shops = known.get(credentials) ?? new Map<string, Known>();
  known.set(credentials, shops);
  const before = shops.get(shop);
  const age = before === undefined ? Number.POSITIVE_INFINITY : performance.now() - before.readAt;
  if (before !== undefined && age < goodForMs && fits(before.secrets)) return true;
  if (age < atMostEveryMs) return false;
  const { secrets } = await readKept(credentials, shop);
  shops.set(shop, { secrets, readAt: performance.now() });
  return fits(secrets);
}
