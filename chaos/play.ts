import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DisasterName } from './disasters.ts';
import { isAuthorised, saleOf } from './evidence.ts';
import { type Operator, openOperator } from './operator.ts';
import { openPost, type Post } from './post.ts';
import { saleAgain } from './sales.ts';
import type { Happening, Schedule } from './schedule.ts';
import type { OwnServer, Placed, Spoilt } from './shop.ts';
import type { Mark, Sold } from './sold.ts';
import type { Stage } from './stage.ts';

export interface Played {
  sold: Sold[];
  post: Post;
  operator: Operator;
  kills: number;
  restarts: number;
  /** Shops that hung for a while. */
  hangs: number;
  /** Applied faults of the tax service, by kind. */
  struck: Map<string, number>;
  /** Occurrences of each disaster. */
  disasters: Map<DisasterName, number>;
  /** Missing reports of lasting disasters. */
  silent: string[];
}

/** Orders that may wait for their factura before the next event: more would only pile up behind the kills. */
const backlog = 60;

/** Plays the schedule in order; resolves when the last webhook is on its way. */
export async function play(
  stage: Stage,
  { happenings }: Schedule,
  report: (text: string) => void,
): Promise<Played> {
  const { shops, sandbox, parts, servers, options } = stage;
  const played: Played = {
    sold: [],
    post: openPost(stage),
    operator: openOperator(stage),
    kills: 0,
    restarts: 0,
    hangs: 0,
    struck: new Map(),
    disasters: new Map(),
    silent: [],
  };
  const { sold, post, operator } = played;
  const soldOf = (order: number): Sold => {
    const found = byOrder.get(order);
    if (!found) throw new Error(`Order ${order} was not sold yet; the schedule is out of order.`);
    return found;
  };
  const byOrder = new Map<number, Sold>();
  const spoilNext = new Map<number, Spoilt>();
  const outages = new Set<'disk' | 'redis' | 'workers'>();
  let ledgerIsOld = false;
  let diskWatch: EndpointWatch | undefined;
  let redisWatch: EndpointWatch | undefined;
  const seen = new WeakSet<object>();
  const count = () => countStrikes(sandbox.faults.struck(), seen, played.struck);

  const struck = (name: DisasterName) =>
    void played.disasters.set(name, (played.disasters.get(name) ?? 0) + 1);
  const shopOf = (store: number) => {
    const shop = shops[store];
    if (!shop) throw new Error(`There is no store ${store}.`);
    return shop;
  };
  const serverOf = (store: number): OwnServer => {
    const { own } = shopOf(store);
    if (!own) throw new Error(`Store ${store} has no server of its own.`);
    return own;
  };
  const isGone = ({ marks }: Sold) => marks.has('vanished');

  function keep(order: number, store: number, placed: Placed, sale: Sold['sale']): Sold {
    const again = sold.some((one) => one.store === store && one.id === placed.id);
    const plan = stage.installation.stores[store];
    const one: Sold = {
      ...placed,
      ...{ number: order + 1, store, sale },
      storeId: plan?.id ?? '',
      ruc: plan?.ruc ?? '',
      puntoEmision: plan?.puntoEmision ?? '',
      platform: shopOf(store).platform,
      refunds: [],
      marks: new Set<Mark>([
        ...(again ? ['id-again' as const] : []),
        ...(ledgerIsOld ? ['old-ledger' as const] : []),
      ]),
    };
    sold.push(one);
    byOrder.set(order, one);
    return one;
  }

  async function happen(one: Happening): Promise<void> {
    switch (one.what) {
      case 'order': {
        const placed = shopOf(one.store).sell(one.order + 1, one.sale);
        const how = spoilNext.get(one.order);
        if (how) shopOf(one.store).spoil(placed.id, how);
        const order = keep(one.order, one.store, placed, one.sale);
        if (how) order.marks.add(markOf(how));
        return post.send(order, 'order', one.hints);
      }
      case 'refund': {
        const order = soldOf(one.order);
        if (isGone(order)) return;
        order.refunds.push({ ...shopOf(order.store).refund(order.id, one.back), vanished: false });
        return post.send(order, 'refund', one.hints);
      }
      case 'echo':
        if (!isGone(soldOf(one.order))) post.send(soldOf(one.order), 'order', one.hints);
        return;
      case 'kill':
        // On a full disk or Redis a process need not become ready.
        await parts[one.part % parts.length]?.kill(outages.size > 0);
        played.kills += 1;
        return;
      case 'restart':
        // It would not start on a full disk, and Redis would be empty again.
        if (outages.has('disk') || outages.has('redis')) return;
        await servers?.restart(one.server, one.crash);
        played.restarts += 1;
        return;
      case 'fault':
        return sandbox.faults.add(one.fault);
      case 'trouble':
        return shops[one.store]?.trouble(one.kind);
      case 'hangs': {
        const { store, first, orders, sale } = one;
        const shop = shopOf(store);
        shop.hang(true);
        played.hangs += 1;
        for (let n = 0; n < orders; n += 1) {
          const id = shop.leaveUnpaid(first + n, sale);
          const unpaid = { store, platform: shop.platform, id };
          post.send(unpaid, 'order', [
            { topic: n, endpoint: n, times: 1, late: 0, lost: false, insists: true },
          ]);
        }
        return;
      }
      case 'answers':
        return shops[one.store]?.hang(false);
      case 'midnight':
        return untilLastSeconds(stage, report);
      case 'spoil':
        spoilNext.set(one.order, one.how);
        return struck(markOf(one.how) === 'hidden' ? 'hidden-orders' : 'poisoned-orders');
      case 'heal': {
        const order = soldOf(one.order);
        for (const mark of ['unreadable', 'hidden'] as const) order.marks.delete(mark);
        return shopOf(order.store).spoil(order.id, null);
      }
      case 'unpay': {
        const order = soldOf(one.order);
        if (isGone(order)) return;
        shopOf(order.store).unpay(order.id);
        order.marks.add('unpaid');
        struck('unpaid-orders');
        return post.send(order, 'order', one.hints);
      }
      case 'copy': {
        const of = soldOf(one.of);
        if (isGone(of)) return;
        const sale = saleAgain(of.sale, one.order + 1);
        const placed = serverOf(of.store).duplicate(of.id, one.order + 1, sale, one.renewal);
        const copy = keep(one.order, of.store, placed, sale);
        copy.marks.add('copied');
        struck('duplicated-orders');
        return post.send(copy, 'order', one.hints);
      }
      case 'edit': {
        const order = soldOf(one.order);
        // Without an earlier webhook the product cannot know the original order.
        if (isGone(order) || !(await post.insist(order))) return;
        serverOf(order.store).edit(order.id, one.more);
        order.marks.add('edited');
        struck('edited-orders');
        return post.send(order, 'order', one.hints);
      }
      case 'twist-service':
        return stage.service.twist(one.kind, one.twist);
      case 'twist-shop':
        return shopOf(one.store).twist(one.kind, one.twist);
      case 'shop-backup':
        return serverOf(one.store).backup();
      case 'shop-restored': {
        const gone = serverOf(one.store).restore();
        for (const order of sold.filter(({ store }) => store === one.store)) {
          order.marks.add(gone.orders.includes(order.id) ? 'vanished' : 'restored');
          for (const refund of order.refunds) refund.vanished ||= gone.refunds.includes(refund.id);
        }
        return struck('restored-shop');
      }
      case 'move':
        await operator.done();
        await stage.restartAround(() => serverOf(one.store).move(one.keepOld));
        stage.moved.add(stage.installation.stores[one.store]?.id ?? '');
        return struck('moved-shop');
      case 'shop-clock':
        shopOf(one.store).stepClock(one.ms);
        return one.ms === 0 ? undefined : struck('shop-clock');
      case 'own-clock':
        stage.stepClock(one.ms);
        return one.ms === 0 ? undefined : struck('own-clock');
      case 'ledger-backup':
        await operator.done();
        return withLedgerDown(stage, () => stage.disk.backup());
      case 'ledger-restored': {
        await operator.done();
        await withLedgerDown(stage, () => stage.disk.restore());
        ledgerIsOld = true;
        struck('restored-ledger');
        return forgetSince(stage, sold);
      }
      case 'disk':
        if (one.full) {
          outages.add('disk');
          await stage.disk.fill();
          struck('disk-full');
          diskWatch = watchEndpoints(stage);
          return pause(leastFullMs);
        }
        if ((await diskWatch?.staysReady()) && (await hasFailedWrites(stage)))
          played.silent.push('writes fail for a full disk and /readyz stays 200');
        await stage.disk.free();
        outages.delete('disk');
        return servers?.restart('postgres', true);
      case 'redis':
        if (one.full) {
          outages.add('redis');
          await servers?.fillRedis(true);
          struck('redis-full');
          redisWatch = watchEndpoints(stage);
          return pause(leastFullMs);
        }
        if (await redisWatch?.staysReady()) played.silent.push('Redis takes no write and /readyz stays 200');
        await servers?.fillRedis(false);
        return void outages.delete('redis');
      case 'workers': {
        const workers = parts.filter(({ name }) => name.startsWith('worker'));
        if (one.gone) {
          outages.add('workers');
          await Promise.all(workers.map((part) => part.crash()));
          return struck('workers-gone');
        }
        report('every worker is gone; waiting for the alert');
        if (!(await isAlerted(stage, 'jobs-overdue')))
          played.silent.push('no worker runs and no alert is open');
        for (const part of workers) part.start();
        return void outages.delete('workers');
      }
      case 'command':
        return operator.run(one.command, sold);
    }
  }

  const postponed: Happening[] = [];
  for (const [at, one] of happenings.entries()) {
    if (outages.size > 0 && needsReady.has(one.what)) postponed.push(one);
    else if (outages.has('workers') && one.what === 'kill') postponed.push(one);
    else await happen(one);
    if (outages.size === 0) for (const waited of postponed.splice(0)) await happen(waited);
    post.tick();
    count();
    // Meanwhile little is invoiced.
    if (outages.size === 0) await room(stage, sold.length);
    if (at % 250 === 249) report(`${at + 1} of ${happenings.length} events, ${played.kills} kills`);
  }
  await post.done();
  await operator.done();
  sandbox.faults.clear();
  const twisted = [...stage.service.struck().values(), ...shops.map((shop) => shop.twisted())].reduce(
    (all, count) => all + count,
    0,
  );
  const conflicts = stage.service.struck().get('emission conflict') ?? 0;
  if (conflicts > 0) played.disasters.set('gateway-conflicts', conflicts);
  if (twisted > conflicts) played.disasters.set('swapped-answers', twisted - conflicts);
  for (const part of parts) await part.ready();
  report(`everything has happened; ${options.orders} orders sold`);
  count();
  return played;
}

