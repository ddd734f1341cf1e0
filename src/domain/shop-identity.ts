/*
 * Shops move, domains change owners, and a staging site is a copy of the whole database. The ledger names a shop by its first
 * address; the stated identity decides whether that shop answers now.
 */

export interface ShopIdentity {
  /** Stays with the shop wherever it moves; null when a shop states none. */
  id: string | null;
  /** The shop's own addresses, as its platform's `shopOf` writes them. */
  addresses: readonly string[];
}

export type FormerAddress = 'stands' | 'left' | 'unknown';

export interface KnownShop {
  /** The shop's first address. */
  shop: string;
  identity: string | null;
  address: string;
  storeId: string;
}

export const shopHoldCodes = ['shop-is-a-copy', 'shop-moved', 'shop-twice', 'shop-identity-changed'] as const;
/** The shop is neither read nor written, and nothing is issued for it, until a person decides. */
export type ShopHoldCode = (typeof shopHoldCodes)[number];

export interface ShopHold {
  code: ShopHoldCode;
  /** Names no other store, which may be another merchant's. */
  reason: string;
  found: string;
  /** The ledger's name of the shop with this identity; null when none has it. */
  owner: string | null;
}

export type ShopVerdict =
  | { kind: 'same' }
  | { kind: 'first'; identity: string }
  | { kind: 'moved'; shop: string }
  | ({ kind: 'held' } & ShopHold)
  | { kind: 'ask-former'; address: string };

export interface ShopSeen {
  storeId: string;
  address: string;
  answered: ShopIdentity;
  known: KnownShop;
  owner: (KnownShop & { otherStore: string | null }) | null;
  /** undefined before it was checked, null when shops of the platform cannot be copied. */
  former: FormerAddress | null | undefined;
}

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

export const confirmations = ['moved', 'same', 'new'] as const;
export type Confirmation = (typeof confirmations)[number];

export type Confirmed =
  | { kind: 'begins' }
  | { kind: 'moved'; shop: string }
  | { kind: 'same'; identity: string };

export function confirmedAs(
  { code, owner, found }: Omit<ShopHold, 'reason'>,
  as: Confirmation,
): Confirmed | null {
  if (code === 'shop-twice') return null;
  if (owner !== null) return as === 'moved' ? { kind: 'moved', shop: owner } : null;
  if (as === 'new') return { kind: 'begins' };
  return as === 'same' ? { kind: 'same', identity: found } : null;
}

/** Behind a proxy that ends TLS, a shop says http of itself; letter case does not count. */
function isSamePlace(one: string, other: string): boolean {
  const place = (address: string) => address.replace(/^https?:\/\//i, '').toLowerCase();
  return place(one) === place(other);
}

export interface ShopAddress {
  platform: string;
  address: string;
  shop: string;
  isLast: boolean;
}

/** Names are unique: among stores whose addresses lead to one shop, the one where it last answered gets its name. */
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

export interface Credential {
  value: unknown;
  version: number;
}

/** Encrypted, one record per shop, shared by all processes. */
export interface Credentials {
  get(shop: string): Promise<Credential | null>;
  /** Replaces the version that was read (null: none). Returns false, writing nothing, when another process was faster. */
  put(shop: string, value: unknown, version: number | null): Promise<boolean>;
  remove(shop: string): Promise<boolean>;
  shops(): Promise<string[]>;
  /** One process at a time: a refresh token can be used once. Throws ShopError `busy-elsewhere` after half a minute. */
  alone<T>(shop: string, task: () => Promise<T>): Promise<T>;
}
