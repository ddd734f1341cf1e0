import { dayMs } from '../domain/clock.ts';
import { type Document, statesUnderWay } from '../domain/document.ts';
import type { OrderKey, ShopKey } from '../ledger/schema.ts';
import type { JobDeps, UnknownHere } from './deps.ts';

export const unknownStore = (
  { platform, shop }: ShopKey,
  mayEnd: () => Promise<boolean> = async () => false,
): UnknownHere => ({ kind: 'unknown-here', what: 'store', name: `${platform} ${shop}`, mayEnd });

const monthMs = 30 * dayMs;

/** The jobs of a document that is not on its way may end undone a month after its last change, the others never. */
export function unknownStoreOf({ clock }: Pick<JobDeps, 'clock'>, document: Document): UnknownHere {
  const isOld = () => Date.parse(document.updatedAt) + monthMs < clock.now().getTime();
  return unknownStore(document, async () => !statesUnderWay.includes(document.state) && isOld());
}

type SilentDeps = Pick<JobDeps, 'ledger' | 'clock'>;

/** Whether the shop was not reconciled for so long. */
export async function isSilent({ ledger, clock }: SilentDeps, shop: ShopKey, ms: number): Promise<boolean> {
  const row = await ledger.reconciliations.get(shop);
  return !row || Date.parse(row.reconciledTo) + ms < clock.now().getTime();
}

export async function isForgotten(deps: SilentDeps, order: OrderKey): Promise<boolean> {
  const [newest] = await deps.ledger.deliveries.ofOrder(order, 1);
  const since = newest ? Date.parse(newest.receivedAt) : 0;
  return since + monthMs < deps.clock.now().getTime() && isSilent(deps, order, monthMs);
}
