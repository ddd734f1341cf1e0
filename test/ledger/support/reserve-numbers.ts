/** Reserves a hundred numbers of a series, several at once, and says them as JSON. Argument: LedgerOptions as JSON. */
import { silentLog } from '../../../src/domain/ports.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { encryptionKey, series } from '../samples.ts';

const options = JSON.parse(process.argv[2] ?? '{}');
const ledger = await openLedger({ ...options, encryptionKey }, { now: () => new Date() }, silentLog);
const numbers: string[] = [];
for (let round = 0; round < 25; round += 1)
  numbers.push(...(await Promise.all([1, 2, 3, 4].map(() => ledger.sequences.reserve(series, 1)))));
console.log(JSON.stringify(numbers));
await ledger.close();
