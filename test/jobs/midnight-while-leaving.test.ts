import { afterEach, expect, it } from 'vitest';
import { sendProbe } from '../../src/jobs/send-document.ts';
import { foreseeKeys } from '../support/foreseen.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { planOnly } from '../support/plan-only.ts';
import { verifySeries } from '../support/verified-series.ts';

/** Midnight falls between two looks at the clock: what leaves has one date of issue all the same. */
let bench: JobBench;
afterEach(() => bench?.close());

const midnight = Date.parse('2026-11-21T05:00:00Z');

it.each([1, 2, 3, 4, 5, 6])('after %i of them', async (looks) => {
  bench = await openJobBench({ now: '2026-11-21T04:59:59Z' });
  await foreseeKeys(bench);
  const { id } = await planOnly(bench, '1201');
  await bench.ledger.jobs.forget('submit-document', id);
  verifySeries(bench);
  let seen = 0;
  const clock = {
    now: () => {
      seen += 1;
      return new Date(seen > looks ? midnight : midnight - 1);
    },
  };
  const posted: string[] = [];
  const { service } = bench.deps;
  const deps: JobBench['deps'] = {
    ...bench.deps,
    clock,
    service: (...asked) => ({
      ...service(...asked),
      async emitirFactura(body) {
        posted.push((JSON.parse(String(body)) as { emisor: { fecha_emision: string } }).emisor.fecha_emision);
        return { kind: 'throttled', retryAfterMs: 1 };
      },
    }),
  };
  await sendProbe(deps, id);
  const { issueDate } = await bench.document();
  const [attempt] = await bench.ledger.attempts.ofDocument(id);
  const { foreseenKey } = attempt ?? {};
  const [year, month, day] = (issueDate ?? '').split('-');
  expect([attempt?.issueDate, ...posted, foreseenKey?.slice(0, 8)]).toEqual([
    issueDate,
    `${year}/${month}/${day}`,
    `${day}${month}${year}`,
  ]);
});
