import { setTimeout as pause } from 'node:timers/promises';
import type { Document } from '../domain/document.ts';
import { issuerOf, type JobDeps } from '../jobs/deps.ts';
import type { AuthorizedXml } from '../service/authorized-xml.ts';

export type Found =
  | { kind: 'authorized'; facts: AuthorizedXml; xml: string }
  | { kind: 'not-authorized'; state: 'error' | 'processing' }
  | { kind: 'nothing' }
  | { kind: 'unanswered'; account: string };

const tries = 3;
const pauseMs = 300;

/** The service has no list, and each API key sees only its own documents (spec, key rules). */
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

export async function patiently<T extends { kind: string; retryAfterMs?: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  for (let n = 1; ; n += 1) {
    const answer = await ask();
    if ((answer.kind !== 'unknown' && answer.kind !== 'throttled') || n === tries) return answer;
    await pause(Math.max(answer.retryAfterMs ?? 0, n * pauseMs));
  }
}

export type AccountingDeps = Pick<
  JobDeps,
  'ledger' | 'clock' | 'log' | 'alerts' | 'shop' | 'service' | 'accounts' | 'revoked' | 'invoiceFrom'
>;
