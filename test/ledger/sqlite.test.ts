import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { openLedgerReader } from '../../src/ledger/read.ts';
import { currentTrace } from '../../src/observability/log.ts';
import { ledgerContract } from './contract.ts';
import { encryptionKey, noon } from './samples.ts';

ledgerContract('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'fp-ledger-'));
  const ledger = await openLedger(
    { directory, encryptionKey, trace: currentTrace },
    { now: () => noon },
    silentLog,
  );
  onTestFinished(async () => {
    await ledger.close();
    rmSync(directory, { recursive: true });
  });
  return ledger;
});

async function openFolder() {
  const directory = mkdtempSync(join(tmpdir(), 'fp-ledger-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const open = () => openLedger({ directory, encryptionKey }, { now: () => noon }, silentLog);
  await (await open()).close();
  const file = join(directory, 'ledger.db');
  /** Fills the first pages of a table and its indexes with what no page begins with. */
  const damage = (table: string) => {
    const db = new DatabaseSync(file, { readOnly: true });
    const pages = db.prepare('select rootpage from sqlite_schema where tbl_name = ?').all(table);
    db.close();
    const descriptor = openSync(file, 'r+');
    for (const { rootpage } of pages)
      writeSync(descriptor, Buffer.alloc(8192, 0xff), 0, 8192, (Number(rootpage) - 1) * 8192);
    closeSync(descriptor);
  };
  return { directory, file, open, damage };
}

const order = { platform: 'woocommerce', shop: 'tienda.ec', orderId: '1' };
const unusable = (why: RegExp) => ({ code: 'ledger-unwritable', merchant: expect.stringMatching(why) });

test('a page found damaged makes the whole ledger unusable, in a sentence that names the file and what to restore', async () => {
  const { file, open, damage } = await openFolder();
  const ledger = await open();
  onTestFinished(() => ledger.close());
  damage('orders');
  await ledger.check();
  const why = new RegExp(`${file} está dañado.*restaure el último respaldo.*facturapuente close`);
  await expect(ledger.orders.get(order)).rejects.toMatchObject(unusable(why));
  await expect(ledger.check()).rejects.toMatchObject(unusable(why));
  await expect(ledger.installation.id(noon)).rejects.toMatchObject(unusable(why));
});

test('a damaged file is refused by its name at a start and by readers, also where it is no database', async () => {
  const { directory, file, open, damage } = await openFolder();
  damage('migrations');
  await expect(open()).rejects.toMatchObject(unusable(/está dañado/));
  damage('alerts');
  const reader = openLedgerReader({ directory }, silentLog);
  onTestFinished(reader.close);
  await expect(reader.alerts.open()).rejects.toMatchObject(unusable(/está dañado/));
  writeFileSync(file, Buffer.alloc(32_768, 0xff));
  await expect(open()).rejects.toMatchObject(unusable(/está dañado/));
});

test.each(['ledger.db', 'ledger.db-wal'])(
  'nothing is written once %s is deleted or replaced',
  async (name) => {
    const { directory, open } = await openFolder();
    const ledger = await open();
    onTestFinished(() => ledger.close());
    await ledger.installation.id(noon);
    const file = join(directory, name);
    renameSync(file, `${file}.away`);
    await expect(ledger.installation.id(noon)).rejects.toMatchObject(unusable(/se borró o se reemplazó/));
    await expect(ledger.check()).rejects.toMatchObject(unusable(/se borró o se reemplazó/));
    writeFileSync(file, '');
    await expect(ledger.check()).rejects.toMatchObject(unusable(/se borró o se reemplazó/));
    renameSync(`${file}.away`, file);
    await ledger.check();
  },
);

/** SQLITE_READONLY, _FULL */
test.each([8, 13])(
  'a write that SQLite refuses with code %i fails a check that had passed, for some seconds, and for a caller that looks further back',
  async (errcode) => {
    const { open } = await openFolder();
    const ledger = await open();
    onTestFinished(() => ledger.close());
    vi.useFakeTimers({ toFake: ['performance'] });
    await ledger.check();
    const full = Object.assign(new Error('database or disk is full'), { errcode });
    await expect(ledger.transaction(() => Promise.reject(full))).rejects.toBe(full);
    await expect(ledger.check()).rejects.toMatchObject({ code: 'ledger-unwritable', cause: full });
    vi.advanceTimersByTime(5_000);
    await ledger.check();
    await expect(ledger.check(30_000)).rejects.toMatchObject({ code: 'ledger-unwritable' });
    vi.advanceTimersByTime(30_000);
    await ledger.check(30_000);
  },
);
afterEach(() => vi.useRealTimers());

test('a write that SQLite refuses for what it holds fails no check', async () => {
  const { open } = await openFolder();
  const ledger = await open();
  onTestFinished(() => ledger.close());
  await ledger.check();
  const constraint = Object.assign(new Error('constraint failed'), { errcode: 19 });
  await expect(ledger.transaction(() => Promise.reject(constraint))).rejects.toBe(constraint);
  await ledger.check();
});

test('a check that fails for another reason than space is not said to be about space', async () => {
  const { file, open } = await openFolder();
  const ledger = await open();
  onTestFinished(() => ledger.close());
  const db = new DatabaseSync(file);
  db.exec('drop table marks');
  db.close();
  await expect(ledger.check()).rejects.toThrow(/^no such table/);
});
