import { createHmac, randomBytes } from 'node:crypto';
import { did, item } from '../../src/domain/checks.ts';
import type { InstallItem } from '../../src/domain/platform.ts';
import type { WebhookFlaw } from '../../src/messages/checks-shop.ts';
import type { Api, ShopWebhook } from './api.ts';

/** Every event of an order; refunds and payments have no topics of their own (measured on WooCommerce 11.0.1). */
export const topics = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;
type Topic = (typeof topics)[number];

export interface WebhookTarget {
  url: string;
  secrets: readonly string[];
}

interface WebhookPlan {
  topic: Topic;
  state: 'ok' | 'missing' | 'differs';
  flaw: WebhookFlaw | null;
  create: boolean;
  superfluous: readonly ShopWebhook[];
}

/** The API never shows a secret, so the name of a webhook carries the fingerprint of its secret. */
const fingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('facturapuente webhook').digest('hex').slice(0, 8);
const nameOf = (topic: Topic, secret: string): string => `facturapuente ${topic} (${fingerprint(secret)})`;
const namePattern = /^facturapuente [a-z.]+ \(([0-9a-f]{8})\)$/;

/** Our address may have changed, so a secret of ours counts too. Another facturapuente at the same shop is not ours. */
function isOurs({ name, delivery_url }: ShopWebhook, { url, secrets }: WebhookTarget): boolean {
  const print = namePattern.exec(name)?.[1];
  return delivery_url === url || secrets.some((secret) => fingerprint(secret) === print);
}

export function planWebhooks(found: readonly ShopWebhook[], target: WebhookTarget): WebhookPlan[] {
  const newest = target.secrets[0] ?? '';
  return topics.map((topic) => {
    // Sorted by id, so that concurrent processes keep the same one.
    const ours = found
      .filter((one) => one.topic === topic && isOurs(one, target))
      .toSorted((a, b) => b.id - a.id);
    const flawOf = (one: ShopWebhook) => flawIn(one, nameOf(topic, newest), target.url);
    const correct = ours.find((one) => flawOf(one) === null);
    const superfluous = ours.filter((one) => one !== correct);
    const plan = { topic, create: correct === undefined, superfluous };
    const [wrong] = superfluous;
    if (!wrong) return { ...plan, state: correct ? 'ok' : 'missing', flaw: null };
    return { ...plan, state: 'differs', flaw: correct ? 'twice' : flawOf(wrong) };
  });
}

function flawIn(
  { status, delivery_url, name }: ShopWebhook,
  rightName: string,
  url: string,
): WebhookFlaw | null {
  if (status !== 'active') return status === 'disabled' ? 'disabled' : 'paused';
  if (delivery_url !== url) return 'elsewhere';
  return name === rightName ? null : 'unsigned';
}

/** A webhook that is enabled again keeps its count of failures (measured on WooCommerce 11.0.1), so it is replaced. */
export async function repairWebhooks(
  api: Api,
  plan: readonly WebhookPlan[],
  { url, secrets }: WebhookTarget,
): Promise<void> {
  const [secret = ''] = secrets;
  for (const { topic, create, superfluous } of plan) {
    if (create) await api.createWebhook({ name: nameOf(topic, secret), topic, delivery_url: url, secret });
    for (const { id } of superfluous) await api.deleteWebhook(id);
  }
}

export const ourWebhooks = (found: readonly ShopWebhook[], target: WebhookTarget): ShopWebhook[] =>
  found.filter((one) => isOurs(one, target) && (topics as readonly string[]).includes(one.topic));

const code = 'shop-installation';
const of = 'webhook';

export function webhookItem({ topic, state, flaw }: WebhookPlan, repaired: boolean): InstallItem {
  if (state === 'ok') return item(code, state, { of, topic });
  if (flaw === null) return repaired ? webhookDone(topic) : item(code, state, { of, topic, why: 'missing' });
  return repaired
    ? did(code, { of, topic, why: 'replaced', flaw })
    : item(code, state, { of, topic, why: 'wrong', flaw });
}

export const webhookDone = (topic: string): InstallItem => did(code, { of, topic });

/** Without characters of HTML, which WooCommerce decodes before it signs (measured on WooCommerce 11.0.1). */
export const newSecret = (): string => randomBytes(32).toString('base64url');
