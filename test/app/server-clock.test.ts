import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { warnOfClock } from '../../src/app/connector.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { recordingLog } from '../queue/recording-log.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/** What start says with a clock so far ahead of the server's. */
async function said(aheadMs: number, testClock?: string): Promise<string[]> {
  const database = await openDatabase();
  onTestFinished(database.drop);
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const ledger = await openLedger({ url: database.url, encryptionKey: randomBytes(32) }, clock, silentLog);
  const { log, lines } = recordingLog();
  await warnOfClock(ledger, testClock === undefined ? {} : { testClock }, log, clock);
  await ledger.close();
  return lines;
}

describe.skipIf(!hasPostgres)('the clock against that of PostgreSQL', () => {
  test.each([90_000, -90_000])('%i ms off, start says so', async (aheadMs) => {
    expect(await said(aheadMs)).toEqual([expect.stringMatching(/^warn The clock differs/)]);
  });

  test('a second off, or under a test clock, it says nothing', async () => {
    expect(await said(1_000)).toEqual([]);
    expect(await said(90_000, 'rate=60')).toEqual([]);
  });
});
