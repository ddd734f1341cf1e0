import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';

/** Never contains a password. */
export interface MovedTo {
  host: string;
  database: string;
  schema: string;
}

export interface MoveMark extends MovedTo {
  at: string;
  /** False until the COMMIT on PostgreSQL is known; until then no process may start on either ledger. */
  finished: boolean;
}

export const markIn = (directory: string): string => join(directory, 'moved.json');

/** Called before the COMMIT on PostgreSQL, not `finished`, and again after it: no process may write here any more. */
export function markMoved(directory: string, to: MovedTo & { finished: boolean }, clock: Clock): void {
  const text = JSON.stringify({ ...to, at: clock.now().toISOString() });
  const file = markIn(directory);
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

export function moveMark(directory: string): MoveMark | null {
  const file = markIn(directory);
  if (!existsSync(file)) return null;
  return { finished: true, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<MoveMark, 'finished'>) };
}

/** Throws LedgerError `ledger-moved` or `move-unfinished`. */
export function refuseMoved(directory: string): void {
  const mark = moveMark(directory);
  if (mark) throw mark.finished ? moved(directory, mark) : unfinished(directory, mark);
}

/** User and password are omitted; null where it is no PostgreSQL URL or names no database. */
export function placeIn(url: string, schema = 'facturapuente'): MovedTo | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const database = decodeURIComponent(parsed?.pathname.slice(1) ?? '');
  if (!parsed || !['postgresql:', 'postgres:'].includes(parsed.protocol) || database === '') return null;
  return { host: parsed.host, database, schema };
}

const placeOf = ({ host, database, schema }: MovedTo): string => `${host}/${database}, esquema ${schema}`;

export const isSamePlace = (one: MovedTo, other: MovedTo): boolean =>
  one.host === other.host && one.database === other.database && one.schema === other.schema;

export const moved = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError('ledger-moved', { why: 'here', directory, place: placeOf(mark), at: mark.at });

export const movedElsewhere = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError('ledger-moved', { why: 'elsewhere', directory, place: placeOf(mark), at: mark.at });

export const unfinished = (directory: string, mark: MoveMark): LedgerError =>
  new LedgerError('move-unfinished', {
    directory,
    place: placeOf(mark),
    at: mark.at,
    mark: markIn(directory),
  });
