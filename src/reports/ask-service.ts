import { setTimeout as pause } from 'node:timers/promises';
import type { Document } from '../domain/document.ts';
import { issuerOf } from '../jobs/issued.ts';
import type { AuthorizedXml } from '../service/authorized-xml.ts';
import type { AccountingDeps } from './deps.ts';

/** What the service has under an access key. */
export type Found =
  | { kind: 'authorized'; facts: AuthorizedXml; xml: string }
  | { kind: 'not-authorized'; state: 'error' | 'processing' }
  | { kind: 'nothing' }
  /** It did not answer, or its answer cannot be used: nothing is known. */
  | { kind: 'unanswered'; account: string };

/** Asked so often, a little later each time, before it counts as silent. */
const tries = 3;
const pauseMs = 300;

/**
 * Asks the service for a document by its key, with the API key that issued it: it has no list of documents, and each
 * key sees only its own (spec, key rules). Every question takes a slot of the key's rate budget, behind emissions.
 */
export async function askService(
  deps: Pick<AccountingDeps, 'accounts' | 'revoked' | 'service'>,
  issued: Pick<Document, 'account' | 'keyHash'>,
  accessKey: string,
): Promise<Found> {
  const key = issuerOf(deps, issued);
  if (!key) return { kind: 'unanswered', account: issued.account };
  const unanswered = { kind: 'unanswered', account: key.account.id } as const;
  const calls = deps.service(key.account, null, key.keyHash);
  const xml = await patiently(() => calls.descargarXml(accessKey));
  if (xml.kind === 'found') return { kind: 'authorized', facts: xml.facts, xml: xml.xml };
  if (xml.kind !== 'not-found') return unanswered;
  const consult = await patiently(() => calls.consultarComprobante(accessKey));
  // Another key than the one that issued it sees nothing, and that means nothing.
  if (consult.kind === 'not-found') return key.gone ? unanswered : { kind: 'nothing' };
  if (consult.kind !== 'found' || consult.state === 'authorized') return unanswered;
  return { kind: 'not-authorized', state: consult.state };
}

/** Whether a person annulled an authorised document at the authority's portal; false where nobody says. */
export async function askAnnulled(
  deps: Pick<AccountingDeps, 'accounts' | 'revoked' | 'service'>,
  issued: Pick<Document, 'account' | 'keyHash'>,
  accessKey: string,
): Promise<boolean> {
  const key = issuerOf(deps, issued);
  if (!key) return false;
  const consult = await deps.service(key.account, null, key.keyHash).consultarComprobante(accessKey);
  return consult.kind === 'found' && consult.annulled;
}

/** Asks again, a little later each time, while nothing is learned. */
export async function patiently<T extends { kind: string; retryAfterMs?: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  for (let n = 1; ; n += 1) {
    const answer = await ask();
    if ((answer.kind !== 'unknown' && answer.kind !== 'throttled') || n === tries) return answer;
    await pause(Math.max(answer.retryAfterMs ?? 0, n * pauseMs));
  }
}
