import { type BuyerAnswer, cutOffAfter } from '../../domain/buyer-question.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import { isShadowShop, shopBehind } from '../../domain/shadow.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { Action } from '../../planner/action.ts';
import { waitsForBuyer } from '../../planner/identity/sentences.ts';
import { askOrder } from '../ask.ts';
import { priorities } from '../deps.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * Puts onto an order what its buyer was asked; the answer lives in the ledger alone, sealed. It counts for the order's
 * shadow too, but for the address a document could be sent to.
 */
export async function withQuestion({ questions }: Pick<Tables, 'questions'>, order: Order): Promise<Order> {
  const question = await questions.get({ ...order, shop: shopBehind(order.shop), orderId: order.id });
  if (!question) return order;
  // Our own JSON, checked before it was kept (take-answer.ts).
  const given = question.answer as BuyerAnswer | null;
  const answer = given && isShadowShop(order.shop) ? { ...given, email: null } : given;
  return { ...order, buyer: { ...order.buyer, asked: { answer, overdue: question.passedAt !== null } } };
}

/** The order as it is stored: without what was sealed. */
export function withoutQuestion(order: Order): Order {
  const { asked: _asked, ...buyer } = order.buyer;
  return { ...order, buyer };
}

/**
 * Inside the transaction that holds a factura for want of its buyer: one question an order, with the work that tells
 * the buyer and the one that ends the waiting.
 */
export async function openQuestion(
  tables: Pick<Tables, 'questions' | 'work'>,
  { store, order, action, now }: { store: Store; order: Order; action: Action; now: Date },
): Promise<void> {
  const { ask, cutOff, linkDays, mail } = store.policy.buyer;
  if (!ask || action.action !== 'hold' || !waitsForBuyer(action.code)) return;
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const cutOffAt = cutOffAfter(now, cutOff);
  const expiresAt = new Date(now.getTime() + linkDays * dayMs);
  if (!(await tables.questions.open(key, { cutOffAt, expiresAt, now }))) return;
  const of = { ...key, storeId: store.id };
  await askOrder(tables, 'buyer-cut-off', of, { dueAt: cutOffAt, priority: priorities.question });
  if (mail) await askOrder(tables, 'ask-buyer', of, { dueAt: now, priority: priorities.download });
}
