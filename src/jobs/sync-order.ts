import { LedgerError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import type { Store } from '../domain/settings.ts';
import { asShadow, isShadowShop, shopBehind } from '../domain/shadow.ts';
import { done, readOrderSubject, type Step, type StepOutcome } from '../domain/work.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import type { Action } from '../planner/action.ts';
import { plan } from '../planner/plan.ts';
import { applyPlan } from './apply-plan.ts';
import { askSync } from './ask.ts';
import { tellUnanswered } from './buyer/cut-off.ts';
import { withQuestion } from './buyer/question.ts';
import { newestDelivered } from './delivered-order.ts';
import type { StepDeps } from './deps.ts';
import { goneOrder } from './gone-order.ts';
import { keyOwners } from './key-owners.ts';
import { nameBuyer } from './name-buyer.ts';
import { bindUnknown } from './older-ledger/bind.ts';
import { creditsOfOthers } from './planned-documents.ts';
import { whileHeld } from './prove-shop.ts';
import { bindReading, lookTwice, tellBound } from './read-bound.ts';
import { isForgotten } from './silent-shop.ts';
import { knownStore } from './unknown-store.ts';

/**
 * "Sync this order": reads the order as it is now, plans, and writes down what must happen. Webhooks, the sweep
 * and the command line all ask for exactly this; doing it again changes nothing more.
 */
export function syncOrder(deps: StepDeps): Step {
  const named = nameBuyer(deps);
  return async (work) => {
    const key = readOrderSubject(work.subject);
    const store = knownStore(deps, key, () => isForgotten(deps, key));
    const held = await whileHeld(deps, key);
    if (held) return held;
    // It was told of before the shop was known to have moved here.
    if (store.shop !== key.shop) {
      await askSync(deps.ledger, { ...key, shop: store.shop, storeId: store.id }, deps.clock.now());
      return done;
    }
    const row = await deps.ledger.orders.get(key);
    const readAt = deps.clock.now();
    const read = await readOrder(deps, store, key);
    if (!read) return done;
    const later = await lookTwice(deps, key, row, read);
    if (later) return later;
    if (!isShadowShop(read.shop) && !store.shadow?.only) await bindUnknown(deps, store, read);
    const { bound, documents } = await bindReading(deps, store, { key, row, order: read });
    const others = await creditsOfOthers(deps.ledger, key, read);
    const { reused, paid, taken } = bound;
    const owners = await keyOwners(deps.ledger, read, documents);
    const asked = reused || taken ? read : await withQuestion(deps.ledger, read);
    const seen = { documents, store, invoiceFrom: deps.invoiceFrom(store), now: deps.clock.now() };
    const order = await named({ ...seen, order: asked });
    const actions = await applyPlan(deps, {
      ...{ work, store, order, readAt, documents, bound, since: row?.readings ?? 0 },
      plan: (known) =>
        store.shadow?.only
          ? []
          : plan({ ...seen, order, reused, paid, keyOwners: owners, documents: [...known, ...others] }),
    });
    await tellBound(deps, { store, order, row, bound }, { actions, before: documents });
    if (order.buyer.asked && !isShadowShop(order.shop)) await tellUnanswered(deps, { store, order, actions });
    deps.log.info({ store: store.id, order: order.id, actions: summary(actions) }, 'Order synced');
    for (const { action, code } of actions) {
      if (action === 'hold')
        deps.log.warn({ store: store.id, order: order.id, code }, 'The order is held for a person');
    }
    // Another process may have moved it while this one read the order.
    const isHistory = actions.some(({ code }) => code === 'before-start');
    if (isHistory && (await deps.newestInvoiceFrom(store)) < seen.invoiceFrom)
      return { kind: 'again', dueAt: seen.now, reason: 'the first start of the store was moved' };
    return actions.some(({ code }) => code === 'refund-pending') ? lookAgain(order, seen.now) : done;
  };
}

/** No webhook tells that a transfer arrived: asked again, slower as the refund ages, at most a day apart. */
function lookAgain(order: Order, now: Date): StepOutcome {
  const newest = Math.max(...order.refunds.map(({ at }) => (at === null ? 0 : Date.parse(at))));
  const wait = Math.min(Math.max((now.getTime() - newest) / 4, 15 * 60_000), 24 * 3_600_000);
  const dueAt = new Date(now.getTime() + wait);
  return { kind: 'again', dueAt, reason: 'a refund’s money is still on its way' };
}

/** The order from the shop's API; only a store without API access believes its newest signed body. */
async function readOrder(deps: StepDeps, store: Store, key: OrderKey): Promise<Order | null> {
  const order = isShadowShop(key.shop) ? await readShadow(deps, key) : await readFrom(deps, store, key);
  if (!order) {
    deps.log.info({ store: store.id, order: key.orderId }, 'The shop has no such order');
    return goneOrder(deps.ledger, key, deps.clock.now());
  }
  if (order.id !== key.orderId || order.shop !== key.shop) {
    throw new LedgerError(
      'order-identity',
      'La tienda respondió con otro pedido.',
      `Asked ${key.shop} for order ${key.orderId} and got another one; nothing was stored.`,
    );
  }
  return order;
}

async function readFrom(deps: StepDeps, store: Store, key: OrderKey): Promise<Order | null> {
  const shop = deps.shop(store);
  return shop ? shop.fetchOrder(key.orderId) : newestDelivered(deps, store, key);
}

/** The shadow of an order is read where the order is. */
async function readShadow(deps: StepDeps, key: OrderKey): Promise<Order | null> {
  const behind = { ...key, shop: shopBehind(key.shop) };
  const store = deps.storeOf(behind.platform, behind.shop);
  const order = store ? await readFrom(deps, store, behind) : null;
  return order && asShadow(order);
}

const summary = (actions: readonly Action[]): string[] =>
  actions.map((action) => `${action.kind}: ${action.action} (${action.code})`);
