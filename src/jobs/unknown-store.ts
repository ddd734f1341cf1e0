import { type Document, statesUnderWay } from '../domain/document.ts';
import type { Store } from '../domain/settings.ts';
import { isShadowShop } from '../domain/shadow.ts';
import type { ShopKey } from '../ledger/sweep-tables.ts';
import type { StepDeps } from './deps.ts';
import { UnknownHere } from './unknown-here.ts';

const dayMs = 24 * 3_600_000;

/** This process does not know the store of a shop. What belongs to a shadow may always end. */
function unknownStore({ platform, shop }: ShopKey, mayEnd: () => Promise<boolean>): Error {
  return new UnknownHere({
    what: 'store',
    name: `${platform} ${shop}`,
    fields: ({ storeId }) => ({ store: storeId, platform, shop }),
    giveUp: async () => isShadowShop(shop) || mayEnd(),
  });
}

/**
 * The configured store of a shop. Where this process has none the step ends here, and `whileKnown` says what becomes of
 * its work (unknown-here.ts).
 * @param mayEnd asked once it has waited for a day: whether nobody would miss this work any more.
 */
export function knownStore(
  { storeOf }: Pick<StepDeps, 'storeOf'>,
  { platform, shop }: ShopKey,
  mayEnd: () => Promise<boolean> = async () => false,
): Store {
  const store = storeOf(platform, shop);
  if (!store) throw unknownStore({ platform, shop }, mayEnd);
  return store;
}

/** For what came through a door that this process does not know; of one that left the config nothing more comes. */
export function unknownDoor({ platform, shop }: ShopKey): Error {
  return unknownStore({ platform, shop }, async () => true);
}

/** The same for a document, whose work never ends so while it is on its way. */
export function storeOfDocument(deps: Pick<StepDeps, 'storeOf' | 'clock'>, document: Document): Store {
  const store = deps.storeOf(document.platform, document.shop);
  if (!store) throw unknownStoreOf(deps, document);
  return store;
}

/** A month after the last news of a document that is not on its way nobody misses what was still to be done for it. */
export function unknownStoreOf({ clock }: Pick<StepDeps, 'clock'>, document: Document): Error {
  const { platform, shop, state, updatedAt } = document;
  const isOld = () => Date.parse(updatedAt) + 30 * dayMs < clock.now().getTime();
  return unknownStore({ platform, shop }, async () => !statesUnderWay.includes(state) && isOld());
}
