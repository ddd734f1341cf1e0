import { LedgerError } from '../domain/errors.ts';
import type { LegalNames } from '../domain/legal-names.ts';
import type { Order } from '../domain/order.ts';
import type { Account, Store } from '../domain/settings.ts';
import { asShadow, isShadowShop, shopBehind } from '../domain/shadow.ts';
import { done, readOrderSubject, type Step, type StepOutcome } from '../domain/work.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import type { Action } from '../planner/action.ts';
import type { KeyOwner, PlanInput, PlannedDocument } from '../planner/input.ts';
import { legalNameWanted } from '../planner/legal-name.ts';
import { plan } from '../planner/plan.ts';
import { applyPlan } from './apply-plan.ts';
import { askSync } from './ask.ts';
import { tellUnanswered } from './buyer/cut-off.ts';
import { withQuestion } from './buyer/question.ts';
import { newestDelivered } from './delivered-order.ts';
import type { StepDeps } from './deps.ts';
import { goneOrder } from './gone-order.ts';
import { bindUnknown } from './older-ledger/bind.ts';
import { creditsOfOthers } from './planned-documents.ts';
import { whileHeld } from './prove-shop.ts';
import { bindReading, lookTwice, tellBound } from './read-bound.ts';
import { registryNames } from './registry-names.ts';
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

/**
 * Whose the access keys on an order are that are none of its own documents': plugins copy all meta data of an order to
 * its renewals and duplicates.
 */
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

/** Puts a registry's name for the buyer onto the order before it is planned, where policy and order ask for one. */
type NameBuyer = (input: PlanInput & { store: Store }) => Promise<Order>;

/**
 * The name stays with the stored order: the document is sent with the name it was planned with, and the next sync
 * of the same buyer asks nobody.
 */
function nameBuyer(deps: StepDeps): NameBuyer {
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
    // The shadow of a sale does not pay for a look-up again.
    const shops = new Set([order.shop, shopBehind(order.shop)]);
    const rows = await Promise.all(
      [...shops].map((shop) => deps.ledger.orders.get({ ...order, shop, orderId: order.id })),
    );
    const before = rows
      .map((row) => (row?.snapshot as Order | undefined)?.buyer.registered)
      .find((registered) => registered?.id === wanted.id);
    const name = before ? before.name : await namesOf(store.account).of(wanted, { store, link: null });
    return name === null
      ? order
      : { ...order, buyer: { ...order.buyer, registered: { id: wanted.id, name } } };
  };
}
