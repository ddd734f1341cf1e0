import { LedgerError } from '../../domain/errors.ts';
import type { MovedTo } from '../moved.ts';

/** The place a PostgreSQL URL names, without user and password; null where it is none or names no database. */
export function placeIn(url: string, schema = 'facturapuente'): MovedTo | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const database = decodeURIComponent(parsed?.pathname.slice(1) ?? '');
  if (!parsed || !['postgresql:', 'postgres:'].includes(parsed.protocol) || database === '') return null;
  return { host: parsed.host, database, schema };
}

/**
 * The same of a place to move to. Throws LedgerError `move-address`: the driver would read any text as some address, and
 * a URL without a database as the user's own.
 */
export function placeOf(url: string, schema: string): MovedTo {
  const place = placeIn(url, schema);
  if (place) return place;
  throw new LedgerError(
    'move-address',
    'La dirección de destino no es la de una base PostgreSQL: escríbala como postgresql://usuario:clave@servidor/base.',
    'The target must be a PostgreSQL URL that names its database: postgresql://user:password@host/database.',
  );
}
