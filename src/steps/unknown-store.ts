import { type Document, statesUnderWay } from '../core/document.ts';
import type { Store } from '../core/settings.ts';
import { isShadowShop } from '../core/shadow.ts';
import { done, type Step } from '../core/work.ts';
import type { ShopKey } from '../ledger/sweep-tables.ts';
import { openAbsences } from './absences.ts';
import type { StepDeps } from './deps.ts';

const soonMs = 2_000;
const longestMs = 15 * 60_000;
const dayMs = 24 * 3_600_000;

/** This process does not know the store of a shop: not yet, or not any more. */
class UnknownStore extends Error {
  readonly key: ShopKey;
  readonly mayEnd: () => Promise<boolean>;
  constructor(key: ShopKey, mayEnd: () => Promise<boolean>) {
    super(`No store of ${key.platform} ${key.shop} is configured in this process.`);
    this.key = key;
    this.mayEnd = mayEnd;
  }
}

/**
 * The configured store of a shop. Where this process has none the step ends here, and `whileKnown` says what becomes of
 * its work.
 * @param mayEnd asked once it has waited for a day: whether nobody would miss this work any more.
 */
export function knownStore(
  { storeOf }: Pick<StepDeps, 'storeOf'>,
  { platform, shop }: ShopKey,
  mayEnd: () => Promise<boolean> = async () => false,
): Store {
  const store = storeOf(platform, shop);
  if (!store) throw new UnknownStore({ platform, shop }, mayEnd);
  return store;
}

/** For what came through a door that this process does not know; of one that left the config nothing more comes. */
export function unknownDoor({ platform, shop }: ShopKey): Error {
  return new UnknownStore({ platform, shop }, async () => true);
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
  return new UnknownStore({ platform, shop }, async () => !statesUnderWay.includes(state) && isOld());
}

/**
 * Work of a store that this process does not know: a deploy is under way, `store add` came a moment ago, or the store
 * left the config. Another process may know it, and nobody else has this work: it waits, slower and slower, at most a
 * quarter of an hour, and goes on when the store is there. The log tells it once; of documents on their way an alert
 * does too (watch/absent-stores.ts). What belongs to a shadow, or may end, ends after a day.
 */
export function whileKnown({ clock, log }: Pick<StepDeps, 'clock' | 'log'>): (step: Step) => Step {
  const absences = openAbsences();
  return (step) => async (work) => {
    try {
      return await step(work);
    } catch (error) {
      if (!(error instanceof UnknownStore)) throw error;
      const now = clock.now().getTime();
      const { platform, shop } = error.key;
      const fields = { store: work.storeId, platform, shop };
      if (absences.note(`${platform} ${shop}`, now).isNew)
        log.warn(fields, 'This process does not know the store; what concerns it waits until one does');
      const { ms } = absences.note(work.id, now);
      if (ms >= dayMs && (isShadowShop(shop) || (await error.mayEnd()))) {
        const { kind, subject } = work;
        log.warn({ ...fields, kind, subject }, 'The store has been gone for long; this work ended undone');
        return done;
      }
      const wait = Math.min(Math.max(ms, soonMs), longestMs);
      return { kind: 'again', dueAt: new Date(now + wait), reason: 'its store is not known here' };
    }
  };
}
