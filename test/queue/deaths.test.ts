import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import type { LedgerOptions } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { encryptionKey } from '../ledger/samples.ts';
import { ended, nextLine, start, temporaryDirectory } from '../ledger/support/processes.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';
import { request } from './installation.ts';

type Place = Omit<LedgerOptions, 'encryptionKey'>;
const clock = { now: () => new Date() };

async function enqueue(place: Place, subject: string): Promise<void> {
  const ledger = await openLedger({ ...place, encryptionKey }, clock, silentLog);
  await ledger.jobs.enqueue(request(clock, subject));
  await ledger.close();
}

/** Two processes die of a job; the third one runs the jobs that a shop's webhooks enqueue then. */
async function dieTwice(place: Place): Promise<void> {
  await enqueue(place, 'killer');
  for (let deaths = 0; deaths < 2; deaths += 1) {
    const process = start('../../queue/die-running.ts', place);
    expect(await nextLine(process)).toBe('killer');
    await ended(process);
    expect(process.signalCode).toBe('SIGKILL');
  }
  await enqueue(place, 'killer');
  await enqueue(place, 'another order');
  const third = start('../../queue/die-running.ts', place);
  expect(await nextLine(third)).toBe('another order');
  third.kill();
  await ended(third);
  const ledger = await openLedger({ ...place, encryptionKey }, clock, silentLog);
  expect(await ledger.jobs.held()).toEqual([{ kind: 'sync-order', subject: 'killer', storeId: 'tienda' }]);
  await ledger.close();
}

describe('a job that kills its process a second time waits for a person, and other jobs go on', () => {
  test('on SQLite', () => dieTwice({ directory: temporaryDirectory() }));

  test.skipIf(!hasPostgres)('on PostgreSQL', async () => {
    const database = await openDatabase();
    onTestFinished(database.drop);
    await dieTwice({ url: database.url });
  });
});
