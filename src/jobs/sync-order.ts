import { dayMs } from '../domain/clock.ts';
import type { LegalNames } from '../domain/identification.ts';
import { done, type JobOutcome, orderSubject, readOrderSubject, shopSubject } from '../domain/job.ts';
import { fingerprintOf, type Order, paidTotalOf } from '../domain/order.ts';
import { type Account, orderOf, owner, type Store } from '../domain/settings.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderRow } from '../ledger/schema.ts';
import {
  type Action,
  isUndecided,
  type KeyOwner,
  type PlanInput,
  type PlannedDocument,
} from '../planner/action.ts';
import type { Bound } from '../planner/eligibility.ts';
import { legalNameWanted } from '../planner/identity-gate.ts';
import { restAwaitedUntil } from '../planner/order-money.ts';
import { plan } from '../planner/plan.ts';
import { applyPlan } from './apply-plan.ts';
import { reportUnanswered, withoutQuestion, withQuestion } from './ask-buyer.ts';
import { again, type Handler, isForgotten, type JobDeps, unknownStore } from './deps.ts';
import { enqueueSync } from './enqueue.ts';
import { bindUnknown } from './older-ledger/bind.ts';
import { ancestorsOf, creditsOfOthers, type Known, relativeOf, relativesOf } from './prepare.ts';
import { bindReading, readOrder } from './read-order.ts';
import { registryNames } from './registry-names.ts';
import { whileHeld } from './verify-shop.ts';

/** Repeatable: running it again changes nothing more. */
export function syncOrder(deps: JobDeps): Handler {
  const named = nameBuyer(deps);
  return async (job) => {
    const key = readOrderSubject(job.subject);
    const store = deps.storeOf(key.platform, key.shop);
    if (!store) return unknownStore(key, () => isForgotten(deps, key));
    const held = await whileHeld(deps, key);
    if (held) return held;
    // Enqueued before the shop was known to have moved here.
    if (store.shop !== key.shop) {
      await enqueueSync(deps.ledger, { ...key, shop: store.shop, storeId: store.id }, deps.clock.now());
      return done;
    }
    const row = await deps.ledger.orders.get(key);
    const readAt = deps.clock.now();
    const { order: found, later, unread } = await readOrder(deps, store, key, row);
    if (unread) return unread;
    if (!found) return done;
    const read = orderOf(store, found);
    await bindUnknown(deps, store, read);
    const waits = await parentFirst(deps, store, { order: read, row, readAt });
    if (waits) return waits;
    const { bound, documents } = await bindReading(deps, store, { key, row, order: read });
    const others = await creditsOfOthers(deps.ledger, key, read);
    const { reused, paid, taken } = bound;
    const owners = await keyOwners(deps.ledger, read, documents);
    const asked = reused || taken ? read : await withQuestion(deps.ledger, read);
    const seen = { documents, store, invoiceFrom: deps.invoiceFrom(store), now: deps.clock.now() };
    const order = await named({ ...seen, order: asked });
    const actions = await applyPlan(deps, {
      job,
      store,
      order,
      readAt,
      documents,
      bound,
      since: row?.readings ?? 0,
      relatives: await relativesOf(deps.ledger, order),
      seenByRelatives: row ? relativeOf(row.snapshot as Order, documents) : null,
      plan: (known, relatives) =>
        plan({
          ...seen,
          order,
          reused,
          paid,
          relatives,
          keyOwners: owners,
          documents: [...known, ...others],
        }),
    });
    await reportBound(deps, { store, order, later, bound }, { actions, before: documents });
    if (order.buyer.asked) await reportUnanswered(deps, store, order, actions);
    deps.log.info({ store: store.id, order: order.id, actions: summary(actions) }, 'Order synced');
    for (const { action, code } of actions) {
      if (action === 'hold')
        deps.log.warn({ store: store.id, order: order.id, code }, 'The order is held for a person');
    }
    if (actions.some(({ code }) => code === 'refund-pending')) return readAgain(order, deps.clock.now());
    const hidden = await beforeHidden(deps, store, order, actions);
    const dueAt = actions.some(isPartlyPaid) ? restAwaitedUntil(order) : null;
    if (!dueAt || (hidden && hidden.dueAt < dueAt)) return hidden ?? done;
    return { kind: 'again', dueAt, reason: 'the rest of the order is not paid yet' };
  };
}

/** The orders this one was split from are read first. Null once they are read, or where the shop has none. */
async function parentFirst(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'log' | 'shop'>,
  store: Store,
  { order, row, readAt }: { order: Order; row: OrderRow | undefined; readAt: Date },
): Promise<JobOutcome | null> {
  if (order.parentId === undefined) return null;
  const { ledger, clock } = deps;
  const { missing: key } = await ancestorsOf(ledger, order);
  if (!key || !deps.shop(store)) return null;
  const { order: parent, unread } = await readOrder(deps, store, key, undefined);
  if (!parent && !unread) return null;
  if (!row)
    await ledger.orders.save({
      ...key,
      orderId: order.id,
      storeId: store.id,
      name: order.name,
      snapshot: withoutQuestion(order),
      sourceUpdatedAt: order.updatedAt,
      readAt,
      since: 0,
      fingerprint: fingerprintOf(order),
      paid: paidTotalOf(order),
    });
  await enqueueSync(ledger, { ...key, storeId: store.id }, clock.now());
  return again(clock, row ? 60_000 : 2_000, 'the order it was split from is read first');
}

