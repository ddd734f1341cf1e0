import { afterEach, describe, expect, it, test } from 'vitest';
import type { DocumentState } from '../../src/domain/document.ts';
import { takeStores } from '../../src/jobs/connection.ts';
import { resumeOpen } from '../../src/jobs/enqueue.ts';
import { checkSeries } from '../../src/jobs/older-ledger/check-series.ts';
import { decideOnce, learnFound } from '../../src/jobs/run-protocol.ts';
import { submitDue } from '../../src/jobs/send-document.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { planOnly } from '../support/plan-only.ts';

const minute = 60_000;
const states = ['ready', 'sending', 'processing', 'uncertain'] as const;

let bench: JobBench;
afterEach(() => bench?.close());

/** A document in this state whose job is gone, as an older version left it. */
async function stranded(state: DocumentState): Promise<void> {
  const { ledger, sandbox, deps } = bench;
  sandbox.faults.add({ dropWebhooks: { times: 99 } });
  if (state === 'uncertain') sandbox.faults.add({ dropAnswer: true });
  const { id } = await planOnly(bench, '1201');
  if (state === 'sending') {
    const leave = () =>
      ledger.transaction((tables) =>
        decideOnce(deps, tables, id, submitDue(deps, 'backlog'), {
          run: {},
          exchange: { claimed: null },
        }),
      );
    await leave();
    const { account } = bench.store;
    await checkSeries(
      deps,
      { document: await bench.document(), key: { ...account, account } },
      learnFound(deps),
    );
    await leave();
  } else if (state !== 'ready') await bench.run();
  for (const kind of ['submit-document', 'follow-up'] as const) await ledger.jobs.forget(kind, id);
  expect((await bench.document()).state).toBe(state);
}

const liveOn = () => bench.pass(30, 30, 30, 30);

describe('a document on its way that has no job', () => {
  it.each(states)('gets some where it is %s, once', async (state) => {
    bench = await openJobBench();
    await stranded(state);
    await liveOn();
    expect((await bench.document()).state).toBe(state);
    expect(await resumeOpen(bench.deps)).toBe(1);
    expect(await resumeOpen(bench.deps)).toBe(0);
    await liveOn();
    expect((await bench.document()).state).toBe('authorized');
  });
});

test('what was to be handed over again is, and nothing is only asked about', async () => {
  bench = await openJobBench();
  const { ledger, clock } = bench;
  await planOnly(bench, '1201');
  await bench.run();
  const { id } = await bench.document();
  const patch = { code: 'reprocess' };
  await ledger.documents.move(id, { from: ['processing'], to: 'processing', patch, now: clock.now() });
  await ledger.jobs.forget('follow-up', id);
  await resumeOpen(bench.deps);
  expect((await ledger.counts.jobs()).map(({ kind }) => kind)).toContain('reprocess-document');
});

test('a store that was away finds its documents again, and nobody asks for them before', async () => {
  bench = await openJobBench();
  await stranded('processing');
  const { deps, store } = bench;
  expect(await resumeOpen({ ...deps, storeOf: () => undefined })).toBe(0);
  await takeStores(deps, [store]);
  await liveOn();
  expect((await bench.document()).state).toBe('authorized');
});

test('a document that is ready gets its job back with the next sync of its order, at its old place', async () => {
  bench = await openJobBench();
  const { ledger } = bench;
  await stranded('ready');
  await planOnly(bench, '1201');
  const [asked] = (await ledger.counts.jobs()).filter(({ kind }) => kind === 'submit-document');
  bench.advance(minute);
  await planOnly(bench, '1201');
  const [still] = (await ledger.counts.jobs()).filter(({ kind }) => kind === 'submit-document');
  expect(still).toEqual(asked);
});
