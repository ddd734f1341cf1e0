import { Pool } from 'undici';
import { silentLog } from '../src/core/log.ts';
import { budgetsOver, memoryBudgetTable } from '../src/dispatch/budgets.ts';
import { startDispatcher } from '../src/dispatch/dispatcher.ts';
import { openMemoryTransport } from '../src/dispatch/memory.ts';
import { startWorker } from '../src/dispatch/worker.ts';
import { allSteps } from '../src/steps/all.ts';
import { install, openInstallation, stock } from './stocked.ts';

/**
 * A process of its own: `end-to-end.ts <stub url> <documents> [<ledger directory> <first order id>]`. First the whole way of each document (claim, map,
 * attempt on disk, POST, answer on disk), spread over 50 keys whose rate nobody limits; then the same POSTs by a
 * bare undici Pool of the same size. Prints one JSON line, both per second.
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
const { ledger, clock, steps } = runtime;
const each = Math.ceil(count / keys);
await stock(
  runtime,
  stores.map(({ id }) => id),
  each,
  Number(firstId),
);

const unlimited = { perMinute: 60_000_000, burst: 1_000_000 };
const budgets = budgetsOver(memoryBudgetTable(), { clock, log: silentLog, rate: unlimited });
const transport = openMemoryTransport({ concurrency: 64, log: silentLog });
const all = allSteps(steps);
let sent = 0;
const enough = Promise.withResolvers<void>();
await startWorker({
  ledger,
  transport,
  steps: {
    ...all,
    'submit-document': async (work) => {
      const outcome = await all['submit-document'](work);
      sent += 1;
      if (sent === keys * each) enough.resolve();
      return outcome;
    },
  },
  clock,
  log: silentLog,
});
const began = performance.now();
const dispatcher = startDispatcher({ ledger, transport, budgets, clock, log: silentLog });
await enough.promise;
const product = (keys * each) / ((performance.now() - began) / 1000);
await dispatcher.stop();
await transport.close(5_000);

const [document] = await ledger.documents.list({ limit: 1 });
const [attempt] = await ledger.attempts.ofDocument(document?.id ?? '');
const states = new Set((await ledger.documents.list({ limit: keys * each })).map(({ state }) => state));
if (states.size !== 1 || !states.has('processing')) throw new Error(`Not all were sent: ${[...states]}`);
await runtime.close();
installation.remove();

const pool = new Pool(new URL(url).origin, { connections: 16, pipelining: 1 });
async function bare(total: number): Promise<number> {
  const start = performance.now();
  let left = total;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const { body } = await pool.request({
        method: 'POST',
        path: '/api/factura/emision',
        headers: { 'content-type': 'application/json', 'x-api-key': 'clave' },
        body: attempt?.body ?? '',
      });
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
  return total / ((performance.now() - start) / 1000);
}
await bare(2_000);
console.log(JSON.stringify({ product, bare: await bare(20_000) }));
await pool.close();
