import { silentLog } from '../src/domain/ports.ts';
import { openRunJob } from '../src/jobs/run-job.ts';
import { startDispatcher } from '../src/queue/dispatcher.ts';
import { memoryRateLimitTable, rateLimitsOver } from '../src/queue/rate-limit.ts';
import { openMemoryTransport } from '../src/queue/transport.ts';
import { startWorker } from '../src/queue/worker.ts';
import { install, openFile, stock } from './installation.ts';

const keys = 50;
const unlimited = { perMinute: 60_000_000, burst: 1_000_000 };

/**
 * The whole way of each document (claim, map, attempt on disk, POST, answer on disk), spread over 50 keys without a rate
 * limit: documents a second, and milliseconds of processor time for each.
 */
export async function endToEnd(options: {
  serviceUrl: string;
  documents: number;
  /** Where the config is written. */
  folder: string;
  /** Instead of an empty ledger in the folder. */
  directory?: string;
  firstId?: number;
  /** Of the first of its series, which have no documents: a series with a past waits for the authority first. */
  firstPoint?: number;
}): Promise<{ perSecond: number; cpuMs: number }> {
  const { serviceUrl, folder, directory, firstId = 1, firstPoint = 101 } = options;
  const stores = Array.from({ length: keys }, (_, n) => {
    const point = firstPoint + n;
    return { id: `via${point}`, account: `via${point}`, point };
  });
  const each = Math.ceil(options.documents / keys);
  const documents = keys * each;
  const ledgerAt = directory === undefined ? {} : { ledger: { directory } };
  const installation = install(folder, { serviceUrl, port: 1, stores, ...ledgerAt });
  const runtime = await openFile(installation.file);
  const { ledger, clock, jobDeps } = runtime;
  const rateLimits = rateLimitsOver(memoryRateLimitTable(), { clock, log: silentLog, rate: unlimited });
  const transport = openMemoryTransport({ concurrency: 64, log: silentLog });
  const runJob = openRunJob(jobDeps);
  let left = 0;
  let enough = Promise.withResolvers<void>();
  await startWorker({
    ledger,
    transport,
    async runJob(job) {
      const outcome = await runJob(job);
      // A document that has to wait comes again.
      const isSent = outcome.kind === 'done' || outcome.kind === 'finished';
      if (job.kind === 'submit-document' && isSent) left -= 1;
      if (left === 0) enough.resolve();
      return outcome;
    },
    clock,
    log: silentLog,
  });
  const send = async (each: number, firstId: number) => {
    left = keys * each;
    enough = Promise.withResolvers<void>();
    await stock(
      runtime,
      stores.map(({ id }) => id),
      each,
      firstId,
    );
    const used = process.cpuUsage();
    const began = performance.now();
    const dispatcher = startDispatcher({ ledger, transport, rateLimits, clock, log: silentLog });
    await enough.promise;
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(used);
    await dispatcher.stop();
    return { ms, cpuMs: (user + system) / 1000 };
  };
  // The first document of a series leaves alone.
  await send(1, firstId);
  const { ms, cpuMs } = await send(each, firstId + keys);
  await transport.close(5_000);

  const newest = await ledger.documents.list({ limit: documents });
  const unsent = newest.filter(({ state }) => state !== 'processing').length;
  await runtime.close();
  if (unsent > 0) throw new Error(`${unsent} of ${documents} documents were not sent.`);
  return { perSecond: documents / (ms / 1000), cpuMs: cpuMs / documents };
}
