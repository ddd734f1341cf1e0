import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { sampled, whole } from '../support/chance.ts';
import { answers } from '../support/crash/answers.ts';
import { judge } from '../support/crash/judge.ts';
import { openWorld, type WorldOptions } from '../support/crash/world.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/**
 * Two processes run every step of the same job at the same time: its holder was slow, its lease ran out, both go on.
 * Here a third of the answers on SQLite and a ninth on PostgreSQL (odd, so that both ways of keys are among them);
 * `npm run test:long` has all of them, with webhooks both heard and lost for each.
 */
const cases = (['factura', 'nota-credito'] as const).flatMap((kind) =>
  answers.flatMap((answer, index) => {
    const mode = index % 2 === 0 ? ('fijo' as const) : ('aleatorio' as const);
    const heard = whole ? [true, false] : [Math.floor(index / 2) % 2 === 0];
    return heard.map((one) => ({ kind, mode, heard: one, answer, hears: one ? 'heard' : 'lost' }));
  }),
);

async function live(options: WorldOptions, answer: (typeof answers)[number]): Promise<string[]> {
  const world = await openWorld({ ...options, bench: { ...answer.bench, ...options.bench } });
  onTestFinished(() => world.close());
  await answer.prepare?.(world);
  await world.run(null);
  world.fate.end();
  return (await judge(world)).wrong;
}

describe('every step twice at once in one process, on SQLite', () => {
  it.each(sampled(cases, 3))(
    '$kind, $answer.name, keys $mode, webhooks $hears',
    async ({ answer, ...options }) => {
      expect(await live({ ...options, twin: (ledger) => ledger }, answer)).toEqual([]);
    },
  );
});

describe.skipIf(!hasPostgres)('every step in two processes at once, on PostgreSQL', () => {
  it.each(sampled(cases, 9))(
    '$kind, $answer.name, keys $mode, webhooks $hears',
    async ({ answer, ...options }) => {
      const database = await openDatabase();
      onTestFinished(() => database.drop());
      const clock = { now: () => new Date('2026-11-20T15:00:00Z') };
      const other: Ledger = await openLedger(
        { url: database.url, encryptionKey: new Uint8Array(32).fill(7) },
        clock,
        silentLog,
      );
      onTestFinished(() => other.close());
      const bench = { ledgerUrl: database.url };
      expect(await live({ ...options, bench, twin: () => other }, answer)).toEqual([]);
    },
  );
});
