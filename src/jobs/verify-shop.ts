import { IntegrityError, ShopError } from '../domain/errors.ts';
import type { JobOutcome } from '../domain/job.ts';
import type { Platform, Shop, ShopContext } from '../domain/platform.ts';
import { addressOf, owner, type Store } from '../domain/settings.ts';
import {
  type FormerAddress,
  judgeShop,
  type ShopHold,
  type ShopIdentity,
  type ShopVerdict,
  shopHoldCodes,
} from '../domain/shop-identity.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { ShopKey } from '../ledger/schema.ts';
import { keepOnly } from './alerts.ts';
import { again, type JobDeps } from './deps.ts';

export interface VerifyShopDeps extends Pick<JobDeps, 'ledger' | 'clock' | 'log' | 'alerts'> {
  stores(): Iterable<Store>;
  contextOf(platform: Platform): ShopContext;
}

/** `moved`: the ledger knows it by another name than the store has here; `unasked`: its last answer counts. */
export type Proof = { kind: 'verified' | 'moved' | 'unasked' } | { kind: 'held'; hold: ShopHold };

export interface ShopProofs {
  /** False where the shop is held. Throws ShopError. */
  isVerified(store: Store): Promise<boolean>;
  endOfNobody(): Promise<void>;
}

/** Two stores that are asked at once are resolved at the second look; more mean a defect. */
const mostLooks = 5;

/** If the shop does not answer its last answer counts; without one throws ShopError (domain/shop-identity.ts). */
export async function verifyShop(deps: VerifyShopDeps, store: Store, shop: Shop): Promise<Proof> {
  const { ledger, clock, log } = deps;
  const platform = store.platform.name;
  const key = keyOf(store);
  if (await isRenamed(deps, store)) return { kind: 'moved' };
  const answered = await shop.identity().catch((error: unknown) => {
    if (error instanceof ShopError) return error;
    throw error;
  });
  if (answered instanceof ShopError) {
    if (answered.disconnected) throw answered;
    if (answered.retryable && !(await ledger.shops.get(key))?.askedAt) throw answered;
    log.warn(
      { store: store.id, err: answered },
      'The shop did not say which one it is; its last answer counts',
    );
    const hold = await ledger.shops.held(key);
    return hold ? { kind: 'held', hold } : { kind: 'unasked' };
  }
  const verdict = await settle(deps, store, answered);
  const now = clock.now();
  switch (verdict.kind) {
    case 'held':
      await hold(deps, store, verdict);
      return { kind: 'held', hold: verdict };
    case 'moved': {
      const to = { platform, shop: verdict.shop, address: addressOf(store) };
      await ledger.shops.move(to, now);
      log.warn(
        { store: store.id, ...to },
        'The shop is found at a new address; it keeps its orders and documents',
      );
      await release(deps, { platform, shop: verdict.shop }, store.id);
      await release(deps, key, store.id);
      return { kind: verdict.shop === key.shop ? 'verified' : 'moved' };
    }
    default: {
      const before = answered.id === null ? await ledger.shops.held(key) : undefined;
      // A shop without an identity does not end a hold.
      if (before) return { kind: 'held', hold: before };
      await release(deps, key, store.id);
      return { kind: 'verified' };
    }
  }
}

/** Throws ShopError for a shop that is held, or that the ledger knows by another name than the store has here. */
export function assertVerified(proof: Proof, { id, shop }: Store): void {
  if (proof.kind === 'held')
    throw new ShopError(proof.hold.code, { message: proof.hold.reason, store: id }, { retryable: false });
  if (proof.kind === 'moved')
    throw new ShopError('shop-renamed', { store: id, shop }, { retryable: true, retryAfterMs: soonMs });
}

