import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/log.ts';
import { migrate } from '../../src/ledger/migrate.ts';
import { migrations } from '../../src/ledger/migrations/index.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { openPostgres } from '../../src/ledger/postgres.ts';
import type { Engine } from '../../src/ledger/schema.ts';
import { openSqlite } from '../../src/ledger/sqlite.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';
import { noon, sealKey, series } from './samples.ts';
import { temporaryDirectory } from './support/processes.ts';

/** Until 0015 the number a series stopped for stood in the sentence for the merchant alone. */
const before = migrations.filter(({ name }) => name < '0016');
const clock = { now: () => noon };
const after =
  'por un documento que este sistema no emitió. Indique en la configuración un primer número libre o use otro punto de emisión.';
const trial = `El número 001-002-000000123 ya fue usado en el ambiente 1 (pruebas) ${after}`;
const real = `El número 001-002-000000124 ya fue usado ${after}`;
const other = 'La serie 001-002-000000125 se detuvo a pedido de una persona.';

type Place = { directory: string } | { url: string };
interface Case {
  name: string;
  place(): Promise<Place>;
  open(place: Place): Engine;
}

const sqlite: Case = {
  name: 'SQLite',
  place: async () => ({ directory: temporaryDirectory() }),
  open: (place) => openSqlite('directory' in place ? place.directory : ''),
};
const postgres: Case = {
  name: 'PostgreSQL',
  async place() {
    const { url, drop } = await openDatabase();
    onTestFinished(drop);
    return { url };
  },
  open: (place) => openPostgres('url' in place ? place.url : '', 'facturapuente', 1, silentLog),
};

describe.each(hasPostgres ? [sqlite, postgres] : [sqlite])('an upgrade on $name', ({ place, open }) => {
  test('keeps for which number each series stands stopped', async () => {
    const where = await place();
    const old = open(where);
    await migrate(old, before, clock);
    for (const [ambiente, codDoc, reason] of [
      [1, '01', trial],
      [2, '01', real],
      [1, '04', other],
      [2, '04', null],
    ] as const)
      await sql`insert into series values (
        ${series.ruc}, ${ambiente}, ${codDoc}, ${series.establecimiento}, ${series.puntoEmision},
        ${200}, ${reason}, ${reason && noon.toISOString()}
      )`.execute(old.writer);
    await old.close();

    const ledger = await openLedger({ ...where, sealKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    const { stopped, resume, reserve } = ledger.sequences;
    expect(await stopped(series)).toEqual({ reason: trial, secuencial: '000000123' });
    expect(await stopped({ ...series, ambiente: 2 })).toEqual({ reason: real, secuencial: '000000124' });
    expect(await stopped({ ...series, codDoc: '04' })).toEqual({ reason: other, secuencial: null });
    expect(await stopped({ ...series, ambiente: 2, codDoc: '04' })).toBeNull();
    expect(await resume(series, '000000123')).toBe(true);
    expect(await reserve(series, 1)).toBe('000000200');
  });
});
