import type { LegalNames } from '../domain/legal-names.ts';
import type { Order } from '../domain/order.ts';
import type { Account, Store } from '../domain/settings.ts';
import { shopBehind } from '../domain/shadow.ts';
import type { PlanInput } from '../planner/input.ts';
import { legalNameWanted } from '../planner/legal-name.ts';
import type { StepDeps } from './deps.ts';
import { registryNames } from './registry-names.ts';

/** Puts a registry's name for the buyer onto the order before it is planned, where policy and order ask for one. */
export type NameBuyer = (input: PlanInput & { store: Store }) => Promise<Order>;

/**
 * The name stays with the stored order: the document is sent with the name it was planned with, and the next sync
 * of the same buyer asks nobody.
 */
export function nameBuyer(deps: StepDeps): NameBuyer {
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
