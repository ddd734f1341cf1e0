import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, delivery, noon } from '../samples.ts';

export function shopsContract(open: OpenLedger): void {
  describe('which shop it is', () => {
    const platform = 'woocommerce';
    const quito = { platform, shop: 'https://quito.ec' };
    const loja = { platform, shop: 'https://loja.ec' };
    const opened = async () => {
      const ledger = await open();
      await ledger.stores.register({ id: 'quito', ...quito, now: noon });
      await ledger.stores.register({ id: 'loja', ...loja, now: at(1) });
      return ledger;
    };

    test('a shop is known by its name, and from its first answer on by what it said it is', async () => {
      const { shops, stores } = await opened();
      expect(await shops.get({ ...quito, shop: 'https://otra.ec' })).toBeUndefined();
      const row = { ...quito, storeId: 'quito', identity: null, address: quito.shop, askedAt: null };
      expect(await shops.get(quito)).toEqual(row);
      expect(await shops.answered(quito, 'a', at(5))).toBe(true);
      const known = { ...row, identity: 'a', askedAt: at(5).toISOString() };
      expect(await shops.get(quito)).toEqual(known);
      expect(await shops.ofIdentity(platform, 'a')).toEqual(known);
      expect(await shops.ofIdentity('shopify', 'a')).toBeUndefined();
      // A start registers it again.
      await stores.register({ id: 'quito', ...quito, now: at(9) });
      expect(await shops.get(quito)).toEqual(known);
    });

    test('one that states no identity keeps the one it stated before', async () => {
      const { shops } = await opened();
      expect(await shops.answered(loja, null, at(5))).toBe(true);
      expect(await shops.get(loja)).toMatchObject({ identity: null, askedAt: at(5).toISOString() });
      await shops.answered(loja, 'b', at(6));
      await shops.answered(loja, null, at(7));
      expect(await shops.get(loja)).toMatchObject({ identity: 'b', askedAt: at(7).toISOString() });
    });

    test('an identity is one shop’s, also when two are asked at once; and a shop keeps the one it has', async () => {
      const { shops } = await opened();
      const raced = await Promise.all([shops.answered(quito, 'a', at(1)), shops.answered(loja, 'a', at(1))]);
      expect(raced.toSorted()).toEqual([false, true]);
      const [winner, loser] = raced[0] ? [quito, loja] : [loja, quito];
      expect(await shops.get(winner)).toMatchObject({ identity: 'a' });
      expect(await shops.get(loser)).toMatchObject({ identity: null, askedAt: null });
      expect(await shops.answered(winner, 'b', at(2))).toBe(false);
      expect(await shops.replaceIdentity(loser, 'a')).toBe(false);
      expect(await shops.replaceIdentity(winner, 'b')).toBe(true);
      expect(await shops.answered(loser, 'a', at(3))).toBe(true);
    });

    test('a shop that moved is found under its name at the new address, with what came there meanwhile', async () => {
      const { shops, deliveries, accept } = await opened();
      const came = { connection: 'quito', platform, orderId: '7', job: null };
      await accept(delivery('before', { ...came, shop: loja.shop, receivedAt: noon }));
      await accept(delivery('after', { ...came, shop: loja.shop, receivedAt: at(2) }));
      await shops.move({ ...quito, address: loja.shop }, at(5));
      expect(await shops.addresses()).toEqual([{ ...quito, address: loja.shop, isLast: true }]);
      expect(await shops.get(quito)).toMatchObject({ address: loja.shop, askedAt: at(5).toISOString() });
      const ofQuito = await deliveries.ofOrder({ ...quito, orderId: '7' }, 9);
      expect(ofQuito.map(({ receivedAt }) => receivedAt)).toEqual([at(2).toISOString()]);
      await shops.move({ ...quito, address: 'https://www.quito.ec' }, at(6));
      await shops.move({ ...quito, address: quito.shop }, at(7));
      expect((await shops.addresses()).map(({ address }) => address)).toEqual([
        loja.shop,
        'https://www.quito.ec',
      ]);
      expect(await shops.get(quito)).toMatchObject({ address: quito.shop });
    });

    test('a shop is held until it is released, once for one thing', async () => {
      const { shops } = await opened();
      const hold = {
        code: 'shop-is-a-copy',
        reason: 'Es una copia.',
        found: 'a',
        owner: quito.shop,
      } as const;
      expect(await shops.held(loja)).toBeUndefined();
      expect(await shops.hold(loja, hold, at(1))).toBe(true);
      expect(await shops.hold(loja, hold, at(2))).toBe(false);
      expect(await shops.held(loja)).toEqual({ ...loja, ...hold, since: at(1).toISOString() });
      expect(await shops.hold(loja, { ...hold, code: 'shop-moved' }, at(3))).toBe(true);
      expect(await shops.allHeld()).toMatchObject([{ code: 'shop-moved', since: at(1).toISOString() }]);
      expect(await shops.release(loja)).toBe(true);
      expect(await shops.release(loja)).toBe(false);
    });
  });
}
