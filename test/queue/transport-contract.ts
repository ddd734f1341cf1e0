import { describe, expect, test } from 'vitest';
import type { Transport } from '../../src/queue/transport.ts';
import { eventually } from '../support/eventually.ts';

/** What every transport keeps; `open` gives an empty one that the test closes. */
export function transportContract(name: string, open: (concurrency: number) => Promise<Transport>): void {
  describe(`a transport: ${name}`, () => {
    test('brings every job sent, before or after somebody consumes, to the handler once', async () => {
      const transport = await open(5);
      const seen: string[] = [];
      await transport.send([{ id: 'a' }, { id: 'b' }]);
      await transport.consume(async (job) => void seen.push(job.id));
      await transport.send([{ id: 'c' }, { id: 'with:colons:inside:it' }]);
      await eventually(() => seen.length === 4, 'four jobs');
      await transport.close(1_000);
      expect(seen.sort()).toEqual(['a', 'b', 'c', 'with:colons:inside:it']);
    });

    test('brings the same id again when it is sent again, also while the first still runs', async () => {
      const transport = await open(5);
      let started = 0;
      const gate = Promise.withResolvers<void>();
      await transport.consume(async () => {
        started += 1;
        await gate.promise;
      });
      await transport.send([{ id: 'a' }]);
      await eventually(() => started === 1, 'the first run');
      await transport.send([{ id: 'a' }]);
      await eventually(() => started === 2, 'the second run');
      gate.resolve();
      await transport.close(1_000);
    });

    test('keeps a delayed job back', async () => {
      const transport = await open(5);
      const arrivals = new Map<string, number>();
      await transport.consume(async (job) => void arrivals.set(job.id, performance.now()));
      const sent = performance.now();
      await transport.send([{ id: 'later', delayMs: 120 }, { id: 'now' }]);
      await eventually(() => arrivals.size === 2, 'both jobs');
      await transport.close(1_000);
      expect((arrivals.get('later') ?? 0) - sent).toBeGreaterThanOrEqual(115);
      expect(arrivals.get('now')).toBeLessThan(arrivals.get('later') ?? 0);
    });

    test('runs as many handlers at once as configured, and no more', async () => {
      const transport = await open(3);
      let running = 0;
      let most = 0;
      let done = 0;
      // None ends before as many run as may.
      const gate = Promise.withResolvers<void>();
      await transport.consume(async () => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        await new Promise((resolve) => setTimeout(resolve, 15));
        running -= 1;
        done += 1;
      });
      await transport.send(Array.from({ length: 12 }, (_, i) => ({ id: `j${i}` })));
      await eventually(() => running === 3, 'three at once');
      gate.resolve();
      await eventually(() => done === 12, 'twelve jobs');
      await transport.close(1_000);
      expect(most).toBe(3);
    });

    test('a handler that throws loses its job and nothing else', async () => {
      const transport = await open(1);
      const seen: string[] = [];
      await transport.consume(async (job) => {
        seen.push(job.id);
        if (job.id === 'bad') throw new Error('boom');
      });
      await transport.send([{ id: 'bad' }, { id: 'good' }]);
      await eventually(() => seen.includes('good'), 'the job after the bad one');
      await transport.close(1_000);
      expect(seen).toEqual(['bad', 'good']);
    });

    test('close waits for what runs and starts nothing more', async () => {
      const transport = await open(1);
      const gate = Promise.withResolvers<void>();
      const ended: string[] = [];
      let started = false;
      await transport.consume(async (job) => {
        started = true;
        await gate.promise;
        ended.push(job.id);
      });
      await transport.send([{ id: 'running' }, { id: 'waiting' }]);
      await eventually(() => started, 'the first job');
      const closed = transport.close(5_000);
      setTimeout(gate.resolve, 20);
      await closed;
      expect(ended).toEqual(['running']);
    });

    test('close does not wait beyond its deadline', async () => {
      const transport = await open(1);
      const gate = Promise.withResolvers<void>();
      let started = false;
      await transport.consume(async () => {
        started = true;
        await gate.promise;
      });
      await transport.send([{ id: 'endless' }]);
      await eventually(() => started, 'the job');
      // The job ends only afterwards.
      await transport.close(80);
      gate.resolve();
    });

    test('a closed transport refuses jobs, and closing it twice is fine', async () => {
      const transport = await open(1);
      await transport.check();
      await transport.close(1_000);
      await transport.close(1_000);
      await expect(transport.send([{ id: 'late' }])).rejects.toThrow('closed');
    });
  });
}
