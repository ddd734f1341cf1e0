import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, noon } from '../samples.ts';

export function credentialsContract(open: OpenLedger): void {
  describe('credentials', () => {
    const key = { platform: 'shopify', shop: 'tienda.myshopify.com' };

    test('are kept a shop, and written only over what was read', async () => {
      const { credentials } = await open();
      expect(await credentials.get(key)).toBeNull();
      const first = await Promise.all(
        Array.from({ length: 4 }, (_, n) => credentials.put(key, { token: `t${n}` }, null, noon)),
      );
      expect(first.filter(Boolean)).toHaveLength(1);
      const second = await Promise.all(
        Array.from({ length: 4 }, () => credentials.put(key, { token: 'new' }, 1, at(1))),
      );
      expect(second.filter(Boolean)).toHaveLength(1);
      expect(await credentials.get(key)).toEqual({ value: { token: 'new' }, version: 2 });
      expect(await credentials.get({ ...key, shop: 'otra.myshopify.com' })).toBeNull();
      expect(await credentials.get({ ...key, platform: 'woocommerce' })).toBeNull();
    });

    test('are listed by platform, and gone once removed', async () => {
      const { credentials } = await open();
      await credentials.put(key, 1, null, noon);
      await credentials.put({ ...key, shop: 'a.myshopify.com' }, 2, null, noon);
      await credentials.put({ ...key, platform: 'woocommerce' }, 3, null, noon);
      expect(await credentials.shops('shopify')).toEqual(['a.myshopify.com', key.shop]);
      await credentials.put(key, 4, 1, noon);
      expect(await credentials.versions('shopify')).toEqual([
        ['a.myshopify.com', 1],
        [key.shop, 2],
      ]);
      expect(await credentials.remove(key)).toBe(true);
      expect(await credentials.remove(key)).toBe(false);
      expect(await credentials.get(key)).toBeNull();
    });
  });

  describe('locks', () => {
    test('one holder at a time, until it gives back or its time is over', async () => {
      const { locks: turns } = await open();
      const lock = (holder: string, now: Date) =>
        turns.take({ name: 'token', holder, now, until: new Date(now.getTime() + 60_000) });
      expect(await lock('a', noon)).toBe(true);
      expect(await lock('b', at(1_000))).toBe(false);
      expect(await lock('a', at(30_000))).toBe(true);
      expect(await lock('b', at(61_000))).toBe(false);
      expect(await lock('b', at(90_000))).toBe(true);
      await turns.giveBack({ name: 'token', holder: 'a' });
      expect(await lock('a', at(91_000))).toBe(false);
      await turns.giveBack({ name: 'token', holder: 'b' });
      expect(await lock('a', at(92_000))).toBe(true);
    });
  });
}