const markOf = (how: Spoilt): Mark => (how === 'missing' || how === 'stale' ? 'hidden' : 'unreadable');

/** Events that wait for ready processes or an accepted webhook, which an outage prevents. */
const needsReady: ReadonlySet<Happening['what']> = new Set([
  'edit',
  'move',
  'ledger-backup',
  'ledger-restored',
]);

/** Waits while too many orders have no document yet; limited, because some never get one. */
async function room({ sandbox, options }: Stage, sold: number): Promise<void> {
  // Three in a hundred are held by plan.
  const waiting = () => sold * 0.97 - sandbox.documents().length;
  const until = performance.now() + 2_000;
  while (waiting() > Math.min(backlog, options.orders / 4) && performance.now() < until) await pause(20);
  await pause(1);
}

/** Stops product and database cleanly, and starts them again. */
const withLedgerDown = (stage: Stage, act: () => Promise<void>): Promise<void> =>
  stage.restartAround(() => (stage.servers ? stage.servers.whileDown(act) : act()));

/** Sales that the restored ledger may not know to be invoiced. */
async function forgetSince(stage: Stage, sold: readonly Sold[]): Promise<void> {
  const ledger = await stage.look(({ documents }) => documents.list({ limit: 1_000_000 }));
  const known = new Set(
    ledger.flatMap(({ state, accessKey }) => (state === 'authorized' && accessKey ? [accessKey] : [])),
  );
  const forgotten = new Set(
    stage.sandbox
      .documents()
      .filter((one) => isAuthorised(one) && !known.has(one.claveacceso))
      .map((one) => saleOf(one, stage.sandbox.documents(), sold)),
  );
  const invoiced = new Set(
    ledger
      .filter(({ state }) => state === 'authorized')
      .map(({ storeId, orderId }) => `${storeId} ${orderId}`),
  );
  for (const order of sold)
    if (forgotten.has(order.number) || !invoiced.has(`${order.storeId} ${order.id}`))
      order.marks.add('old-ledger');
}

