/**
 * A process that takes in deliveries, 64 at a time, and says which ones were acknowledged: one key per line,
 * written only after accept() resolved. Meant to be killed. Argument: LedgerOptions as JSON, without the key.
 */
import { writeSync } from 'node:fs';
import { silentLog } from '../../../src/domain/ports.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { delivery, encryptionKey, noon } from '../samples.ts';

const options = JSON.parse(process.argv[2] ?? '{}');
const ledger = await openLedger({ ...options, encryptionKey }, { now: () => noon }, silentLog);
const body = Buffer.alloc(6800, '{');
let next = 0;

async function client(): Promise<never> {
  for (;;) {
    next += 1;
    const key = `k${next}`;
    await ledger.accept(delivery(key, { orderId: String(next), body }));
    // Synchronous: an acknowledged delivery is printed before anything else happens.
    writeSync(1, `${key}\n`);
  }
}

await Promise.all(Array.from({ length: 64 }, client));
