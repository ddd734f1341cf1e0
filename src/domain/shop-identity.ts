/*
 * Which shop it is that answers at an address. An address is nothing to go by: shops move, domains change hands, a
 * staging site is a copy of the whole database. The ledger knows a shop by the address it had first, for ever; what the
 * shop says of itself tells whether it is that shop which answers now.
 */

/** What a shop says of itself. */
export interface ShopIdentity {
  /** Stays the same wherever the shop goes, and another shop has another; null where a shop tells none. */
  id: string | null;
  /** Where the shop says that it is, as its platform's `shopOf` writes addresses. */
  addresses: readonly string[];
}

/** What is found at an address where a shop once was; `unknown` while nobody answers there. */
export type FormerAddress = 'stands' | 'left' | 'unknown';

/** A shop as the ledger knows it. */
export interface KnownShop {
  /** The name of the shop in the ledger: its first address. */
  shop: string;
  identity: string | null;
  /** Where it was found last. */
  address: string;
}

export const shopHoldCodes = ['shop-is-a-copy', 'shop-moved', 'shop-twice', 'shop-identity-changed'] as const;
/** Why nothing is read from a shop, emitted for it or written to it until a person has decided. */
export type ShopHoldCode = (typeof shopHoldCodes)[number];

export interface ShopHold {
  code: ShopHoldCode;
  /** The merchant's sentence. */
  reason: string;
  /** The identity that answered. */
  found: string;
  /** The name in the ledger of the shop that has this identity; null where none has. */
  owner: string | null;
}

export type ShopVerdict =
  /** As it was, or there is nothing to go by but the address. */
  | { kind: 'same' }
  /** Told for the first time: from now on the shop is known by it. */
  | { kind: 'first'; identity: string }
  /** The shop of this name in the ledger is found here now. */
  | { kind: 'moved'; shop: string }
  | ({ kind: 'held' } & ShopHold)
  /** First somebody has to look at the address where the shop was. */
  | { kind: 'ask-former'; address: string };

export interface ShopSeen {
  /** Where we asked. */
  address: string;
  answered: ShopIdentity;
  /** What the ledger knows of the shop at this address. */
  known: KnownShop;
  /** The shop of the ledger that has the identity which answered, and the other store that works with it. */
  owner: (KnownShop & { otherStore: string | null }) | null;
  /** What is found at the owner's address; undefined before anybody looked, null where a shop of the platform cannot be copied. */
  former: FormerAddress | null | undefined;
}

/** What it means that a shop answered so. Pure. */
export function judgeShop({ address, answered, known, owner, former }: ShopSeen): ShopVerdict {
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
    const name = `«${owner.otherStore}» (${owner.address})`;
    // A copy has an address of its own; the same shop under a second name says the first.
    if (former === undefined && !saysAddress(owner.address))
      return { kind: 'ask-former', address: owner.address };
    return former === 'stands' && !saysAddress(owner.address)
      ? held('shop-is-a-copy', `${address} es una copia de la tienda ${name}.`)
      : held('shop-twice', `${address} es la misma tienda que ${name}: cada pedido se facturaría dos veces.`);
  }
  if (known.identity !== null && known.shop !== owner.shop)
    return held(
      'shop-identity-changed',
      `En ${address} ya no responde la tienda que estaba ahí, sino la que se conoce en ${owner.address}.`,
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

/** What a person says of a hold; see domain/storing.ts. */
export const confirmations = ['moved', 'same', 'new'] as const;
export type Confirmation = (typeof confirmations)[number];

/** What that means: a shop of its own begins, a shop the ledger knows moved here, or this one has another identity now. */
export type Confirmed =
  | { kind: 'begins' }
  | { kind: 'moved'; shop: string }
  | { kind: 'same'; identity: string };

/** What a person's word makes of a hold; null where it answers another question. Pure. */
export function confirmedAs(
  { code, owner, found }: Omit<ShopHold, 'reason'>,
  as: Confirmation,
): Confirmed | null {
  if (code === 'shop-twice') return null;
  if (owner !== null) return as === 'moved' ? { kind: 'moved', shop: owner } : null;
  if (as === 'new') return { kind: 'begins' };
  return as === 'same' ? { kind: 'same', identity: found } : null;
}

/** What a person does about it, after the sentence of the hold. */
export function holdResolution({ code, owner }: Pick<ShopHold, 'code' | 'owner'>, storeId: string): string {
  const confirm = (as: string) => `«facturapuente store confirm ${storeId} --as ${as}»`;
  switch (code) {
    case 'shop-is-a-copy':
      return `Use la dirección de la tienda que vende. Si la que vende es esta y la otra quedó atrás, ejecute ${confirm('moved')}.`;
    case 'shop-moved':
      return `Si la tienda se mudó, ejecute ${confirm('moved')}; si esta es una copia de pruebas, use la dirección de la que vende.`;
    case 'shop-twice':
      return 'Deje una sola de las dos tiendas en la configuración o con «store remove».';
    case 'shop-identity-changed':
      if (owner !== null)
        return `Si esa tienda se mudó aquí, ejecute ${confirm('moved')}; si no, corrija la dirección.`;
      return `Si es la misma tienda, con sus mismos pedidos, ejecute ${confirm('same')}; si es otra que empieza de nuevo, ${confirm('new')}. Si no es suya, corrija la dirección.`;
  }
}

/** Without scheme and letter case: a proxy may end TLS before the shop, which then says http of itself. */
function isSamePlace(one: string, other: string): boolean {
  const place = (address: string) => address.replace(/^https?:\/\//i, '').toLowerCase();
  return place(one) === place(other);
}

/** An address that leads to a shop which has another name in the ledger. */
export interface ShopAddress {
  platform: string;
  address: string;
  shop: string;
  /** Whether the shop was found there last. */
  isLast: boolean;
}

/**
 * The ledger's name of each store's shop, by the store's id. No two stores share one: of those whose addresses lead to
 * one shop the name is of the one where the shop was found last, and any other is a shop that nobody knows yet. Pure.
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
