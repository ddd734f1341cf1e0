import { ShopError } from '../../src/domain/errors.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { ApiKeys } from './client.ts';
import { readKept } from './kept.ts';
import type { Connection } from './settings.ts';

/** The config's keys; null where they are to come from the shop. */
export function configuredKeys({ consumerKey, consumerSecret }: Connection): ApiKeys | null {
  return consumerKey === undefined || consumerSecret === undefined ? null : { consumerKey, consumerSecret };
}

/** The config's keys, else those the shop handed over; null before it did. */
export async function keysOf(
  connection: Connection,
  { credentials }: Pick<ShopContext, 'credentials'>,
): Promise<ApiKeys | null> {
  return configuredKeys(connection) ?? (await readKept(credentials, connection.url)).keys;
}

/** The same for a call. What came before the shop is connected waits for it. Throws ShopError `shop-not-connected`. */
export async function accessTo(connection: Connection, context: Pick<ShopContext, 'credentials'>) {
  const keys = await keysOf(connection, context);
  if (keys !== null) return keys;
  throw new ShopError(
    'shop-not-connected',
    'La tienda todavía no está conectada: ejecute «facturapuente install» y abra el enlace que muestra.',
    `${connection.url} has no API keys, neither in the config nor from wc-auth; run facturapuente install.`,
    { retryable: false, disconnected: true },
  );
}
