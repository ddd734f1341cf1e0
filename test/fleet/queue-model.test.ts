import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type JobModel, openJobModel } from '../../bench/fleet/queue-model.ts';
import type { JobKind, JobRequest } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { DueJob } from '../../src/ledger/jobs.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';

const start = Date.parse('2026-11-27T05:00:00.000Z');
const kinds: JobKind[] = [
  'submit-document',
  'follow-up',
  'verify-document',
  'sync-order',
  'settle-document',
  'reconciliation',
];
const withRateLimit = new Set<JobKind>(['submit-document', 'follow-up', 'verify-document']);

const asks = fc.record({
  do: fc.constant('ask' as const),
  kind: fc.constantFrom(...kinds),
  subject: fc.integer({ min: 0, max: 9 }),
  priority: fc.constantFrom(0, 4, 5, 9),
  inMs: fc.integer({ min: -4_000, max: 4_000 }),
});
const some = fc.integer({ min: 0, max: 20 });
const auditEntry = fc.oneof(
  { weight: 8, arbitrary: asks },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), first: some, count: some }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('claim' as const), one: some }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), one: some }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('postpone' as const),
      one: some,
      inMs: fc.integer({ min: 0, max: 4_000 }),
      putBack: fc.boolean(),
      failed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), one: some }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recover' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), account: fc.constantFrom(0, 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), account: fc.constantFrom(0, 1) }) },
);
type AuditEntry = typeof auditEntry extends fc.Arbitrary<infer T> ? T : never;

/** A document, or order, is of one store; two stores have an account and a key in common. */
const requestOf = (one: Extract<AuditEntry, { do: 'ask' }>, now: Date): JobRequest => ({
  kind: one.kind,
  subject: `s${one.subject}`,
  storeId: `tienda${one.subject % 4}`,
  rateLimit: withRateLimit.has(one.kind) ? `clave${one.subject % 2}` : null,
  account: { id: `cuenta${one.subject % 2}`, ambiente: 2 },
  priority: one.priority,
  dueAt: new Date(now.getTime() + one.inMs),
  trace: null,
});

/** Ids are each side's own. */
const facts = ({ kind, storeId, rateLimit, partition, priority, dueAt }: DueJob) => ({
  ...{ kind, storeId, rateLimit, partition, priority, dueAt },
});

/** Every id stands in both orders, so the n-th of one side is the n-th of the other. */
async function bothSides(ledger: Ledger, model: JobModel, auditLog: readonly AuditEntry[]): Promise<void> {
  let now = new Date(start);
  const sides = [ledger.jobs, model] as const;
  const handedOver: string[][] = [[], []];
  const running: { id: string; token: string; kind: JobKind; subject: string }[][] = [[], []];
  for (const one of auditLog) {
    now = new Date(now.getTime() + 500);
    const [own, modelled] = await Promise.all(sides.map((side) => side.due(now, 3, 1_000)));
    if (one.do === 'ask') {
      await ledger.jobs.enqueue(requestOf(one, now));
      model.enqueue(requestOf(one, now));
    }
    if (one.do === 'pause') {
      const account = `cuenta${one.account}`;
      await ledger.pauses.begin({ account, ambiente: null, cause: 'service', now });
      model.pause(account);
    }
    if (one.do === 'resume') {
      const account = `cuenta${one.account}`;
      await ledger.pauses.end({ account, ambiente: null, cause: 'service' });
      model.resume(account);
    }
    for (const [n, side] of sides.entries()) {
      const taken = running[n] ?? [];
      const waiting = handedOver[n] ?? [];
      if (one.do === 'release') {
        const ids =
          (n === 0 ? own : modelled)?.slice(one.first, one.first + one.count).map(({ id }) => id) ?? [];
        const won = new Set(await side.release(ids, now));
        waiting.push(...ids.filter((id) => won.has(id)));
      }
      if (one.do === 'claim' && waiting.length > 0) {
        const [id = ''] = waiting.splice(one.one % waiting.length, 1);
        const job = await side.claim(id, 8_000, now);
        if (job) taken.push(job);
      }
      if ((one.do === 'finish' || one.do === 'postpone') && taken.length > 0) {
        const [job = { id: '', token: '' }] = taken.splice(one.one % taken.length, 1);
        if (one.do === 'finish') await side.finish(job.id, job.token);
        else
          await side.postpone(job.id, job.token, {
            dueAt: new Date(now.getTime() + one.inMs),
            putBack: one.putBack,
            failedAt: one.failed && !one.putBack ? now : null,
            reason: 'prueba',
          });
      }
      if (one.do === 'forget') await side.forget('follow-up', `s${one.one}`);
      if (one.do === 'recover') await side.recover(now, 6_000);
    }
    // The simulated ledger has no processes that die.
    for (const { id } of running[0] ?? []) await ledger.jobs.survived(id);
    const looks = await Promise.all(sides.map((side) => side.due(now, 3, 1_000)));
    expect(looks[1]?.map(facts)).toEqual(looks[0]?.map(facts));
    const short = await Promise.all(sides.map((side) => side.due(now, 2, 4)));
    expect(short[1]?.map(facts)).toEqual(short[0]?.map(facts));
    expect(await model.unclaimed()).toEqual(await ledger.jobs.unclaimed());
    expect(await model.nextDueAt(now)).toEqual(await ledger.jobs.nextDueAt(now));
  }
}

test('the simulated ledger answers what SQLite answers, whatever is asked, taken, ended, postponed and paused', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fp-fleet-'));
  const encryptionKey = randomBytes(32);
  const clock = { now: () => new Date(start) };
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(auditEntry, { minLength: 250, maxLength: 250 }), async (auditLog) => {
      runs += 1;
      const ledger = await openLedger(
        { directory: join(directory, `${runs}`), encryptionKey },
        clock,
        silentLog,
      );
      try {
        await bothSides(ledger, openJobModel(), auditLog);
      } finally {
        await ledger.close();
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