/** Minimum real time of a full disk or Redis, and the time it may go unnoticed. */
const leastFullMs = 5_000;

interface EndpointWatch {
  /** Ends it; answers whether every endpoint stayed ready. */
  staysReady(): Promise<boolean>;
}

/** Polls the readiness of the endpoints. */
function watchEndpoints({ installation: { endpoints } }: Stage): EndpointWatch {
  let over = false;
  let said = false;
  const look = async (endpoint: string) => {
    const answer = await fetch(`${endpoint}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => null,
    );
    await answer?.body?.cancel();
    if (!answer?.ok) said = true;
  };
  const watching = (async () => {
    while (!over && !said) {
      await Promise.all(endpoints.map(look));
      await pause(250);
    }
  })();
  return {
    async staysReady() {
      over = true;
      await watching;
      return !said;
    },
  };
}

async function hasFailedWrites({ folder }: Stage): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const logs = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return logs.some((text) => /No space left on device|database or disk is full/.test(text));
}

/** Two looks in a row of the product at its queue raise the alert, one every 30 s; more on a busy machine. */
const alertedMs = 120_000;

async function isAlerted({ look }: Stage, code: string): Promise<boolean> {
  const until = performance.now() + alertedMs;
  while (performance.now() < until) {
    const open = await look(({ alerts }) => alerts.open());
    if (open.some((alert) => alert.code === code)) return true;
    await pause(1_000);
  }
  return false;
}

/** Waits until ten seconds of the run's clock before the day ends; returns at once if it is over. */
async function untilLastSeconds(
  { clock, midnight, options }: Stage,
  report: (text: string) => void,
): Promise<void> {
  const left = midnight.getTime() - 10_000 - clock.now().getTime();
  report(
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
