import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { Credentials } from '../../src/domain/shop-identity.ts';
import type { ApiKeys } from './client.ts';
import type { Connection } from './settings.ts';

const keys = z.object({ consumerKey: z.string().min(1), consumerSecret: z.string().min(1) });

const attempt = z.object({
  /** SHA-256, hex. */
  nonce: z.string(),
  until: z.iso.datetime(),
  /** `taken`: the keys are being checked. `unchecked`: the shop did not answer. `done`: the merchant saw the result. */
  state: z.enum(['open', 'taken', 'unchecked', 'connected', 'done', 'refused']),
  pending: keys.nullable().default(null),
  reason: z.string().nullable(),
});

const shopCredentials = z.object({
  keys: keys.nullable(),
  /** Newest first; the former one stays valid for deliveries on their way. */
  secrets: z.array(z.string().min(32)).max(2),
  attempt: attempt.nullable(),
  installed: z.boolean(),
  uninstalled: z.boolean().default(false),
});

export type ShopCredentials = z.output<typeof shopCredentials>;
export type Attempt = z.output<typeof attempt>;

export const noCredentials: ShopCredentials = {
  keys: null,
  secrets: [],
  attempt: null,
  installed: false,
  uninstalled: false,
};

export async function readCredentials(credentials: Credentials, shop: string): Promise<ShopCredentials> {
  const found = await credentials.get(shop);
  return found ? shopCredentials.parse(found.value) : noCredentials;
}

const mostTries = 20;

/** `change` runs again when another process wrote meanwhile. Throws ShopError `busy-elsewhere`. */
export async function updateCredentials(
  credentials: Credentials,
  shop: string,
  change: (before: ShopCredentials) => ShopCredentials | null,
): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const found = await credentials.get(shop);
    const after = change(found ? shopCredentials.parse(found.value) : noCredentials);
    if (after === null || (await credentials.put(shop, after, found?.version ?? null))) return;
  }
  throw new ShopError('busy-elsewhere', { why: 'access', shop, tries: mostTries }, { retryable: true });
}

export function configuredKeys({ consumerKey, consumerSecret }: Connection): ApiKeys | null {
  return consumerKey === undefined || consumerSecret === undefined ? null : { consumerKey, consumerSecret };
}

export async function findKeys(
  connection: Connection,
  { credentials }: Pick<ShopContext, 'credentials'>,
): Promise<ApiKeys | null> {
  return configuredKeys(connection) ?? (await readCredentials(credentials, connection.url)).keys;
}

/** Throws ShopError `shop-not-connected` or `store-uninstalled`: jobs wait until the store is installed. */
export async function requireKeys(connection: Connection, { credentials }: Pick<ShopContext, 'credentials'>) {
  const { keys, uninstalled } = await readCredentials(credentials, connection.url);
  if (uninstalled)
    throw new ShopError(
      'store-uninstalled',
      { store: undefined, shop: connection.url },
      { retryable: false, disconnected: true },
    );
  const found = configuredKeys(connection) ?? keys;
  if (found !== null) return found;
  throw new ShopError(
    'shop-not-connected',
    { platform: 'WooCommerce', shop: connection.url, lost: false },
    { retryable: false, disconnected: true },
  );
}
