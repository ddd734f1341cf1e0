/** Opens a ledger, says "open", and holds it until its standard input ends. Argument: LedgerOptions as JSON. */
import { silentLog } from '../../../src/domain/ports.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { encryptionKey } from '../samples.ts';

const options = JSON.parse(process.argv[2] ?? '{}');
try {
  const clock = { now: () => new Date() };
  const ledger = await openLedger({ ...options, encryptionKey }, clock, silentLog);
  console.log('open');
  for await (const _ of process.stdin) {
    // Nothing is said; the end of the input is the sign.
  }
  await ledger.close();
} catch (error) {
  console.log(`refused ${(error as { code?: string }).code}: ${(error as Error).message}`);
}
