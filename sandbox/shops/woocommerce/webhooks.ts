import type { Clock } from '../../../src/domain/clock.ts';
import type { DeliveryAnswer } from '../delivery.ts';
import type { WooError } from './oauth.ts';
import { shopTimes } from './shop-times.ts';
import { deliver, ping } from './webhook.ts';
import { makeWebhook, type NewWebhook, type ShownWebhook } from './webhook-shape.ts';

/** What the queue did: a delivery, or the ping that follows one. */
export interface SentWebhook {
  webhookId: number;
  topic: string;
  /** The order, or the refund of `action.woocommerce_refund_…`; null for a ping. */
  arg: number | null;
  /** null where no answer came. */
  status: number | null;
}

interface Kept {
  shown: ShownWebhook;
  secret: string;
  failures: number;
  /** Stays true until a ping is answered exactly 200. */
  pingIsDue: boolean;
}

/**
 * The shop's webhooks and the queue that delivers them (measured on WooCommerce 11.0.1): what happened waits for the
 * next visit; the same webhook and order wait only once; one attempt, never a retry; disabled at the 7th failure in a
 * row, which switching it on again does not forget.
 */
export function openWebhooks(
  clock: Clock,
  shop: { home(): string; body(topic: string, arg: number): unknown },
) {
  const kept = new Map<number, Kept>();
  const queue: { id: number; topic: string; arg: number }[] = [];
  let lastId = 0;

  async function pingIt(one: Kept): Promise<number | null> {
    const status = await answered(ping(one.shown.delivery_url, one.shown.id));
    one.pingIsDue = status !== 200;
    if (!one.pingIsDue) touch(one);
    return status;
  }
  function touch(one: Kept): void {
    const { local, gmt } = shopTimes(clock);
    one.shown = { ...one.shown, date_modified: local, date_modified_gmt: gmt };
  }

  async function deliverOne(one: Kept, topic: string, arg: number): Promise<SentWebhook[]> {
    const { id: webhookId, delivery_url: target } = one.shown;
    const route = { home: shop.home(), target, secret: one.secret };
    const body = shop.body(topic, arg);
    const status = await answered(deliver(route, { topic, webhookId, body }, clock.now()));
    // 301 and 302 count as delivered, and are not followed.
    if (status !== null && status >= 200 && status < 303) one.failures = 0;
    else if (one.failures > 5) one.shown = { ...one.shown, status: 'disabled' };
    else one.failures += 1;
    const sent: SentWebhook[] = [{ webhookId, topic, arg, status }];
    if (one.pingIsDue) sent.push({ webhookId, topic: 'ping', arg: null, status: await pingIt(one) });
    return sent;
  }

  return {
    /** Pings before it answers, whatever comes of that. */
    async make(asked: NewWebhook): Promise<ShownWebhook | WooError> {
      const shown = makeWebhook(asked, lastId + 1, shopTimes(clock));
      if (!('id' in shown)) return shown;
      lastId += 1;
      // Without one the secret is random and never shown.
      const secret = asked.secret ?? `unseen-${lastId}-${clock.now().getTime()}`;
      const one: Kept = { shown, secret, failures: 0, pingIsDue: true };
      kept.set(lastId, one);
      await pingIt(one);
      return shown;
    },
    async change(id: number, { secret, ...asked }: NewWebhook): Promise<ShownWebhook | undefined> {
      const one = kept.get(id);
      if (one === undefined) return undefined;
      const { name, status, delivery_url } = one.shown;
      const next = {
        name: asked.name ?? name,
        status: asked.status ?? status,
        delivery_url: asked.delivery_url ?? delivery_url,
      };
      one.shown = { ...one.shown, ...next };
      if (secret !== undefined) one.secret = secret;
      touch(one);
      if (next.delivery_url !== delivery_url) await pingIt(one);
      return one.shown;
    },
    remove(id: number): ShownWebhook | undefined {
      const one = kept.get(id);
      kept.delete(id);
      return one?.shown;
    },
    get: (id: number): ShownWebhook | undefined => kept.get(id)?.shown,
    list: (): ShownWebhook[] => [...kept.values()].map(({ shown }) => shown),
    /** Something happened: it waits for the queue to run, unless the same waits already. */
    happened(topic: string, arg: number): void {
      for (const { shown } of kept.values()) {
        if (shown.topic !== topic || shown.status !== 'active') continue;
        if (queue.some((one) => one.id === shown.id && one.arg === arg)) continue;
        queue.push({ id: shown.id, topic, arg });
      }
    },
    /** What a visit or a run of the cron does. Answers what was sent, in its order. */
    async run(): Promise<SentWebhook[]> {
      const sent: SentWebhook[] = [];
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const one = kept.get(next.id);
        if (one !== undefined) sent.push(...(await deliverOne(one, next.topic, next.arg)));
      }
      return sent;
    },
  };
}
export type Webhooks = ReturnType<typeof openWebhooks>;

const answered = (call: Promise<DeliveryAnswer>): Promise<number | null> =>
  call.then(
    ({ status }) => status,
    () => null,
  );
