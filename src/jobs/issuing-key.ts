import type { Document } from '../domain/document.ts';
import type { ClaimedJob } from '../domain/job.ts';
import { type IssuingKey, issuingKey, type Store } from '../domain/settings.ts';
import type { ServiceCalls } from '../service/client.ts';
import type { JobDeps, SendingKey } from './deps.ts';

/** The API key that issued a document, in whichever account it is now; undefined when that account is not configured. */
export function issuerOf(
  deps: Pick<JobDeps, 'accounts' | 'revoked'>,
  document: Pick<Document, 'account' | 'keyHash'>,
): IssuingKey | undefined {
  const key = issuingKey(deps.accounts, document);
  if (!key || !deps.revoked.has(key.keyHash)) return key;
  return { ...key, keyHash: key.account.keyHash, gone: true };
}

/**
 * The service under the key that issued a document, since a key sees only its own documents (spec, key rules). `gone`: that
 * key is no longer configured; then the newest one is used, and a "not found" means nothing.
 */
export function serviceOf(
  deps: JobDeps,
  document: Document,
  store: Store,
): IssuingKey & { calls(job: ClaimedJob | null): ServiceCalls } {
  const newest = { account: store.account, keyHash: store.account.keyHash, gone: true };
  const { account, keyHash, gone } = issuerOf(deps, document) ?? newest;
  return { account, keyHash, gone, calls: (job) => deps.service(account, job, keyHash) };
}

/**
 * After a 401: true if only an older, still configured key was revoked; then the newest takes over. False for the newest
 * key: the account itself is the cause.
 */
export function isRevoked(deps: JobDeps, { account, keyHash }: SendingKey): boolean {
  if (keyHash === account.keyHash) return false;
  if (!deps.revoked.has(keyHash))
    deps.log.warn(
      { account: account.id, key: keyHash.slice(0, 8) },
      'The service refuses an older API key; take it out of apiKeys once nothing is open under it',
    );
  deps.revoked.add(keyHash);
  return true;
}
