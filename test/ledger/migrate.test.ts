import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { type Migration, migrate } from '../../src/ledger/migrate.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { openSqlite } from '../../src/ledger/sqlite.ts';
import { encryptionKey, noon } from './samples.ts';
import { temporaryDirectory } from './support/processes.ts';

const clock = { now: () => noon };
const one: Migration = { name: '0001-one', statements: ({ text }) => [`create table one (a ${text})`] };
const two: Migration = { name: '0002-two', statements: () => ['alter table one add column b integer'] };

function engine() {
  const opened = openSqlite(temporaryDirectory());
  onTestFinished(() => opened.close());
  return opened;
}

test('migrations are applied in order, once each', async () => {
  const opened = engine();
  expect(await migrate(opened, [one], clock)).toEqual(['0001-one']);
  expect(await migrate(opened, [one, two], clock)).toEqual(['0002-two']);
  expect(await migrate(opened, [one, two], clock)).toEqual([]);
  const rows = await opened.writer.selectFrom('migrations').select(['name', 'appliedAt']).execute();
  expect(rows).toEqual(['0001-one', '0002-two'].map((name) => ({ name, appliedAt: noon.toISOString() })));
});

test('an applied migration that reads differently today is refused by name', async () => {
  const opened = engine();
  await migrate(opened, [one], clock);
  const changed = { ...one, statements: () => ['create table one (a integer)'] };
  await expect(migrate(opened, [changed, two], clock)).rejects.toMatchObject({
    name: 'LedgerError',
    code: 'internal',
    params: expect.objectContaining({ why: 'migration' }),
    message: expect.stringContaining('0001-one'),
  });
});

test('a ledger of a later version is refused', async () => {
  const opened = engine();
  await migrate(opened, [one, two], clock);
  await expect(migrate(opened, [one], clock)).rejects.toMatchObject({ code: 'ledger-newer' });
});

test('a migration that fails leaves nothing behind', async () => {
  const opened = engine();
  const broken: Migration = { name: '0003-broken', statements: () => ['create table x (a)', 'nonsense'] };
  await expect(migrate(opened, [one, broken], clock)).rejects.toThrow();
  expect(await migrate(opened, [one], clock)).toEqual(['0001-one']);
});

test('a ledger that was refused can be opened again: nothing stays locked', async () => {
  const directory = temporaryDirectory();
  const first = await openLedger({ directory, encryptionKey }, clock, silentLog);
  await first.close();
  const db = new DatabaseSync(join(directory, 'ledger.db'));
  db.exec("update migrations set checksum = 'x' || checksum");
  await expect(openLedger({ directory, encryptionKey }, clock, silentLog)).rejects.toMatchObject({
    code: 'internal',
    params: expect.objectContaining({ why: 'migration' }),
  });
  db.exec('update migrations set checksum = substr(checksum, 2)');
  db.close();
  const again = await openLedger({ directory, encryptionKey }, clock, silentLog);
  await again.close();
});

test('a ledger without a place is refused', async () => {
  await expect(openLedger({ encryptionKey }, clock, silentLog)).rejects.toMatchObject({
    code: 'input-invalid',
    params: expect.objectContaining({ why: 'ledger' }),
  });
});