const holds = ['order-id-reused', 'refund-id-reused'] as const;

async function reportBound(
  deps: Pick<JobDeps, 'alerts'>,
  { store, order, later, bound }: { store: Store; order: Order; later: string | null; bound: Bound },
  { actions, before }: { actions: readonly Action[]; before: readonly Known[] },
): Promise<void> {
  const { platform, shop, id: orderId } = order;
  const subject = orderSubject({ platform, shop, orderId });
  const about = owner.shop({ platform, shop });
  const reported = new Set(before.flatMap(({ code, state }) => (state === 'held' ? [code] : [])));
  for (const code of holds) {
    const held = actions.find((one) => one.action === 'hold' && one.code === code);
    if (held)
      await deps.alerts.raise({
        code,
        subject,
        about,
        params: { store: store.id, order: order.name, reason: held.reason },
      });
    else if (reported.has(code)) await deps.alerts.over({ code, subject });
  }
  if (later && bound.reused === null)
    await deps.alerts.raise({
      code: 'shop-clock-back',
      subject: shopSubject({ platform, shop }),
      about,
      params: {
        store: store.id,
        order: order.name,
        later,
        now: new Date(order.updatedAt).toISOString(),
      },
    });
}

const warnDays = 10;

/** An order with something open is read again before the shop hides it. Null where nothing is open or hidden. */
async function beforeHidden(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'shop'>,
  store: Store,
  order: Order,
  actions: readonly Action[],
): Promise<ReturnType<typeof again> | null> {
  const shop = deps.shop(store);
  const now = deps.clock.now();
  const ageMs = now.getTime() - Date.parse(order.placedAt);
  const subject = orderSubject({ ...order, orderId: order.id });
  if (!shop?.hidesAfter) return null;
  const hides = isUndecided(actions) ? await shop.hidesAfter() : null;
  const warnMs = ((hides?.days ?? 0) - warnDays) * dayMs;
  if (!hides) {
    if (ageMs > dayMs) await deps.alerts.over({ code: 'order-hidden-soon', subject });
    return null;
  }
  const reason = 'the shop will hide the order, which has something open';
  if (ageMs < warnMs) return again(deps.clock, warnMs - ageMs, reason);
  await deps.alerts.raise({
    code: 'order-hidden-soon',
    subject,
    about: owner.shop(order),
    params: {
      store: store.id,
      order: `${order.name} (${order.total} ${order.currency})`,
      days: hides.days,
      permission: hides.permission,
    },
  });
  return again(deps.clock, dayMs, reason);
}

const isPartlyPaid = ({ action, code }: Action): boolean => action === 'wait' && code === 'partially-paid';

/** No webhook reports that a transfer arrived: read again, less often as the refund ages, at least once a day. */
function readAgain(order: Order, now: Date): JobOutcome {
  const newest = Math.max(...order.refunds.map(({ at }) => (at === null ? 0 : Date.parse(at))));
  const wait = Math.min(Math.max((now.getTime() - newest) / 4, 15 * 60_000), 24 * 3_600_000);
  const dueAt = new Date(now.getTime() + wait);
  return { kind: 'again', dueAt, reason: 'a refund’s money is still on its way' };
}

const summary = (actions: readonly Action[]): string[] =>
  actions.map((action) => `${action.kind}: ${action.action} (${action.code})`);

/** The owners of access keys on an order that are of other orders: plugins copy the meta data of an order to renewals. */
async function keyOwners(
  { documents: table, orders }: Pick<Tables, 'documents' | 'orders'>,
  order: Order,
  documents: readonly PlannedDocument[],
): Promise<KeyOwner[]> {
  const own = new Set(documents.map(({ accessKey }) => accessKey));
  const owners: KeyOwner[] = [];
  for (const accessKey of order.accessKeys.filter((key) => !own.has(key))) {
    const document = await table.byAccessKey(accessKey);
    if (!document) continue;
    const { platform, shop, orderId, orderName } = document;
    const isOfShop = platform === order.platform && shop === order.shop;
    if (isOfShop && orderId === order.id) continue;
    const row = isOfShop ? await orders.ofDocument(document) : undefined;
    const paidAt = (row?.snapshot as Order | undefined)?.paidAt ?? null;
    owners.push({ accessKey, orderName: isOfShop ? orderName : null, paidAt });
  }
  return owners;
}

/** The document is sent with the registry's name it was planned with, which is stored with the order. */
function nameBuyer(deps: JobDeps): (input: PlanInput & { store: Store }) => Promise<Order> {
  const byKey = new Map<string, LegalNames>();
  const namesOf = (account: Account): LegalNames => {
    let names = byKey.get(account.keyHash);
    if (!names) {
      names = registryNames(deps.service(account, null), deps);
      byKey.set(account.keyHash, names);
    }
    return names;
  };
  return async (input) => {
    const { order, store } = input;
    const wanted = legalNameWanted(input);
    if (wanted === null) return order;
    const row = await deps.ledger.orders.get({ ...order, orderId: order.id });
    const before = (row?.snapshot as Order | undefined)?.buyer.registered;
    const name =
      before?.id === wanted.id ? before.name : await namesOf(store.account).of(wanted, { store, link: null });
    return name === null
      ? order
      : { ...order, buyer: { ...order.buyer, registered: { id: wanted.id, name } } };
  };
}
