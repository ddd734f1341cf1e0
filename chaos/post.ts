import { setTimeout as pause } from 'node:timers/promises';
import { appId } from './installation.ts';
import type { Hint } from './schedule.ts';
import type { Sold } from './sold.ts';
import type { Stage } from './stage.ts';

/** The order a webhook is about. */
type Reported = Pick<Sold, 'store' | 'platform' | 'id'>;

/** The webhooks of all shops in flight: duplicated, late, lost, and given up like the platform does. */
export interface Post {
  /** Sends webhooks; late ones leave after a number of further events. */
  send(sold: Reported, about: 'order' | 'refund', hints: readonly Hint[]): void;
  /** Sends a webhook of an order until it is accepted; false after a long time without success. */
  insist(sold: Reported): Promise<boolean>;
  /** One event has passed. */
  tick(): void;
  /** Resolves when nothing is in flight. */
  done(): Promise<void>;
  counts(): { sent: number; accepted: number; duplicates: number; lost: number };
}

const topics = {
  woocommerce: { order: ['order.created', 'order.updated', 'order.updated'], refund: ['order.updated'] },
  shopify: {
    order: ['orders/paid', 'orders/updated', 'orders/updated'],
    refund: ['refunds/create', 'orders/updated'],
  },
} as const;

/** Shopify repeats a delivery 8 times over 4 hours (Shopify, "Troubleshooting webhooks"); WooCommerce never. */
const waitsMinutes = { shopify: [1, 2, 4, 10, 20, 40, 60, 100], woocommerce: [] } as const;
const insisting = Array<number>(100).fill(2);
const atOnce = 12;

export function openPost(stage: Stage): Post {
  const { shops, installation, options } = stage;
  const counts = { sent: 0, accepted: 0, duplicates: 0, lost: 0 };
  const late: { left: number; go: () => void }[] = [];
  const underWay = new Set<Promise<boolean>>();

  async function deliver(sold: Reported, topic: string, hint: Hint): Promise<boolean> {
    const shop = shops[sold.store];
    const plan = installation.stores[sold.store];
    if (!shop || !plan) return false;
    const connection = plan.platform === 'shopify' ? appId : plan.id;
    const delivery = { id: sold.id, topic, times: hint.times };
    const waits = hint.insists ? insisting : waitsMinutes[plan.platform];
    for (const minutes of [0, ...waits]) {
      await pause((minutes * 60_000) / options.rate);
      const endpoint =
        installation.endpoints[(hint.endpoint + (minutes > 0 ? 1 : 0)) % installation.endpoints.length];
      const answers = await shop.deliver(`${endpoint}/webhooks/${connection}`, delivery).catch(() => []);
      counts.sent += hint.times;
      for (const { status, body } of answers) {
        if (status !== 200) continue;
        if (body.includes('duplicate')) counts.duplicates += 1;
        else counts.accepted += 1;
      }
      if (answers.some(({ status }) => status === 200)) return true;
    }
    counts.lost += 1;
    return false;
  }

  async function queue(sold: Reported, topic: string, hint: Hint): Promise<void> {
    while (underWay.size > atOnce) await Promise.race(underWay);
    const delivering = deliver(sold, topic, hint).finally(() => underWay.delete(delivering));
    underWay.add(delivering);
  }

  return {
    send(sold, about, hints) {
      for (const hint of hints) {
        if (hint.lost) {
          counts.lost += 1;
          continue;
        }
        const names = topics[sold.platform][about];
        const topic = names[hint.topic % names.length] ?? names[0];
        const go = () => void queue(sold, topic, hint);
        if (hint.late === 0) go();
        else late.push({ left: hint.late, go });
      }
    },
    insist: (sold) =>
      deliver(sold, topics[sold.platform].order[1], {
        ...{ topic: 1, endpoint: 0, times: 1, late: 0, lost: false, insists: true },
      }),
    tick() {
      for (const one of late) one.left -= 1;
      for (const one of late.filter(({ left }) => left <= 0)) one.go();
      late.splice(0, late.length, ...late.filter(({ left }) => left > 0));
    },
    async done() {
      for (const one of late.splice(0)) one.go();
      while (underWay.size > 0) await Promise.race(underWay);
    },
    counts: () => ({ ...counts }),
  };
}
