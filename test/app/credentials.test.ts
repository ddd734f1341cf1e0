import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { credentialsOf } from '../../src/app/stores.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { Credentials } from '../../src/domain/shop-identity.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

const shop = 'tienda.myshopify.com';
const clock = { now: () => new Date() };
const encryptionKey = new Uint8Array(32).fill(7);

async function openOne(place: { directory: string } | { url: string }) {
  const ledger = await openLedger({ ...place, encryptionKey }, clock, silentLog);
  onTestFinished(() => ledger.close());
  return ledger;
}

async function openSqlite() {
  const directory = await mkdtemp(join(tmpdir(), 'fp-credentials-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return openOne({ directory });
}

/** Ten renewals over these processes; each reads, adds one and writes. */
async function renewTenTimes(processes: readonly Credentials[]): Promise<void> {
  let inside = 0;
  const renew = (credentials: Credentials) =>
    credentials.alone(shop, async () => {
      inside += 1;
      expect(inside).toBe(1);
      const read = await credentials.get(shop);
      const spent = (read?.value as { spent: number } | undefined)?.spent ?? 0;
      expect(await credentials.put(shop, { spent: spent + 1 }, read?.version ?? null)).toBe(true);
      inside -= 1;
    });
  const all = Array.from({ length: 10 }, (_, n) => processes[n % processes.length] as Credentials);
  await Promise.all(all.map(renew));
  expect((await processes[0]?.get(shop))?.value).toEqual({ spent: 10 });
}

describe("a shop's credentials", () => {
  test('are renewed by one at a time', async () => {
    await renewTenTimes([credentialsOf('shopify', await openSqlite(), clock)]);
  });

  test.skipIf(!hasPostgres)('are renewed by one at a time in several processes', async () => {
    const { url, drop } = await openDatabase();
    onTestFinished(drop);
    const ledgers = [await openOne({ url }), await openOne({ url })];
    await renewTenTimes(ledgers.map((ledger) => credentialsOf('shopify', ledger, clock)));
  });

  test('a renewal that fails releases the lock', async () => {
    const credentials = credentialsOf('shopify', await openSqlite(), clock);
    await expect(credentials.alone(shop, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await credentials.alone(shop, async () => 'again')).toBe('again');
  });

  test('of another platform are out of sight', async () => {
    const ledger = await openSqlite();
    await credentialsOf('shopify', ledger, clock).put(shop, 1, null);
    expect(await credentialsOf('woocommerce', ledger, clock).get(shop)).toBeNull();
    expect(await credentialsOf('shopify', ledger, clock).shops()).toEqual([shop]);
  });
});
