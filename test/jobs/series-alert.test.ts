import { afterEach, describe, expect, it } from 'vitest';
import { submit } from '../../src/jobs/send-document.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { planOnly } from '../support/plan-only.ts';
import { takeNumber } from '../support/taken-number.ts';

/** Whoever has to name a free number is told of it, and no longer than that is so. */
let bench: JobBench;
afterEach(() => bench?.close());

const codes = async () => (await bench.ledger.alerts.open()).map(({ code }) => code);

describe('the alert of a series that stops', () => {
  it('is raised although the process dies right after it wrote the stop', async () => {
    bench = await openJobBench();
    await takeNumber(bench);
    await bench.decided();
    const { alerts } = bench.deps;
    bench.deps.alerts = {
      ...alerts,
      raise: async () => {
        throw new Error('The process died.');
      },
    };
    await bench.sync('1201');
    await bench.run();
    bench.deps.alerts = alerts;
    await bench.pass(5, 5, 5, 30);
    const { id } = await bench.document();
    expect(await bench.ledger.attempts.ofDocument(id)).not.toEqual([]);
    expect(await bench.document()).toMatchObject({ state: 'manual' });
    expect(await bench.ledger.sequences.stopped(await bench.document())).not.toBeNull();
    expect(await codes()).toContain('series-stopped');
  });

  it('does not outlast a stop that was taken back, because an event told meanwhile that the number is ours', async () => {
    bench = await openJobBench();
    const { id } = await planOnly(bench, '1201');
    const { service } = bench.deps;
    let isReported = false;
    // A gateway delivers the POST twice; we read the answer to the second copy, before its XML can be read.
    bench.deps.service = (...asked) => {
      const calls = service(...asked);
      return {
        ...calls,
        async emitirFactura(body) {
          const answer = await calls.emitirFactura(body);
          if (answer.kind !== 'created') throw new Error(`It was answered ${answer.kind}.`);
          return { kind: 'duplicate', claveacceso: answer.claveacceso, errors: ['ya existe'] };
        },
        descargarXml: (async (key: string) => {
          if (isReported) return calls.descargarXml(key);
          isReported = true;
          await bench.decided();
          await bench.event(key);
          await bench.run();
          return { kind: 'not-found' };
        }) as never,
      };
    };
    await bench.ledger.jobs.forget('submit-document', id);
    await submit(bench.deps, id, null, 'backlog');
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized' });
    expect(await bench.ledger.sequences.stopped(await bench.document())).toBeNull();
    expect(await codes()).toEqual([]);
  });
});
