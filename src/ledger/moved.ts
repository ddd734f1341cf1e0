import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';

/** Where a ledger went; never a password. */
export interface MovedTo {
  host: string;
  database: string;
  schema: string;
}

/** What stands in a directory whose ledger went, or may have gone, to PostgreSQL. */
export interface MoveMark extends MovedTo {
  at: string;
  /** The COMMIT over there is known; until then nobody may start here or there. */
  finished: boolean;
}

const fileOf = (directory: string): string => join(directory, 'moved.json');

/**
 * From here on the directory is history: whoever wrote into it would give numbers twice. Written once before the COMMIT
 * over there, not `finished`, and once after it.
 */
export function markMoved(directory: string, to: MovedTo & { finished: boolean }, clock: Clock): void {
  const text = JSON.stringify({ ...to, at: clock.now().toISOString() });
  const file = fileOf(directory);
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

/** The mark of a directory; null where the ledger lives in it. */
export function moveMark(directory: string): MoveMark | null {
  const file = fileOf(directory);
  if (!existsSync(file)) return null;
  return { finished: true, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<MoveMark, 'finished'>) };
}

/** Throws LedgerError `ledger-moved` or `move-unfinished` for a directory whose ledger is no longer here. */
export function refuseMoved(directory: string): void {
  const mark = moveMark(directory);
  if (mark) throw mark.finished ? moved(directory, mark) : unfinished(directory, mark);
}

const placeOf = ({ host, database, schema }: MovedTo): string => `${host}/${database}, esquema ${schema}`;

/** Another schema, or another server, is another ledger. */
export const isSamePlace = (one: MovedTo, other: MovedTo): boolean =>
  one.host === other.host && one.database === other.database && one.schema === other.schema;

/** The ledger is over there, and only there. */
export const moved = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError(
    'ledger-moved',
    `El registro ${directory} se movió a PostgreSQL (${placeOf(mark)}) el ${mark.at}. Escriba esa base en ledger.url o DATABASE_URL, y quite ledger.directory si está en la configuración.`,
    `The ledger in ${directory} was moved to PostgreSQL at ${mark.host}/${mark.database}, schema ${mark.schema}; use that one.`,
  );

/** An empty ledger would begin while the one there was is somewhere else. */
export const movedElsewhere = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError(
    'ledger-moved',
    `La base PostgreSQL está vacía, y el registro ${directory} se movió a otra (${placeOf(mark)}) el ${mark.at}: escriba aquella en ledger.url o DATABASE_URL, y su esquema en ledger.schema. Si debe comenzar un registro nuevo, saque de ahí la carpeta.`,
    `The PostgreSQL ledger is empty, and the one of ${directory} was moved to ${mark.host}/${mark.database}, schema ${mark.schema}; use that one, or take the directory away.`,
  );

/** The ledger may be over there or not: only the same move, repeated, can say. */
export const unfinished = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError(
    'move-unfinished',
    `El registro ${directory} comenzó a moverse a PostgreSQL (${placeOf(mark)}) el ${mark.at} y no se sabe si llegó: repita «facturapuente move» con esa misma dirección. Si esa base ya no existe, borre ${fileOf(directory)} y mueva el registro a otra.`,
    `A move of the ledger in ${directory} to ${mark.host}/${mark.database}, schema ${mark.schema}, was interrupted at its COMMIT; repeat it with the same address.`,
  );
