import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, attempt, document, noon, order } from '../samples.ts';

/** Walking through what is old, and taking away whom it names. */
export function retentionContract(open: OpenLedger): void {
  describe('retention', () => {
    test('a walk goes on where it stopped, each by itself', async () => {
      const { retention } = await open();
      expect(await retention.mark('a')).toEqual({ at: '', id: '' });
      await retention.setMark('a', { at: '2026', id: '1' });
      await retention.setMark('a', { at: '2027', id: '2' });
      expect(await retention.mark('a')).toEqual({ at: '2027', id: '2' });
      expect(await retention.mark('b')).toEqual({ at: '', id: '' });
    });

    test('what a walk went past is known to it alone, until it is let go', async () => {
      const { retention } = await open();
      for (const id of ['1', '2', '2']) await retention.skip('a_b', id);
      await retention.skip('aXb', '3');
      await retention.unskip('a_b', '1');
      expect(await retention.skipped('a_b')).toEqual(['2']);
      expect(await retention.skipped('a')).toEqual([]);
      expect(await retention.mark('a_b')).toEqual({ at: '', id: '' });
    });

    test('every shop ever registered is listed, also those that left the config', async () => {
      const ledger = await open();
      await ledger.stores.register({ id: 'a', platform: 'shopify', shop: 'a.myshopify.com', now: noon });
      await ledger.stores.register({ id: 'b', platform: 'woocommerce', shop: 'https://b.ec', now: noon });
      expect(await ledger.retention.shops()).toEqual([
        { platform: 'shopify', shop: 'a.myshopify.com' },
        { platform: 'woocommerce', shop: 'https://b.ec' },
      ]);
    });

    test('documents come by age, in pages, none twice, and none that is too young', async () => {
      const { documents, retention } = await open();
      for (const n of [1, 2, 3, 4])
        await documents.create(document({ sourceId: `${n}`, now: at(n === 4 ? 9_000 : Math.floor(n / 2)) }));
      const before = at(5_000);
      const first = await retention.documents({ at: '', id: '' }, before, 2);
      const rest = await retention.documents(first.at(-1) ?? { at: '', id: '' }, before, 2);
      expect([first.length, rest.length]).toEqual([2, 1]);
      expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(3);
    });

    test('a document forgotten keeps number and sums, its attempts lose whom they named, its files go', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const id = made?.id ?? '';
      await ledger.attempts.add(
        attempt(id, { body: '{"comprador":"Ana","total":"1.00"}', buyerId: '1710034065' }),
      );
      await ledger.files.keep({ documentId: id, kind: 'pdf', bytes: new Uint8Array(9), now: noon });
      await ledger.retention.forgetDocument(id, (body) => body.replace('Ana', ''));
      const [left] = await ledger.attempts.ofDocument(id);
      expect([left?.body, left?.buyerId]).toEqual(['{"comprador":"","total":"1.00"}', '']);
      expect(await ledger.files.kinds(id)).toEqual([]);
      expect(await ledger.documents.get(id)).toEqual(made);
      expect(await ledger.documents.ofOrder(order)).toHaveLength(1);
    });
  });
}
