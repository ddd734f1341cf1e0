import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prune } from '../../src/app/working.ts';
import { guardSchema } from '../../src/config/schema.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';

const retention = guardSchema.retention.parse({});

it('raw webhooks are deleted after thirty days, younger ones stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-house-'));
  const clock = { now: () => new Date('2026-11-21T12:00:00Z') };
  const ledger = await openLedger({ directory: folder, encryptionKey: new Uint8Array(32) }, clock, silentLog);
  const order = { platform: 'woocommerce', shop: 'https://tienda.ec', orderId: '29' };
  for (const day of ['2026-10-20', '2026-10-23']) {
    const receivedAt = new Date(`${day}T12:00:00Z`);
    const delivery = {
      connection: 'tienda',
      dedupeKey: day,
      topic: 'order.updated',
      ...order,
      body: Buffer.from(day),
    };
    await ledger.accept({ ...delivery, receivedAt, job: null });
  }
  await prune({ ledger, clock, log: silentLog, keepBytes: 0, retention });
  const left = await ledger.deliveries.ofOrder(order, 10);
  expect(left.map((delivery) => Buffer.from(delivery.body).toString())).toEqual(['2026-10-23']);
  await ledger.close();
  await rm(folder, { recursive: true });
});

it('the oldest files of documents make room at the start, up to what the config lets them take', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-house-'));
  const clock = { now: () => new Date('2026-11-21T12:00:00Z') };
  const ledger = await openLedger({ directory: folder, encryptionKey: new Uint8Array(32) }, clock, silentLog);
  for (const n of [1, 2, 3]) {
    const keptAt = new Date(clock.now().getTime() + n);
    await ledger.files.keep({ documentId: `d${n}`, kind: 'pdf', bytes: new Uint8Array(1_000), now: keptAt });
  }
  await prune({ ledger, clock, log: silentLog, keepBytes: 2_500, retention });
  expect(await Promise.all([1, 2, 3].map((n) => ledger.files.kinds(`d${n}`)))).toEqual([
    [],
    ['pdf'],
    ['pdf'],
  ]);
  await ledger.close();
  await rm(folder, { recursive: true });
});

it('sessions of the panel that nobody used for half an hour are deleted, the audit log after two years, failed sign-ins after ninety days', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-house-'));
  const clock = { now: () => new Date('2026-11-21T12:00:00Z') };
  const ledger = await openLedger({ directory: folder, encryptionKey: new Uint8Array(32) }, clock, silentLog);
  for (const [tokenHash, now] of [
    ['old', '2026-11-21T11:29:00Z'],
    ['new', '2026-11-21T11:31:00Z'],
  ] as const)
    await ledger.sessions.begin({ tokenHash, person: 'ana', mark: 'm', stage: 'code', now: new Date(now) });
  for (const now of ['2024-11-20T12:00:00Z', '2024-11-23T12:00:00Z'])
    await ledger.auditLog.add({
      who: 'ana',
      what: 'retry',
      subject: now,
      outcome: 'done',
      now: new Date(now),
    });
  const failed = { who: null, what: 'wrong-password', outcome: 'refused', facts: { attempts: 9 } } as const;
  for (const now of ['2026-08-20T12:00:00Z', '2026-08-25T12:00:00Z'])
    await ledger.auditLog.add({ ...failed, subject: now, now: new Date(now) });
  await prune({ ledger, clock, log: silentLog, keepBytes: 2_500, retention });
  expect([await ledger.sessions.get('old'), (await ledger.sessions.get('new'))?.person]).toEqual([
    undefined,
    'ana',
  ]);
  expect((await ledger.auditLog.list({ limit: 9 })).map(({ subject }) => subject)).toEqual([
    '2026-08-25T12:00:00Z',
    '2024-11-23T12:00:00Z',
  ]);
  await ledger.close();
  await rm(folder, { recursive: true });
});
