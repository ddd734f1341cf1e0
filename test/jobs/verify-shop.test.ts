import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import type { Platform, Shop, ShopContext } from '../../src/domain/platform.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { Store } from '../../src/domain/settings.ts';
import type { FormerAddress, ShopIdentity } from '../../src/domain/shop-identity.ts';
import { ledgerAlerts } from '../../src/jobs/alerts.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import {
  assertVerified,
  endHoldsOfNobody,
  type Proof,
  type VerifyShopDeps,
  verifyShop,
  whileHeld,
} from '../../src/jobs/verify-shop.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

const now = new Date('2026-11-20T15:00:00Z');
const clock = { now: () => now };
const quito = 'https://quito.ec';
const www = 'https://www.quito.ec';

describe('which shop answers', () => {
  /** On PostgreSQL there is another process beside this one. */
  async function open(engine: 'sqlite' | 'postgresql' = 'sqlite') {
    const encryptionKey = new Uint8Array(32).fill(7);
    const folder = await mkdtemp(join(tmpdir(), 'fp-prove-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const database = engine === 'postgresql' ? await openDatabase() : null;
    if (database) onTestFinished(database.drop);
    const place = database ? { url: database.url } : { directory: join(folder, 'ledger') };
    const ledger = await openLedger({ ...place, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    const other = database ? await openLedger({ ...place, encryptionKey }, clock, silentLog) : ledger;
    if (database) onTestFinished(() => other.close());

    const message = new Map<string, ShopIdentity | ShopError>();
    const standing = new Map<string, FormerAddress>();
    const platform = {
      name: 'woocommerce',
      shopOf: ({ url }: { url: string }) => url,
      standsAt: async (address: string) => standing.get(address) ?? 'unknown',
    } as unknown as Platform;
    const stores: Store[] = [];
    const store = async (id: string, url: string, shop = url) => {
      const made = { id, platform, shop, connection: { url }, app: null } as unknown as Store;
      stores.push(made);
      await ledger.stores.register({ id, platform: platform.name, shop, now });
      return made;
    };
    const deps = (of = ledger): VerifyShopDeps => ({
      ledger: of,
      clock,
      log: silentLog,
      alerts: ledgerAlerts({ ledger: of, clock, log: silentLog, channels: new Map() }),
      stores: () => stores,
      contextOf: () => ({}) as ShopContext,
    });
    const verify = (one: Store, of = ledger) => {
      const shop = {
        identity: async () => {
          const said = message.get((one.connection as { url: string }).url);
          if (said instanceof ShopError || !said) throw said ?? new Error('Nobody is there.');
          return said;
        },
      } as unknown as Shop;
      return verifyShop(deps(of), one, shop);
    };
    const alerts = async () => (await ledger.alerts.open()).map(({ code }) => code);
    const named = (shop: string) => ({ platform: platform.name, shop });
    return { ledger, other, message, standing, stores, store, verify, deps, alerts, named };
  }
  const away = new ShopError('shop-timeout', { platform: 'WooCommerce' }, { retryable: true });
  const denied = new ShopError('shop-unauthorized', { message: 'No.' }, { retryable: false });
  const gone = new ShopError(
    'shop-not-connected',
    { message: 'No.' },
    { retryable: false, disconnected: true },
  );

  test('nothing is read from a shop that never said who it is, and what it said stands while it is away', async () => {
    const { store, message, verify, ledger, named } = await open();
    const one = await store('quito', quito);
    message.set(quito, away);
    await expect(verify(one)).rejects.toBe(away);
    message.set(quito, { id: 'a', addresses: [quito] });
    expect(await verify(one)).toEqual({ kind: 'verified' });
    expect(await ledger.shops.get(named(quito))).toMatchObject({ identity: 'a' });
    message.set(quito, away);
    expect(await verify(one)).toEqual({ kind: 'unasked' });
    message.set(quito, gone);
    await expect(verify(one)).rejects.toBe(gone);
  });

  test('an identity that never settles is no trouble of the shop: nothing is done to it', async () => {
    const { store, message, deps } = await open();
    message.set(quito, { id: 'a', addresses: [quito] });
    const one = await store('quito', quito);
    const { ledger, ...others } = deps();
    const shops = { ...ledger.shops, answered: async () => false };
    const shop = { identity: async () => message.get(quito) } as unknown as Shop;
    await expect(verifyShop({ ...others, ledger: { ...ledger, shops } }, one, shop)).rejects.toThrow(
      expect.objectContaining({ name: 'IntegrityError', code: 'busy-elsewhere' }),
    );
  });

  test('keys that may not ask leave the shop known by its address', async () => {
    const { store, message, verify } = await open();
    message.set(quito, denied);
    expect(await verify(await store('quito', quito))).toEqual({ kind: 'unasked' });
  });

  test('a shop that moved keeps its name', async () => {
    const { store, stores, message, standing, verify, ledger, named } = await open();
    message.set(quito, { id: 'a', addresses: [quito] });
    await verify(await store('quito', quito));
    stores.length = 0;
    const moved = await store('quito', www);
    message.set(www, { id: 'a', addresses: [www] });
    standing.set(quito, 'left');
    const proof = await verify(moved);
    expect(proof).toEqual({ kind: 'moved' });
    expect(() => assertVerified(proof, moved)).toThrow(ShopError);
    expect(await ledger.shops.addresses()).toEqual([{ ...named(quito), address: www, isLast: true }]);
    // A process that has not taken it up yet asks nobody.
    message.clear();
    expect(await verify(moved)).toEqual({ kind: 'moved' });
    stores.length = 0;
    message.set(www, { id: 'a', addresses: [www] });
    expect(await verify(await store('quito', www, quito))).toEqual({ kind: 'verified' });
  });

  test('a shop that says it is a former merchant’s inherits nothing until the operator confirms it', async () => {
    const { store, stores, message, standing, verify, ledger, named } = await open();
    message.set(quito, { id: 'a', addresses: [quito] });
    await verify(await store('quito', quito));
    stores.length = 0;
    standing.set(quito, 'left');
    message.set(www, { id: 'a', addresses: [www] });
    const newcomer = await store('nueva', www);
    expect(await verify(newcomer)).toMatchObject({
      kind: 'held',
      hold: { code: 'shop-moved', owner: quito },
    });
    expect(await ledger.shops.addresses()).toEqual([]);
    const [alert] = await ledger.alerts.open();
    expect(JSON.stringify(alert)).not.toMatch(/«quito»|https:\/\/quito\.ec/);
    await ledger.shops.move({ ...named(quito), address: www }, now);
    expect(await verify(newcomer)).toEqual({ kind: 'moved' });
  });

  test('a copy is held until the shop has left its old address', async () => {
    const { store, stores, message, standing, verify, ledger, alerts, deps, named } = await open();
    message.set(quito, { id: 'a', addresses: [quito] });
    await verify(await store('quito', quito));
    stores.length = 0;
    const copy = await store('quito', www);
    message.set(www, { id: 'a', addresses: [www] });
    for (const [there, code] of [
      ['stands', 'shop-is-a-copy'],
      ['unknown', 'shop-moved'],
    ] as const) {
      standing.set(quito, there);
      expect(await verify(copy)).toMatchObject({ kind: 'held', hold: { code, owner: quito } });
      expect(await alerts()).toEqual([code]);
    }
    const waits = await whileHeld(deps(), { ...named(www) });
    expect(waits).toMatchObject({ kind: 'again', reason: expect.stringContaining(www) });
    message.set(www, away);
    await expect(verify(copy)).rejects.toBe(away);
    message.set(www, { id: 'a', addresses: [www] });
    standing.set(quito, 'left');
    expect(await verify(copy)).toEqual({ kind: 'moved' });
    expect([await ledger.shops.allHeld(), await alerts()]).toEqual([[], []]);
  });

  const engines = hasPostgres ? (['sqlite', 'postgresql'] as const) : (['sqlite'] as const);
  test.each(engines)(
    'of two stores that are one shop one is held, also when both are asked at once, on %s',
    async (engine) => {
      const { store, message, verify, other, alerts, standing } = await open(engine);
      standing.set(quito, 'stands');
      standing.set(www, 'stands');
      const both = [await store('uno', quito), await store('dos', www)] as const;
      for (const url of [quito, www]) message.set(url, { id: 'a', addresses: [quito, www] });
      const proofs = await Promise.all([verify(both[0]), verify(both[1], other)]);
      expect(proofs.map(({ kind }) => kind).toSorted()).toEqual(['held', 'verified']);
      expect(await alerts()).toEqual(['shop-twice']);
      const again = await Promise.all([verify(both[0]), verify(both[1], other)]);
      expect(again.map(({ kind }) => kind)).toEqual(proofs.map(({ kind }) => kind));
    },
  );

  test('a shop that answers as another is held, and free again when it is itself', async () => {
    const { store, message, verify, ledger, alerts, deps, named } = await open();
    const one = await store('quito', quito);
    message.set(quito, { id: 'a', addresses: [quito] });
    await verify(one);
    message.set(quito, { id: 'b', addresses: [quito] });
    expect(await verify(one)).toMatchObject({ kind: 'held', hold: { code: 'shop-identity-changed' } });
    expect(await whileHeld(deps(), named(quito))).not.toBeNull();
    message.set(quito, away);
    expect(await verify(one)).toMatchObject({ kind: 'held' });
    message.set(quito, { id: null, addresses: [quito] });
    expect(await verify(one)).toMatchObject({ kind: 'held' });
    message.set(quito, { id: 'a', addresses: [quito] });
    expect(await verify(one)).toEqual({ kind: 'verified' });
    expect([await whileHeld(deps(), named(quito)), await alerts()]).toEqual([null, []]);
    expect(await ledger.shops.get(named(quito))).toMatchObject({ identity: 'a' });
  });

  test('what stands for a shop that no store has any more is ended', async () => {
    const { store, stores, message, verify, ledger, alerts, deps } = await open();
    const one = await store('quito', quito);
    message.set(quito, { id: 'a', addresses: [quito] });
    await verify(one);
    message.set(quito, { id: 'b', addresses: [quito] });
    await verify(one);
    await endHoldsOfNobody(deps());
    expect(await alerts()).toEqual(['shop-identity-changed']);
    stores.length = 0;
    await endHoldsOfNobody(deps());
    expect([await ledger.shops.allHeld(), await alerts()]).toEqual([[], []]);
  });

  test('a shop that moves again while it is held leaves no alert about the address in between', async () => {
    const { store, stores, message, verify, ledger, alerts } = await open();
    message.set(quito, { id: 'a', addresses: [quito] });
    await verify(await store('quito', quito));
    for (const address of [www, 'https://tienda.quito.ec']) {
      stores.length = 0;
      message.set(address, { id: 'a', addresses: [address] });
      expect(await verify(await store('quito', address))).toMatchObject({ kind: 'held' });
    }
    expect((await ledger.shops.allHeld()).map(({ shop }) => shop)).toEqual(['https://tienda.quito.ec']);
    expect(await alerts()).toEqual(['shop-moved']);
  });

  test('a job of a shop that is held waits, and has not failed', async () => {
    const { store, deps } = await open();
    const one = await store('quito', quito);
    const meets = (proof: Proof) =>
      openRunJob(deps() as unknown as JobDeps, {
        'write-back': async () => {
          assertVerified(proof, one);
          return { kind: 'done' };
        },
      })({ kind: 'write-back', storeId: 'quito' } as never);
    const hold = { code: 'shop-is-a-copy', reason: 'Es una copia.', found: 'a', owner: null } as const;
    expect(await meets({ kind: 'held', hold })).toMatchObject({ kind: 'again', reason: 'Es una copia.' });
    expect(await meets({ kind: 'moved' })).toMatchObject({
      kind: 'again',
      dueAt: new Date(now.getTime() + 3_000),
    });
  });
});
