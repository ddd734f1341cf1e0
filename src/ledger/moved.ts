import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';

/** Where a ledger was moved; never a password. */
export interface MovedTo {
  host: string;
  database: string;
  schema: string;
}

/** The mark in a directory whose ledger was moved, or may have been, to PostgreSQL. */
export interface MoveMark extends MovedTo {
  at: string;
  /** The COMMIT on PostgreSQL is known; until then no process may start on either ledger. */
  finished: boolean;
}

const fileOf = (directory: string): string => join(directory, 'moved.json');

/** Marks the directory, once before the COMMIT on PostgreSQL, not `finished`, and once after it: no process may write here any more. */
export function markMoved(directory: string, to: MovedTo & { finished: boolean }, clock: Clock): void {
  const text = JSON.stringify({ ...to, at: clock.now().toISOString() });
  const file = fileOf(directory);
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

/** The mark of a directory; null where its ledger was not moved. */
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

export const moved = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError(
    'ledger-moved',
    `El registro ${directory} se movió a PostgreSQL (${placeOf(mark)}) el ${mark.at}. Escriba esa base en ledger.url o DATABASE_URL, y quite ledger.directory si está en la configuración.`,
    `The ledger in ${directory} was moved to PostgreSQL at ${mark.host}/${mark.database}, schema ${mark.schema}; use that one.`,
  );

/** Refuses to begin an empty ledger while the one of the directory was moved somewhere else. */
export const movedElsewhere = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError(
    'ledger-moved',
    `La base PostgreSQL está vacía, y el registro ${directory} se movió a otra (${placeOf(mark)}) el ${mark.at}: escriba aquella en ledger.url o DATABASE_URL, y su esquema en ledger.schema. Si debe comenzar un registro nuevo, saque de ahí la carpeta.`,
    `The PostgreSQL ledger is empty, and the one of ${directory} was moved to ${mark.host}/${mark.database}, schema ${mark.schema}; use that one, or take the directory away.`,
  );

/** Whether the move was committed is not known until it is repeated. */
export const unfinished = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError(
    'move-unfinished',
    `El registro ${directory} comenzó a moverse a PostgreSQL (${placeOf(mark)}) el ${mark.at} y no se sabe si llegó: repita «facturapuente move» con esa misma dirección. Si esa base ya no existe, borre ${fileOf(directory)} y mueva el registro a otra.`,
    `A move of the ledger in ${directory} to ${mark.host}/${mark.database}, schema ${mark.schema}, was interrupted at its COMMIT; repeat it with the same address.`,
  );
