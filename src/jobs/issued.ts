import type { Document } from '../domain/document.ts';
import { type IssuingKey, issuingKey, type Store } from '../domain/settings.ts';
import type { ClaimedWork } from '../domain/work.ts';
import type { ServiceCalls } from '../service/client.ts';
import type { StepDeps } from './deps.ts';

/** The key a document was issued with, wherever its account's id went; undefined when the account left the config. */
export function issuerOf(
  deps: Pick<StepDeps, 'accounts' | 'revoked'>,
  document: Pick<Document, 'account' | 'keyHash'>,
): IssuingKey | undefined {
  const key = issuingKey(deps.accounts, document);
  if (!key || !deps.revoked.has(key.keyHash)) return key;
  return { ...key, keyHash: key.account.keyHash, gone: true };
}

/**
 * The service under the key that issued a document, since a key sees only its own documents (spec, key rules). `gone`
 * when that key left the config: then it is asked under the newest one, and a "not found" means nothing.
 */
export function serviceOf(
  deps: StepDeps,
  document: Document,
  store: Store,
): IssuingKey & { calls(work: ClaimedWork | null): ServiceCalls } {
  const newest = { account: store.account, keyHash: store.account.keyHash, gone: true };
  const { account, keyHash, gone } = issuerOf(deps, document) ?? newest;
  return { account, keyHash, gone, calls: (work) => deps.service(account, work, keyHash) };
}

/**
 * Whether a 401 only means that an older key was revoked while it still stands in the config: then its account is
 * well, and the newest key takes over. False for the newest key: the account itself is at fault.
 */
export function isRevoked(deps: StepDeps, { account, keyHash }: Omit<IssuingKey, 'gone'>): boolean {
  if (keyHash === account.keyHash) return false;
  if (!deps.revoked.has(keyHash))
    deps.log.warn(
      { account: account.id, key: keyHash.slice(0, 8) },
      'The service refuses an older API key; take it out of apiKeys once nothing is open under it',
    );
  deps.revoked.add(keyHash);
  return true;
}
