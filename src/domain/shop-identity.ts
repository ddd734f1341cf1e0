/*
 * Which shop answers at an address. An address does not identify a shop: shops move, domains change owners, a staging site is a
 * copy of the whole database. The ledger names a shop by its first address; the identity that a shop states decides
 * whether it is that shop which answers now.
 */

/** A shop's statement of its identity. */
export interface ShopIdentity {
  /** Stays with the shop wherever it goes; null when a shop states none. */
  id: string | null;
  /** The shop's own addresses, as its platform's `shopOf` writes them. */
  addresses: readonly string[];
}

/** What is found at a shop's former address; `unknown` while nobody answers there. */
export type FormerAddress = 'stands' | 'left' | 'unknown';

/** A shop as the ledger knows it. */
export interface KnownShop {
  /** The shop's name in the ledger: its first address. */
  shop: string;
  identity: string | null;
  /** Where it last answered. */
  address: string;
  /** The config's id of the store that last had it; null where that is not recorded. */
  storeId: string | null;
}

export const shopHoldCodes = ['shop-is-a-copy', 'shop-moved', 'shop-twice', 'shop-identity-changed'] as const;
/** Why a shop is neither read nor written, and nothing is issued for it, until a person decides. */
export type ShopHoldCode = (typeof shopHoldCodes)[number];

export interface ShopHold {
  code: ShopHoldCode;
  /** The merchant's sentence; names no other store, which may be another merchant's. */
  reason: string;
  /** The identity that answered. */
  found: string;
  /** The ledger's name of the shop with this identity; null when none has it. */
  owner: string | null;
}

export type ShopVerdict =
  /** Unchanged, or without an identity to compare. */
  | { kind: 'same' }
  /** The first identity the shop stated; recorded from now on. */
  | { kind: 'first'; identity: string }
  /** The shop with this name in the ledger answers here now. */
  | { kind: 'moved'; shop: string }
  | ({ kind: 'held' } & ShopHold)
  /** The shop's former address must be checked first. */
  | { kind: 'ask-former'; address: string };

export interface ShopSeen {
  /** The store that was asked. */
  storeId: string;
  /** The address that was asked. */
  address: string;
  answered: ShopIdentity;
  /** The ledger's shop at this address. */
  known: KnownShop;
  /** The ledger's shop with the identity that answered, and another store that uses it. */
  owner: (KnownShop & { otherStore: string | null }) | null;
  /** What is at the owner's address; undefined before it was checked, null when shops of the platform cannot be copied. */
  former: FormerAddress | null | undefined;
}

/** Decides what an answer with this identity means. Pure. */
export function judgeShop({ storeId, address, answered, known, owner, former }: ShopSeen): ShopVerdict {
  const { id } = answered;
  if (id === null) return { kind: 'same' };
  const held = (code: ShopHoldCode, reason: string): ShopVerdict => ({
    kind: 'held',
    code,
    reason,
    found: id,
    owner: owner?.shop ?? null,
  });
  if (owner === null) {
    if (known.identity === null) return { kind: 'first', identity: id };
    return held(
      'shop-identity-changed',
      `En ${address} responde otra tienda que antes: se instaló de nuevo, se restauró desde otra, o el dominio cambió de dueño.`,
    );
  }
  const saysAddress = (one: string) => answered.addresses.some((said) => isSamePlace(said, one));
  if (owner.otherStore !== null) {
    // A copy has its own address; the same shop under a second name states the first.
    if (former === undefined && !saysAddress(owner.address))
      return { kind: 'ask-former', address: owner.address };
    return former === 'stands' && !saysAddress(owner.address)
      ? held('shop-is-a-copy', `${address} es una copia de otra tienda de esta instalación.`)
      : held(
          'shop-twice',
          `${address} es la misma tienda que otra de esta instalación: cada pedido se facturaría dos veces.`,
        );
  }
  if (known.identity !== null && known.shop !== owner.shop)
    return held(
      'shop-identity-changed',
      `En ${address} ya no responde la tienda que estaba ahí, sino otra que esta instalación conoce.`,
    );
  // Anyone who had a key or a copy of the database knows the id of a former merchant's shop.
  if (known.shop !== owner.shop && owner.storeId !== storeId)
    return held(
      'shop-moved',
      `En ${address} responde una tienda con la identidad de otra que ya estuvo en esta instalación; no consta que sea la misma.`,
    );
  if (isSamePlace(address, owner.address) || former === null)
    return owner.shop === known.shop && address === owner.address
      ? { kind: 'same' }
      : { kind: 'moved', shop: owner.shop };
  if (!saysAddress(address)) {
    const said = answered.addresses.join(', ') || 'ninguna';
    return held(
      'shop-moved',
      `En ${address} responde la tienda que se conoce en ${owner.address}, y la dirección que ella misma dice tener es ${said}.`,
    );
  }
  if (former === undefined) return { kind: 'ask-former', address: owner.address };
  if (former === 'left') return { kind: 'moved', shop: owner.shop };
  if (former === 'stands')
    return held(
      'shop-is-a-copy',
      `${address} es una copia de la tienda de ${owner.address}, que sigue en su lugar.`,
    );
  return held(
    'shop-moved',
    `La tienda de ${owner.address} responde ahora en ${address}, y en la dirección anterior no responde nadie con quien comprobar que se mudó.`,
  );
}

