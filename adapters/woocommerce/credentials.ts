import { z } from 'zod';
import { ShopError } from '../../src/domain/errors.ts';
import type { ShopContext } from '../../src/domain/platform.ts';
import type { Credentials } from '../../src/domain/shop-identity.ts';
import type { ApiKeys } from './client.ts';
import type { Connection } from './settings.ts';

const keys = z.object({ consumerKey: z.string().min(1), consumerSecret: z.string().min(1) });

/** One attempt to have the shop hand over keys (wc-auth). */
const attempt = z.object({
  /** SHA-256 of the nonce, hex. */
  nonce: z.string(),
  until: z.iso.datetime(),
  /**
   * `taken`: the shop sent keys and they are being checked; each nonce is taken once. `unchecked`: the shop did not
   * answer, so the keys stay in `pending`. `connected`: they work; `done`: the merchant has seen that.
   */
  state: z.enum(['open', 'taken', 'unchecked', 'connected', 'done', 'refused']),
  /** Keys that were not tried yet; they replace `keys` once the shop accepts them. */
  pending: keys.nullable().default(null),
  /** Why it was refused, a Spanish sentence. */
  reason: z.string().nullable(),
});

/** What is stored of one shop, encrypted (domain/shop-identity.ts). */
const shopCredentials = z.object({
  keys: keys.nullable(),
  /** Webhook secrets, the newest first; the former one stays valid for deliveries under way. */
  secrets: z.array(z.string().min(32)).max(2),
  attempt: attempt.nullable(),
  /** Whether our webhooks should exist in the shop. */
  installed: z.boolean(),
  /** `facturapuente uninstall` ended the store: nothing is read from it until it is installed again. */
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

/**
 * Writes what `change` makes of the credentials of a shop; null changes nothing. `change` runs again when another
 * process wrote meanwhile. Throws ShopError `busy-elsewhere` when that never ends.
 */
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

/** The API keys of the config; null where the shop hands over its own. */
export function configuredKeys({ consumerKey, consumerSecret }: Connection): ApiKeys | null {
  return consumerKey === undefined || consumerSecret === undefined ? null : { consumerKey, consumerSecret };
}

/** The API keys of the config, else those the shop handed over; null before it did. */
export async function findKeys(
  connection: Connection,
  { credentials }: Pick<ShopContext, 'credentials'>,
): Promise<ApiKeys | null> {
  return configuredKeys(connection) ?? (await readCredentials(credentials, connection.url)).keys;
}

/** The same for a call. Throws ShopError `shop-not-connected` or `store-uninstalled`: jobs wait until it is installed. */
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
