import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
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
