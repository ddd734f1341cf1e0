import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import type { Store } from '../../../src/domain/settings.ts';
import { defaultTimings } from '../../../src/jobs/deps.ts';
import { enqueueReconciliation, reconcileOnce } from '../../../src/jobs/reconciliation/reconciliation.ts';
import type { ReconciliationDeps } from '../../../src/jobs/reconciliation/run.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { hasPostgres, openDatabase } from '../../support/servers.ts';

const clock = { now: () => new Date('2026-11-20T15:00:00Z') };
const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };

/** Processes that share a ledger on PostgreSQL, and the one store they have. */
async function openProcesses(count: number, orders: number) {
  const row = (n: number) => ({
    id: n + 1,
    status: 'pending',
    date_modified_gmt: '2026-11-20T10:00:00',
    meta_data: [],
  });
  const stand = await openWooCommerceShop({
    orders: Array.from({ length: orders }, (_, n) => row(n)),
    ...keys,
    clock,
  });
  const { url, drop } = await openDatabase();
  const open = () => openLedger({ url, encryptionKey: new Uint8Array(32).fill(7) }, clock, silentLog);
  const ledgers = await Promise.all(Array.from({ length: count }, open));
  onTestFinished(async () => {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    await stand.close();
    await drop();
  });
  const connection = connectionSchema.parse({ url: stand.url, webhookSecrets: ['x'], ...keys });
  const store = {
    id: 'tienda',
    platform: woocommerce,
    shop: stand.url,
    connection,
    app: null,
  } as unknown as Store;
  const shop = woocommerce.openShop(
    { connection, app: null },
    { clock, log: silentLog, userAgent: 'test', outbound: openOutbound(), credentials: memoryCredentials() },
  );
  if (shop === null) throw new Error('The store has no API.');
  const deps = ledgers.map(
    (ledger): ReconciliationDeps => ({
      ledger,
      clock,
      log: silentLog,
      timings: defaultTimings,
      invoiceFrom: () => new Date('2026-11-01T00:00:00Z'),
    }),
  );
  return { stand, store, shop, deps, ledgers };
}

describe.skipIf(!hasPostgres)('several processes that reconciliation one store at the same time', () => {
  it('ask for each order once, and none of them takes the list back', async () => {
    const { store, shop, deps, ledgers } = await openProcesses(3, 250);
    const runs = await Promise.allSettled(deps.map((each) => reconcileOnce(each, store, shop)));
    const failures = runs.flatMap((run) => (run.status === 'rejected' ? [String(run.reason.code)] : []));
    expect(new Set(failures)).toEqual(new Set(failures.length > 0 ? ['busy-elsewhere'] : []));
    const [ledger] = ledgers;
    // Whoever was overtaken goes on from where the other one stands.
    for (const each of deps) await reconcileOnce(each, store, shop);
    expect((await ledger?.jobs.counts())?.waiting).toBe(250);
    expect(await ledger?.reconciliations.get({ platform: 'woocommerce', shop: store.shop })).toMatchObject({
      reconciledTo: clock.now().toISOString(),
      behindSince: null,
      progress: { changed: null },
    });
  });

  it('have one job between them, which one of them gets', async () => {
    const { store, ledgers } = await openProcesses(3, 1);
    await Promise.all(ledgers.map((ledger) => enqueueReconciliation(ledger, store, clock.now())));
    const [job, ...others] = (await ledgers[0]?.jobs.due(clock.now(), 10, 10)) ?? [];
    expect([job?.kind, others]).toEqual(['reconciliation', []]);
    const id = job?.id ?? '';
    await Promise.all(ledgers.map((ledger) => ledger.jobs.release([id], clock.now())));
    const claims = await Promise.all(ledgers.map((ledger) => ledger.jobs.claim(id, 60_000, clock.now())));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });
});
