import { describe, expect, test } from 'vitest';
import {
  confirmations,
  confirmedAs,
  judgeShop,
  type KnownShop,
  nameShops,
  type ShopSeen,
} from '../../src/domain/shop-identity.ts';

const old = 'https://tienda.ec';
const moved = 'https://www.tienda.ec';
const fresh: KnownShop = { shop: moved, identity: null, address: moved, storeId: 'tienda' };
const before: KnownShop = { shop: old, identity: 'a', address: old, storeId: 'tienda' };

/** The shop "a" of tienda.ec answers at www, where nobody was known; it says that it is there. */
const seen = (more: Partial<ShopSeen> = {}): ShopSeen => ({
  address: moved,
  answered: { id: 'a', addresses: [moved] },
  known: fresh,
  owner: { ...before, otherStore: null },
  former: undefined,
  storeId: 'tienda',
  ...more,
});
const message = (more: Partial<ShopSeen>) => {
  const verdict = judgeShop(seen(more));
  return verdict.kind === 'held' ? verdict.code : verdict.kind;
};

describe('which shop it is that answers', () => {
  test('a shop that tells no identity is known by its address alone', () => {
    expect(message({ answered: { id: null, addresses: [] } })).toBe('same');
    expect(message({ known: before, address: old, answered: { id: null, addresses: [] } })).toBe('same');
  });

  test('an identity nobody has is the shop’s own when it tells it first, and another shop’s afterwards', () => {
    expect(judgeShop(seen({ owner: null }))).toEqual({ kind: 'first', identity: 'a' });
    expect(message({ owner: null, known: { ...fresh, identity: 'b' } })).toBe('shop-identity-changed');
  });

  test('the shop as it was is the same', () => {
    const owner = { ...before, otherStore: null };
    expect(message({ address: old, known: before, owner })).toBe('same');
  });

  test('a shop that left its address is the same at the new one', () => {
    expect(judgeShop(seen())).toEqual({ kind: 'ask-former', address: old });
    expect(judgeShop(seen({ former: 'left' }))).toEqual({ kind: 'moved', shop: old });
  });

  test('the same host with and without TLS is one place, whatever a proxy makes the shop say', () => {
    const http = { ...before, address: 'http://www.Tienda.ec', otherStore: null };
    expect(judgeShop(seen({ owner: http }))).toEqual({ kind: 'moved', shop: old });
    const answered = { id: 'a', addresses: ['http://www.tienda.ec'] };
    expect(judgeShop(seen({ answered, former: 'left' }))).toEqual({ kind: 'moved', shop: old });
  });

  test('where shops cannot be copied, whoever has the identity is the shop', () => {
    expect(judgeShop(seen({ former: null, answered: { id: 'a', addresses: [] } }))).toEqual({
      kind: 'moved',
      shop: old,
    });
  });

  test('a copy beside the shop is held, and so is what nobody can prove', () => {
    expect(message({ former: 'stands' })).toBe('shop-is-a-copy');
    expect(message({ former: 'unknown' })).toBe('shop-moved');
    expect(message({ answered: { id: 'a', addresses: [old] } })).toBe('shop-moved');
  });

  test('a former address that a shop went back to is judged like a new one', () => {
    const owner = { ...before, address: moved, otherStore: null };
    const back = { address: old, known: before, owner, answered: { id: 'a', addresses: [old] } };
    expect(message(back)).toBe('ask-former');
    expect(message({ ...back, former: 'stands' })).toBe('shop-is-a-copy');
    expect(judgeShop(seen({ ...back, former: 'left' }))).toEqual({ kind: 'moved', shop: old });
  });

  test('two stores that are one shop are told from a store and the copy of another', () => {
    const owner = { ...before, otherStore: 'quito' };
    expect(message({ owner, answered: { id: 'a', addresses: [old] } })).toBe('shop-twice');
    expect(message({ owner })).toBe('ask-former');
    expect(message({ owner, former: 'stands' })).toBe('shop-is-a-copy');
    expect(message({ owner, former: 'left' })).toBe('shop-twice');
    expect(message({ owner, former: null })).toBe('shop-twice');
  });

  test('a shop that was another store’s is held, whatever answers at its former address', () => {
    const owner = { ...before, storeId: 'otra', otherStore: null };
    for (const former of [undefined, 'left', 'stands', 'unknown', null] as const)
      expect(judgeShop(seen({ owner, former }))).toMatchObject({ code: 'shop-moved', owner: old });
    expect(message({ owner: { ...owner, address: 'http://www.tienda.ec' } })).toBe('shop-moved');
  });

  test('the reason of a held shop names neither another store nor its address', () => {
    const other = { ...before, storeId: 'otra', otherStore: null };
    const named = { ...fresh, identity: 'b' };
    for (const more of [
      { owner: { ...other, otherStore: 'otra' }, former: 'stands' },
      { owner: { ...other, otherStore: 'otra' }, former: 'left' },
      { owner: other },
      { owner: other, known: named },
    ] as const) {
      const verdict = judgeShop(seen(more));
      expect(verdict.kind === 'held' && verdict.reason).not.toMatch(/otra»|\/\/tienda\.ec/);
      expect(verdict).toMatchObject({ kind: 'held', owner: old });
    }
  });

  test('a known shop in the place of another known shop is held', () => {
    const known = { ...fresh, identity: 'b' };
    expect(judgeShop(seen({ known, former: 'left' }))).toMatchObject({
      code: 'shop-identity-changed',
      owner: old,
    });
  });
});

