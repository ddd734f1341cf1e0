import { describe, expect, test } from 'vitest';
import { done } from '../../src/domain/job.ts';
import type { Claims } from '../../src/ledger/jobs.ts';
import { eventually } from '../support/eventually.ts';
import { openEmbedded, request } from './installation.ts';

const leaseMs = 60_000;

/** A worker on a ledger that cannot be written from the end of a run until `recover`, and a clock that the test moves. */
async function openOutages() {
  let now = Date.parse('2026-11-20T15:00:00Z');
  const clock = { now: () => new Date(now) };
  const { ledger, transport, jobs } = await (await openEmbedded()).open({ clock });
  let isReadOnly = false;
  let refused = 0;
  let ran: string[] = [];
  const claims: Claims = {
    ...ledger.jobs,
    async finish(id, token) {
      if (!isReadOnly) return ledger.jobs.finish(id, token);
      refused += 1;
      throw new Error('attempt to write a readonly database');
    },
  };
  await jobs(
    async ({ subject }) => {
      ran = [...ran, subject];
      isReadOnly = subject === 'pedido';
      return done;
    },
    { ledger: { jobs: claims }, leaseMs },
  );
  return {
    ledger,
    ran: () => ran,
    enqueue: (subject: string) => ledger.jobs.enqueue(request(clock, subject)),
    async runNext() {
      const before = ran.length + refused;
      const [{ id = '' } = {}] = await ledger.jobs.due(clock.now(), 1, 1);
      await ledger.jobs.release([id], clock.now());
      await transport.send([{ id, slotAt: null }]);
      await eventually(() => ran.length + refused >= before + (isReadOnly ? 2 : 1), 'the end of the run');
    },
    writable() {
      isReadOnly = false;
    },
    async endLeases() {
      now += leaseMs;
      await ledger.jobs.recover(clock.now(), leaseMs);
    },
  };
}

describe('a run whose end the ledger could not store', () => {
  test('is no death, however often that happens', async () => {
    const { ledger, enqueue, runNext, writable, endLeases, ran } = await openOutages();
    await enqueue('pedido');
    for (let outages = 0; outages < 3; outages += 1) {
      await runNext();
      writable();
      await endLeases();
      expect(await ledger.jobs.held()).toEqual([]);
    }
    expect(ran()).toEqual(['pedido', 'pedido', 'pedido']);
  });

  test('is stored before the next job is claimed, and its job does not run again', async () => {
    const { ledger, enqueue, runNext, writable, ran } = await openOutages();
    await enqueue('pedido');
    await runNext();
    writable();
    await enqueue('otro pedido');
    await runNext();
    await eventually(async () => (await ledger.jobs.counts()).leased === 0, 'the ends of both jobs');
    expect(ran()).toEqual(['pedido', 'otro pedido']);
    expect(await ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0, held: 0 });
  });
});
