/**
 * A process that runs jobs and prints the subject of each. One with the subject "killer" kills the process.
 * Argument: LedgerOptions as JSON, without the key.
 */
import { writeSync } from 'node:fs';
import { done, type JobHandler } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { startDispatcher } from '../../src/queue/dispatcher.ts';
import { rateLimitsOver } from '../../src/queue/rate-limit.ts';
import { openMemoryTransport } from '../../src/queue/transport.ts';
import { startWorker } from '../../src/queue/worker.ts';
import { encryptionKey } from '../ledger/samples.ts';

const options = JSON.parse(process.argv[2] ?? '{}');
const clock = { now: () => new Date() };
const log = silentLog;
const ledger = await openLedger({ ...options, encryptionKey }, clock, log);
const transport = openMemoryTransport({ concurrency: 4, log });
const runJob: JobHandler = async ({ subject }) => {
  writeSync(1, `${subject}\n`);
  if (subject === 'killer') process.kill(process.pid, 'SIGKILL');
  return done;
};
await startWorker({ ledger, transport, runJob, clock, log, leaseMs: 200 });
const rateLimits = rateLimitsOver(ledger.rateLimits, { clock, log });
startDispatcher({ ledger, transport, rateLimits, clock, log, pollMs: 50 });
