import { setTimeout as pause } from 'node:timers/promises';
import { openPost, type Post } from './post.ts';
import type { Happening, Schedule } from './schedule.ts';
import type { Sold } from './sold.ts';
import type { Stage } from './stage.ts';

export interface Played {
  sold: Sold[];
  post: Post;
  kills: number;
  restarts: number;
  /** Shops that hung for a while. */
  hangs: number;
  /** Disturbances of the tax service that struck, by kind. */
  struck: Map<string, number>;
}

/** So many orders may wait for their factura before the next event: more would only pile up behind the kills. */
const backlog = 60;

/** Lets everything happen, in the order of the schedule; resolves when the last webhook is on its way. */
export async function play(
  stage: Stage,
  { happenings }: Schedule,
  tell: (text: string) => void,
): Promise<Played> {
  const { shops, sandbox, parts, servers, options } = stage;
  const played: Played = {
    sold: [],
    post: openPost(stage),
    kills: 0,
    restarts: 0,
    hangs: 0,
    struck: new Map(),
  };
  const { sold, post } = played;
  const soldOf = (order: number): Sold => {
    const found = sold[order];
    if (!found) throw new Error(`Order ${order} was not sold yet; the schedule is out of order.`);
    return found;
  };
  const seen = new WeakSet<object>();
  const count = () => countStrikes(sandbox.faults.struck(), seen, played.struck);

  async function happen(one: Happening): Promise<void> {
    switch (one.what) {
      case 'order': {
        const shop = shops[one.store];
        if (!shop) throw new Error(`There is no store ${one.store}.`);
        const { id, total } = shop.sell(one.order + 1, one.sale);
        const { platform } = shop;
        sold[one.order] = {
          store: one.store,
          platform,
          shop: shop.shop,
          id,
          total,
          buyer: one.sale.buyer.kind,
          refunds: [],
        };
        return post.send(soldOf(one.order), 'order', one.hints);
      }
      case 'refund': {
        const order = soldOf(one.order);
        const made = shops[order.store]?.refund(order.id, one.back);
        if (made) order.refunds.push(made);
        return post.send(order, 'refund', one.hints);
      }
      case 'echo':
        return post.send(soldOf(one.order), 'order', one.hints);
      case 'kill':
        await parts[one.part % parts.length]?.kill();
        played.kills += 1;
        return;
      case 'restart':
        await servers?.restart(one.server, one.crash);
        played.restarts += 1;
        return;
      case 'fault':
        return sandbox.faults.add(one.fault);
      case 'trouble':
        return shops[one.store]?.trouble(one.kind);
      case 'hangs': {
        const { store, first, orders, sale } = one;
        const shop = shops[store];
        if (!shop) throw new Error(`There is no store ${store}.`);
        shop.hang(true);
        played.hangs += 1;
        for (let n = 0; n < orders; n += 1) {
          const id = shop.leaveUnpaid(first + n, sale);
          const unpaid = { store, platform: shop.platform, shop: shop.shop, id };
          post.send(unpaid, 'order', [{ topic: n, door: n, times: 1, late: 0, lost: false, insists: true }]);
        }
        return;
      }
      case 'answers':
        return shops[one.store]?.hang(false);
      case 'midnight':
        return untilLastSeconds(stage, tell);
    }
  }

  for (const [at, one] of happenings.entries()) {
    await happen(one);
    post.tick();
    count();
    await room(stage, sold.length);
    if (at % 250 === 249) tell(`${at + 1} of ${happenings.length} events, ${played.kills} kills`);
  }
  await post.done();
  sandbox.faults.clear();
  for (const part of parts) await part.ready();
  tell(`everything has happened; ${options.orders} orders sold`);
  count();
  return played;
}

/** Waits while too many orders have no document yet; not for ever, some never get one. */
async function room({ sandbox, options }: Stage, sold: number): Promise<void> {
  // Three in a hundred are held by plan.
  const waiting = () => sold * 0.97 - sandbox.documents().length;
  const until = performance.now() + 2_000;
  while (waiting() > Math.min(backlog, options.orders / 4) && performance.now() < until) await pause(20);
  await pause(1);
}

/** Ten seconds of the run's clock before the day ends, or at once when it is over already. */
async function untilLastSeconds(
  { clock, midnight, options }: Stage,
  tell: (text: string) => void,
): Promise<void> {
  const left = midnight.getTime() - 10_000 - clock.now().getTime();
  tell(
    left > 0 ? `midnight in Ecuador in ${Math.round(left / options.rate / 1000)} s` : 'midnight has passed',
  );
  if (left > 0) await pause(left / options.rate);
}

function countStrikes(
  struck: readonly { kind: string }[],
  seen: WeakSet<object>,
  into: Map<string, number>,
): void {
  for (const one of struck) {
    if (seen.has(one)) continue;
    seen.add(one);
    into.set(one.kind, (into.get(one.kind) ?? 0) + 1);
  }
}