/** A person's answer to a hold; see domain/storing.ts. */
export const confirmations = ['moved', 'same', 'new'] as const;
export type Confirmation = (typeof confirmations)[number];

/** Its meaning: a new shop begins, a known shop moved here, or this shop has a new identity. */
export type Confirmed =
  | { kind: 'begins' }
  | { kind: 'moved'; shop: string }
  | { kind: 'same'; identity: string };

/** What a person's answer to a hold means; null when it does not fit the hold. Pure. */
export function confirmedAs(
  { code, owner, found }: Omit<ShopHold, 'reason'>,
  as: Confirmation,
): Confirmed | null {
  if (code === 'shop-twice') return null;
  if (owner !== null) return as === 'moved' ? { kind: 'moved', shop: owner } : null;
  if (as === 'new') return { kind: 'begins' };
  return as === 'same' ? { kind: 'same', identity: found } : null;
}

/** Ignores scheme and letter case: behind a proxy that ends TLS, a shop says http of itself. */
function isSamePlace(one: string, other: string): boolean {
  const place = (address: string) => address.replace(/^https?:\/\//i, '').toLowerCase();
  return place(one) === place(other);
}

/** An address of a shop whose name in the ledger is another. */
export interface ShopAddress {
  platform: string;
  address: string;
  shop: string;
  /** The shop last answered there. */
  isLast: boolean;
}

/**
 * The ledger's name of each store's shop, by store id. Names are unique: among stores whose addresses lead to one shop, the one where
 * the shop last answered gets its name, and any other is a shop unknown so far. Pure.
 */
export function nameShops(
  stores: readonly { id: string; platform: string; address: string }[],
  known: readonly ShopAddress[],
): Map<string, string> {
  const aliases = new Map(known.map((one) => [`${one.platform} ${one.address}`, one.shop]));
  const places = new Map(
    known.flatMap((one) => (one.isLast ? [[`${one.platform} ${one.shop}`, one.address] as const] : [])),
  );
  const wanted = stores.map(({ id, platform, address }) => {
    const shop = aliases.get(`${platform} ${address}`) ?? address;
    const isThere = (places.get(`${platform} ${shop}`) ?? shop) === address;
    return { id, platform, address, shop, isThere };
  });
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { id, platform, address, shop } of wanted.toSorted(
    (a, b) => Number(b.isThere) - Number(a.isThere),
  )) {
    const name = [shop, address, `${address}#2`].find((one) => !taken.has(`${platform} ${one}`)) ?? shop;
    taken.add(`${platform} ${name}`);
    names.set(id, name);
  }
  return names;
}

/** A stored secret: a token, API key or webhook secret that a shop gave us or we made for it. */
export interface Credential {
  /** JSON; its reader checks it with its own schema. */
  value: unknown;
  /** Counts the writes, from 1. */
  version: number;
}

/** One platform's credentials: encrypted, one record per shop, shared by all processes. */
export interface Credentials {
  get(shop: string): Promise<Credential | null>;
  /** Replaces the version that was read (null: none). Returns false, writing nothing, when another process was faster. */
  put(shop: string, value: unknown, version: number | null): Promise<boolean>;
  /** False when there was none. */
  remove(shop: string): Promise<boolean>;
  /** All shops that have one. */
  shops(): Promise<string[]>;
  /**
   * Runs `task` for this shop in one process at a time: a refresh token can be used once. Waits for the lock of another process,
   * which expires after a minute. Throws ShopError `busy-elsewhere` after half a minute.
   */
  alone<T>(shop: string, task: () => Promise<T>): Promise<T>;
}