/** Again until the ledger agrees: another process may be asking another address of the same shop. */
async function settle(
  { ledger, clock, stores, contextOf }: VerifyShopDeps,
  store: Store,
  answered: ShopIdentity,
): Promise<Exclude<ShopVerdict, { kind: 'ask-former' }>> {
  const { platform, connection } = store;
  const key = keyOf(store);
  const { id: storeId } = store;
  const address = addressOf(store);
  let former: FormerAddress | null | undefined = platform.standsAt ? undefined : null;
  for (let look = 0; look < mostLooks; look += 1) {
    const known = (await ledger.shops.get(key)) ?? { ...key, storeId, identity: null, address };
    const has = answered.id === null ? undefined : await ledger.shops.ofIdentity(platform.name, answered.id);
    const otherStore = has && otherStoreOf(stores(), store, has);
    const owner = has ? { ...has, otherStore: otherStore ?? null } : null;
    const verdict = judgeShop({ storeId, address, answered, known, owner, former });
    if (verdict.kind === 'ask-former')
      former = (await platform.standsAt?.(verdict.address, connection, contextOf(platform))) ?? null;
    else if (verdict.kind === 'held' || verdict.kind === 'moved') return verdict;
    else if (await ledger.shops.answered(key, answered.id, clock.now())) return verdict;
  }
  throw new IntegrityError('busy-elsewhere', { why: 'identity', address });
}

const keyOf = ({ platform, shop }: Store): ShopKey => ({ platform: platform.name, shop });

/** Whether the ledger has another name for the shop by now, which this process does not use yet. */
async function isRenamed({ ledger, stores }: VerifyShopDeps, store: Store): Promise<boolean> {
  const { platform, shop } = keyOf(store);
  const address = addressOf(store);
  const known = await ledger.shops.addresses();
  const found = known.find((one) => one.platform === platform && one.address === address);
  return found !== undefined && found.shop !== shop && otherStoreOf(stores(), store, found) === null;
}

function otherStoreOf(stores: Iterable<Store>, store: Store, { platform, shop }: ShopKey): string | null {
  for (const other of stores)
    if (other.id !== store.id && other.platform.name === platform && other.shop === shop) return other.id;
  return null;
}

const alertOf = ({ platform, shop }: ShopKey) => ({ subject: `${platform} ${shop}` });

async function hold(deps: VerifyShopDeps, store: Store, why: ShopHold): Promise<void> {
  const { ledger, clock, alerts, log } = deps;
  const key = keyOf(store);
  if (await ledger.shops.hold(key, why, clock.now())) {
    log.error(
      { store: store.id, code: why.code, knownAs: why.owner },
      'The shop is held: it is not the one the ledger knows',
    );
    const others = shopHoldCodes.filter((code) => code !== why.code);
    await alerts.over({ code: others, ...alertOf(key) });
    // A shop that moves again leaves no hold at the address it had in between.
    await endHoldsOfNobody(deps);
  }
  // Each time: a process may have died before its alert.
  await alerts.raise({
    code: why.code,
    ...alertOf(key),
    about: owner.store(store.id),
    params: { store: store.id, reason: why.reason, known: why.owner !== null, address: '', shop: '' },
  });
}

export async function release(
  { ledger, clock, alerts }: Pick<VerifyShopDeps, 'ledger' | 'clock' | 'alerts'>,
  key: ShopKey,
  storeId: string,
): Promise<void> {
  // The alert ends first: while there is a hold, the next check ends it again.
  await alerts.over({ code: shopHoldCodes, ...alertOf(key) });
  if (await ledger.shops.release(key)) await ledger.stores.wake(storeId, clock.now());
}

export async function endHoldsOfNobody(deps: VerifyShopDeps): Promise<void> {
  const { ledger, alerts, stores } = deps;
  const names = new Set([...stores()].map((store) => alertOf(keyOf(store)).subject));
  const lasting = new Set<string>();
  for (const held of await ledger.shops.allHeld()) {
    const { subject } = alertOf(held);
    if (names.has(subject)) lasting.add(subject);
    else await ledger.shops.release(held);
  }
  await keepOnly({ ledger, alerts }, shopHoldCodes, ({ subject }) => lasting.has(subject));
}

const restMs = 3_600_000;
const soonMs = 3_000;
const unproven: readonly string[] = [...shopHoldCodes, 'shop-renamed'];

/** The wait of a job whose shop is held or has another name, as its first call said; null for any other error. */
export const unprovenRest = ({ code, retryable }: ShopError): number | null =>
  unproven.includes(code) ? (retryable ? soonMs : restMs) : null;

/** The outcome of a job whose shop is held: it waits for a person; null where the shop is not held. */
export async function whileHeld(
  { ledger, clock }: Pick<JobDeps, 'clock'> & { ledger: Pick<Tables, 'shops'> },
  { platform, shop }: ShopKey,
): Promise<Extract<JobOutcome, { kind: 'again' }> | null> {
  const held = await ledger.shops.held({ platform, shop });
  if (!held) return null;
  return again(clock, restMs, held.reason);
}
