import { setTimeout as pause } from 'node:timers/promises';
import type { Document } from '../domain/document.ts';
import { issuerOf, type JobDeps } from '../jobs/deps.ts';
import type { AuthorizedXml } from '../service/authorized-xml.ts';

/** What the service has under an access key; `unanswered`: no usable answer. */
export type Found =
  | { kind: 'authorized'; facts: AuthorizedXml; xml: string }
  | { kind: 'not-authorized'; state: 'error' | 'processing' }
  | { kind: 'nothing' }
  | { kind: 'unanswered'; account: string };

/** Calls before a service counts as unanswered, each a little later. */
const tries = 3;
const pauseMs = 300;

/**
 * Asks the service for a document by its access key, under the API key that issued it: the service has no list, and each
 * API key sees only its own documents (spec, key rules). The calls take slots of the key's rate limit, after emissions.
 */
export async function askService(
  deps: Pick<AccountingDeps, 'accounts' | 'revoked' | 'service'>,
  issued: Pick<Document, 'account' | 'keyHash'>,
  accessKey: string,
): Promise<Found> {
  const key = issuerOf(deps, issued);
  const unanswered = { kind: 'unanswered', account: key?.account.id ?? issued.account } as const;
  if (!key) return unanswered;
  const calls = deps.service(key.account, null, key.keyHash);
  const xml = await patiently(() => calls.descargarXml(accessKey));
  if (xml.kind === 'found') return { kind: 'authorized', facts: xml.facts, xml: xml.xml };
  if (xml.kind !== 'not-found') return unanswered;
  const consult = await patiently(() => calls.consultarComprobante(accessKey));
  // An API key other than the issuing one does not see the document.
  if (consult.kind === 'not-found') return key.gone ? unanswered : { kind: 'nothing' };
  if (consult.kind !== 'found' || consult.state === 'authorized') return unanswered;
  return { kind: 'not-authorized', state: consult.state };
}

/** Whether an authorised document was annulled at the authority's portal; false without an answer. */
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

/** Repeats a call, a little later each time, until it has an answer. */
export async function patiently<T extends { kind: string; retryAfterMs?: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  for (let n = 1; ; n += 1) {
    const answer = await ask();
    if ((answer.kind !== 'unknown' && answer.kind !== 'throttled') || n === tries) return answer;
    await pause(Math.max(answer.retryAfterMs ?? 0, n * pauseMs));
  }
}

/** The dependencies of accounting, which reads shops, ledger and service and changes none of them. */
export type AccountingDeps = Pick<
  JobDeps,
  'ledger' | 'clock' | 'log' | 'alerts' | 'shop' | 'service' | 'accounts' | 'revoked' | 'invoiceFrom'
>;
