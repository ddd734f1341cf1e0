import { createHmac } from 'node:crypto';
import type { InstallItem } from '../../../src/domain/install.ts';
import type { InstallCalls, ShopWebhook } from './calls.ts';

/** All that may happen to an order; refunds and payments have no topic of their own (measured on WooCommerce 11.0.1). */
export const topics = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;
type Topic = (typeof topics)[number];

/** Where our webhooks go and what they sign with. */
export interface WebhookTarget {
  url: string;
  /** All we know, the newest first: it is the one they should have. */
  secrets: readonly string[];
}

/** What has to be done for one topic. */
export interface WebhookPlan {
  topic: Topic;
  state: 'ok' | 'missing' | 'differs';
  /** Why it is not right; a Spanish clause. */
  why: string | null;
  /** There is none that is right. */
  make: boolean;
  superfluous: readonly ShopWebhook[];
}

/**
 * The shop never tells a secret. Its fingerprint stands in the name, so that a webhook that signs with another one is
 * known, without keeping a list of what we made.
 */
const fingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('facturapuente webhook').digest('hex').slice(0, 8);
const nameOf = (topic: Topic, secret: string): string => `facturapuente ${topic} (${fingerprint(secret)})`;
const namePattern = /^facturapuente [a-z.]+ \(([0-9a-f]{8})\)$/;

/**
 * Whether a webhook is ours: it goes to our address, or it has a secret only we know (our address changed). Another
 * facturapuente at the same shop keeps its own.
 */
function isOurs({ name, delivery_url }: ShopWebhook, { url, secrets }: WebhookTarget): boolean {
  const print = namePattern.exec(name)?.[1];
  return delivery_url === url || secrets.some((secret) => fingerprint(secret) === print);
}

export function planWebhooks(found: readonly ShopWebhook[], target: WebhookTarget): WebhookPlan[] {
  const newest = target.secrets[0] ?? '';
  return topics.map((topic) => {
    // By their ids, so that processes that look at the same time keep the same one.
    const ours = found
      .filter((one) => one.topic === topic && isOurs(one, target))
      .toSorted((a, b) => b.id - a.id);
    const right = ours.filter((one) => whyWrong(one, nameOf(topic, newest), target.url) === null);
    const superfluous = ours.filter((one) => one !== right[0]);
    const make = right.length === 0;
    if (ours.length === 0) return { topic, state: 'missing', why: null, make, superfluous };
    if (superfluous.length === 0) return { topic, state: 'ok', why: null, make, superfluous };
    const [wrong] = superfluous;
    const why = make && wrong ? whyWrong(wrong, nameOf(topic, newest), target.url) : 'está repetido';
    return { topic, state: 'differs', why, make, superfluous };
  });
}

function whyWrong(
  { status, delivery_url, name }: ShopWebhook,
  rightName: string,
  url: string,
): string | null {
  if (status === 'disabled')
    return 'WooCommerce lo desactivó, porque nuestras respuestas fallaron siete veces seguidas o alguien lo apagó';
  if (status !== 'active') return 'está en pausa';
  if (delivery_url !== url) return 'apunta a otra dirección';
  return name === rightName ? null : 'no se sabe con qué secreto firma';
}

/**
 * Makes what is missing and replaces what differs: switched on again, a webhook would remember its failures (measured
 * on WooCommerce 11.0.1). The new one comes first, so that no event falls between the two.
 */
export async function repairWebhooks(
  calls: InstallCalls,
  plan: readonly WebhookPlan[],
  { url, secrets }: WebhookTarget,
): Promise<void> {
  const [secret = ''] = secrets;
  for (const { topic, make, superfluous } of plan) {
    if (make) await calls.makeWebhook({ name: nameOf(topic, secret), topic, delivery_url: url, secret });
    for (const { id } of superfluous) await calls.deleteWebhook(id);
  }
}

/** Every webhook of ours, whatever its topic. */
export const ourWebhooks = (found: readonly ShopWebhook[], target: WebhookTarget): ShopWebhook[] =>
  found.filter((one) => isOurs(one, target) && (topics as readonly string[]).includes(one.topic));

export function webhookItem({ topic, state, why }: WebhookPlan, repaired: boolean): InstallItem {
  const code = `webhook ${topic}`;
  const what = `Webhook ${topic}`;
  if (state === 'ok') return { code, what, state, cure: null };
  const reason = why === null ? null : `El webhook ${why}`;
  if (repaired) return { code, what, state: 'ok', cure: reason && `${reason}; se reemplazó.`, done: true };
  const cure = 'ejecute «facturapuente install», que lo deja bien';
  return {
    code,
    what,
    state,
    cure: reason === null ? `Falta en la tienda: ${cure}.` : `${reason}: ${cure}.`,
  };
}
