import { LedgerError } from '../../core/errors.ts';
import type { MovedTo } from '../moved.ts';

/**
 * The place a PostgreSQL URL names, without user and password. Throws LedgerError `move-address`: the driver would read
 * any text as some address, and a URL without a database as the user's own.
 */
export function placeOf(url: string, schema: string): MovedTo {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const database = decodeURIComponent(parsed?.pathname.slice(1) ?? '');
  if (!parsed || !['postgresql:', 'postgres:'].includes(parsed.protocol) || database === '')
    throw new LedgerError(
      'move-address',
      'La dirección de destino no es la de una base PostgreSQL: escríbala como postgresql://usuario:clave@servidor/base.',
      'The target must be a PostgreSQL URL that names its database: postgresql://user:password@host/database.',
    );
  return { host: parsed.host, database, schema };
}
