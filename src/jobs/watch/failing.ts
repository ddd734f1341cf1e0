import { waitsForShop } from '../../domain/circuit-breaker.ts';
import { documentNumber } from '../../domain/document.ts';
import { owner } from '../../domain/scope.ts';
import { isShadowStore, storeBehind } from '../../domain/shadow.ts';
import { keepsFailing, readOrderSubject } from '../../domain/work.ts';
import type { FailingJob } from '../../ledger/failing.ts';
import { keepOnly } from '../alerts.ts';
import type { StepDeps } from '../deps.ts';
import { waitWords, workWords } from '../story-words.ts';

const code = 'job-keeps-failing';

type FailingDeps = Pick<StepDeps, 'ledger' | 'clock' | 'alerts'>;

/** Jobs that failed so often or for so long that people are told, in all processes; the longest first. */
export function failingJobs({ ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>): Promise<FailingJob[]> {
  const { failures, forMs } = keepsFailing;
  return ledger.failing.list({ failures, since: new Date(clock.now().getTime() - forMs) });
}

/**
 * Warns of each job that keeps failing, by the name of its order or document, and ends the warning once it ran well or is
 * gone. It goes on trying. Jobs that wait for a shop that does not answer are told of by its circuit breaker.
 */
export async function watchFailing({ ledger, clock, alerts }: FailingDeps): Promise<void> {
  const silent = new Set((await ledger.breakers.list()).map(({ storeId }) => storeId));
  const told = new Set<string>();
  for (const job of await failingJobs({ ledger, clock })) {
    const { kind, storeId, reason, failures, since } = job;
    if (isShadowStore(storeId) || (waitsForShop.has(kind) && silent.has(storeBehind(storeId)))) continue;
    told.add(subjectOf(job));
    await alerts.raise({
      code,
      subject: subjectOf(job),
      // Of an account, a channel or a listener it is the whole installation's.
      about: storeId.includes(':') ? undefined : owner.store(storeId),
      what: `${await nameOf({ ledger }, job)}: no se logra ${workWords[kind]} (${failures} intentos desde ${since}). ${waitWords(reason)}`,
      cure: 'Corrija la causa; se sigue intentando cada cierto tiempo, y el aviso termina solo. Si no la entiende, pida ayuda con «facturapuente support-bundle».',
    });
  }
  await keepOnly({ ledger, alerts }, code, ({ subject }) => told.has(subject));
}

const subjectOf = ({ kind, subject }: Pick<FailingJob, 'kind' | 'subject'>): string => `${kind} ${subject}`;

/** How people know what it is about. */
async function nameOf(
  { ledger }: Pick<StepDeps, 'ledger'>,
  { kind, subject, storeId }: FailingJob,
): Promise<string> {
  const document = await ledger.documents.get(subject);
  if (document) {
    const number = documentNumber(document);
    return `Pedido ${document.orderName}${number === null ? '' : `, documento ${number}`} (${storeId})`;
  }
  if (kind !== 'sync-order' && kind !== 'ask-buyer' && kind !== 'buyer-cut-off')
    return storeId.includes(':') ? subject : `Tienda ${storeId}`;
  const order = readOrderSubject(subject);
  return `Pedido ${(await ledger.orders.get(order))?.name ?? order.orderId} (${storeId})`;
}
