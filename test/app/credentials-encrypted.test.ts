import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';

const clock = { now: () => new Date('2026-11-20T15:00:00Z') };

test('what one shop gave us cannot be read in the place of another, nor of another platform', async () => {
  const directory = temporaryDirectory();
  const open = () => openLedger({ directory, encryptionKey: Buffer.alloc(32, 1) }, clock, silentLog);
  const first = await open();
  const key = { platform: 'shopify', shop: 'a.myshopify.com' };
  await first.credentials.put(key, { token: 'of-a' }, null, clock.now());
  await first.close();

  const database = new DatabaseSync(join(directory, 'ledger.db'));
  const copy = (platform: string, shop: string) =>
    database.exec(
      `insert into credentials select '${platform}', '${shop}', encrypted, version, updated_at from credentials where shop = '${key.shop}' and platform = 'shopify'`,
    );
  copy('shopify', 'b.myshopify.com');
  copy('woocommerce', key.shop);
  database.close();

  const second = await open();
  onTestFinished(() => second.close());
  await expect(second.credentials.get({ ...key, shop: 'b.myshopify.com' })).rejects.toThrow();
  await expect(second.credentials.get({ ...key, platform: 'woocommerce' })).rejects.toThrow();
  expect((await second.credentials.get(key))?.value).toEqual({ token: 'of-a' });
});
