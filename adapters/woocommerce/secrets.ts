import type { Credentials } from '../../src/domain/credentials.ts';
import { readKept } from './kept.ts';

interface Known {
  secrets: readonly string[];
  readAt: number;
}

/** A door that is knocked at by strangers asks the ledger no more often than this. */
const atMostEveryMs = 50;
/** Secrets taken back elsewhere are forgotten here after so long. */
const goodForMs = 60_000;

const known = new WeakMap<Credentials, Map<string, Known>>();

/**
 * Whether one of the secrets we made for a shop's webhooks fits. They are read again when none does, so that a secret
 * made by another process counts at once.
 */
export async function fitsKeptSecret(
  credentials: Credentials,
  shop: string,
  fits: (secrets: readonly string[]) => boolean,
): Promise<boolean> {
  const shops = known.get(credentials) ?? new Map<string, Known>();
  known.set(credentials, shops);
  const before = shops.get(shop);
  const age = before === undefined ? Number.POSITIVE_INFINITY : performance.now() - before.readAt;
  if (before !== undefined && age < goodForMs && fits(before.secrets)) return true;
  if (age < atMostEveryMs) return false;
  const { secrets } = await readKept(credentials, shop);
  shops.set(shop, { secrets, readAt: performance.now() });
  return fits(secrets);
}
