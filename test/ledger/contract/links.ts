import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, document, noon } from '../samples.ts';

export function linksContract(open: OpenLedger): void {
  describe('what stands behind links', () => {
    test('each revocation of a document’s links counts one further, for that document alone', async () => {
      const { documents } = await open();
      const one = await documents.create(document({ sourceId: '1', now: noon }));
      const other = await documents.create(document({ sourceId: '2', now: noon }));
      if (!one || !other) throw new Error('Nothing was created');
      expect(one.linkVersion).toBe(0);
      expect(await documents.revokeLinks(one.id)).toBe(1);
      expect(await documents.revokeLinks(one.id)).toBe(2);
      expect((await documents.get(one.id))?.linkVersion).toBe(2);
      expect((await documents.get(other.id))?.linkVersion).toBe(0);
    });

    test('files are kept as they first came, byte by byte', async () => {
      const { files } = await open();
      const bytes = Buffer.from(Array.from({ length: 2_000 }, (_, n) => n % 256));
      expect(await files.get('uno', 'pdf')).toBeUndefined();
      await files.keep({ documentId: 'uno', kind: 'pdf', bytes, now: noon });
      await files.keep({ documentId: 'uno', kind: 'pdf', bytes: Buffer.from('otro'), now: noon });
      expect(Buffer.from((await files.get('uno', 'pdf')) ?? []).equals(bytes)).toBe(true);
      expect(await files.get('uno', 'xml')).toBeUndefined();
      expect(await files.kinds('uno')).toEqual(['pdf']);
    });

    test('the oldest files go first where they take more than they may', async () => {
      const { files } = await open();
      await files.prune(0);
      for (const n of [1, 2, 3, 4])
        await files.keep({ documentId: `doc-${n}`, kind: 'xml', bytes: Buffer.alloc(1_000), now: at(n) });
      expect(await files.prune(2_500)).toBe(2);
      expect(
        await Promise.all([1, 2, 3, 4].map(async (n) => (await files.kinds(`doc-${n}`)).length)),
      ).toEqual([0, 0, 1, 1]);
      expect(await files.prune(2_500)).toBe(0);
      expect(await files.prune(0)).toBe(2);
    });
  });
}