describe('what the ledger calls the shop of each store', () => {
  const at = (id: string, address: string) => ({ id, platform: 'woocommerce', address });
  const alias = (address: string, shop: string, isLast = true) => ({
    platform: 'woocommerce',
    ...{ address, shop, isLast },
  });
  const names = (...asked: Parameters<typeof nameShops>) => Object.fromEntries(nameShops(...asked));

  test('its address, or the one it had first', () => {
    expect(names([at('a', old), at('b', 'https://otra.ec')], [alias(moved, old)])).toEqual({
      a: old,
      b: 'https://otra.ec',
    });
    expect(names([at('a', moved)], [alias(moved, old)])).toEqual({ a: old });
    expect(names([{ ...at('a', moved), platform: 'shopify' }], [alias(moved, old)])).toEqual({ a: moved });
  });

  test('of two addresses of one shop the one where it was found last; the other is nobody’s yet', () => {
    const both = [at('a', old), at('b', moved)];
    expect(names(both, [alias(moved, old)])).toEqual({ a: `${old}#2`, b: old });
    expect(names(both.toReversed(), [alias(moved, old)])).toEqual({ a: `${old}#2`, b: old });
    expect(names(both, [alias(moved, old, false)])).toEqual({ a: old, b: moved });
  });

  test('a shop that began at the address of one that moved keeps its own name', () => {
    const known = [alias(moved, old), alias(old, `${old}#2`)];
    expect(names([at('a', old), at('b', moved)], known)).toEqual({ a: `${old}#2`, b: old });
    expect(names([at('a', old)], known)).toEqual({ a: `${old}#2` });
  });
});

describe('what a person says of a hold', () => {
  const each = (code: 'shop-moved' | 'shop-identity-changed' | 'shop-twice', owner: string | null) =>
    confirmations.map((as) => confirmedAs({ code, owner, found: 'b' }, as));

  test('is that the shop of another name moved here, where it answered as that one', () => {
    expect(each('shop-moved', old)).toEqual([{ kind: 'moved', shop: old }, null, null]);
  });

  test('is that it is the same or a new one, where nobody had that identity', () => {
    const [, same, begins] = [null, { kind: 'same', identity: 'b' }, { kind: 'begins' }];
    expect(each('shop-identity-changed', null)).toEqual([null, same, begins]);
  });

  test('changes nothing where two stores are one shop: one of them has to go', () => {
    expect(each('shop-twice', old)).toEqual([null, null, null]);
  });
});
