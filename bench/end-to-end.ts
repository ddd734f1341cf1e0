import { silentLog } from '../src/domain/ports.ts';
import { jobHandlers } from '../src/jobs/all.ts';
import { startDispatcher } from '../src/queue/dispatcher.ts';
import { memoryRateLimitTable, openMemoryTransport, rateLimitsOver } from '../src/queue/open.ts';
import { startWorker } from '../src/queue/worker.ts';
import { install, openInstallation, stock } from './stocked.ts';

/**
 * A process of its own: `end-to-end.ts <stub url> <documents> [<ledger directory> <first order id>]`. The whole way of each document (claim, map,
 * attempt on disk, POST, answer on disk), spread over 50 keys without a rate limit. Prints one JSON line: documents a
 * second, and milliseconds of processor time for each.
 */
const [url = '', documents = '4000', directory, firstId = '1'] = process.argv.slice(2);
const count = Number(documents);
const keys = 50;

const stores = Array.from({ length: keys }, (_, n) => ({ id: `t${n}`, account: `c${n}` }));
const installation = install({
  serviceUrl: url,
  port: 1,
  stores,
  ...(directory === undefined ? {} : { ledger: directory }),
});
const runtime = await openInstallation(installation.file);
const { ledger, clock, handlers } = runtime;
const each = Math.ceil(count / keys);
await stock(
  runtime,
  stores.map(({ id }) => id),
  each,
  Number(firstId),
);

const unlimited = { perMinute: 60_000_000, burst: 1_000_000 };
const rateLimits = rateLimitsOver(memoryRateLimitTable(), { clock, log: silentLog, rate: unlimited });
const transport = openMemoryTransport({ concurrency: 64, log: silentLog });
const all = jobHandlers(handlers);
let sent = 0;
const enough = Promise.withResolvers<void>();
await startWorker({
  ledger,
  transport,
  handlers: {
    ...all,
    'submit-document': async (job) => {
      const outcome = await all['submit-document'](job);
      sent += 1;
      if (sent === keys * each) enough.resolve();
      return outcome;
    },
  },
  clock,
  log: silentLog,
});
const used = process.cpuUsage();
const began = performance.now();
const dispatcher = startDispatcher({ ledger, transport, rateLimits, clock, log: silentLog });
await enough.promise;
const product = (keys * each) / ((performance.now() - began) / 1000);
const { user, system } = process.cpuUsage(used);
const cpuMs = (user + system) / 1000 / (keys * each);
await dispatcher.stop();
await transport.close(5_000);

const states = new Set((await ledger.documents.list({ limit: keys * each })).map(({ state }) => state));
if (states.size !== 1 || !states.has('processing')) throw new Error(`Not all were sent: ${[...states]}`);
await runtime.close();
installation.remove();
console.log(JSON.stringify({ product, cpuMs }));
