import { expect, test } from 'vitest';
import type { ClaimedJob, JobOutcome } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openMetrics, openObserver, openSpans } from '../../src/observability/observer.ts';

async function watched() {
  const metrics = openMetrics({ version: 'test', role: 'worker' });
  const spans = await openSpans({ enabled: false, ratio: 1 }, 'test');
  return { metrics, observer: openObserver({ metrics, spans, log: silentLog }) };
}

// `increase()` of a counter that begins at 1 is 0: the first refused key would ring no alert.
test('errors of the service are counted from 0 for every account, so that the first one shows as a rise', async () => {
  const { metrics, observer } = await watched();
  observer.service('principal', {});
  const { text } = await metrics.scrape();
  for (const answer of ['unauthorized', 'throttled', 'refused', 'no-funds', 'lost', 'unreachable', 'failed'])
    expect(text).toContain(`facturapuente_service_errors_total{account="principal",class="${answer}"} 0`);
});

test.each<[JobOutcome, string]>([
  [{ kind: 'done' }, 'done'],
  [{ kind: 'finished', held: true }, 'done'],
  [{ kind: 'again', dueAt: new Date(), reason: '429' }, 'again'],
  [{ kind: 'put-back', dueAt: new Date(), reason: 'paused' }, 'again'],
])('a step that ends with %o counts as %s', async (ending, outcome) => {
  const { metrics, observer } = await watched();
  const job = { kind: 'submit-document', subject: 'x', trace: null } as ClaimedJob;
  await observer.job(job, async () => ending);
  const { text } = await metrics.scrape();
  expect(text).toContain(`facturapuente_job_seconds_count{kind="submit-document",outcome="${outcome}"} 1`);
});
