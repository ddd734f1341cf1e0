import type { OrderKey } from '../ledger/shop-tables.ts';
import type { ShopKey } from '../ledger/sweep-tables.ts';
import type { StepDeps } from './deps.ts';

type SilentDeps = Pick<StepDeps, 'ledger' | 'clock'>;

const monthMs = 30 * 24 * 3_600_000;

/** Whether no process searched a shop to the end for so long, or ever. */
export async function isSilent({ ledger, clock }: SilentDeps, shop: ShopKey, ms: number): Promise<boolean> {
  const row = await ledger.sweeps.get(shop);
  return !row || Date.parse(row.sweptTo) + ms < clock.now().getTime();
}

/** Whether for a month nobody searched an order's shop, and nothing came of the order. */
export async function isForgotten(deps: SilentDeps, order: OrderKey): Promise<boolean> {
  const [newest] = await deps.ledger.deliveries.ofOrder(order, 1);
  const since = newest ? Date.parse(newest.receivedAt) : 0;
  return since + monthMs < deps.clock.now().getTime() && isSilent(deps, order, monthMs);
}
