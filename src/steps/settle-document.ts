import { z } from 'zod';
import type { Ambiente, Attempt, Document } from '../core/document.ts';
import { done, type Step } from '../core/work.ts';
import { compareStored } from './adopt.ts';
import { type StepDeps, storeOfDocument } from './deps.ts';
import { applyOutcome } from './outcome.ts';
import { isAmbiguous } from './repeat.ts';

/** What the service's webhook door keeps of an event (spec, body fields). */
const eventPayload = z.object({
  account: z.string(),
  claveacceso: z.string(),
  tipo_comprobante: z.string(),
  numero: z.string(),
  ambiente: z.number(),
  ruc_emisor: z.string(),
});
type ServiceEvent = z.infer<typeof eventPayload>;

/**
 * A service event is a hint like any other: it is matched to a document by the access key of an attempt, else by
 * issuer, environment, type and number (it may overtake the POST's answer), and confirmed by a question.
 */
export function settleDocument(deps: StepDeps): Step {
  return async (work) => {
    const event = eventPayload.parse(work.payload);
    const known = await deps.ledger.documents.byAccessKey(event.claveacceso);
    const document = known ?? (await byNumber(deps, event));
    const store = document && storeOfDocument(deps, document);
    if (!document || !store) {
      deps.log.info(
        { account: event.account, number: event.numero },
        'A service event about a document that is not ours was passed over',
      );
      return done;
    }
    if (document.state === 'authorized' || document.state === 'cancelled') return done;
    const calls = deps.service(store.account, true);
    const answer = await calls.consultar(event.claveacceso);
    if (answer.kind === 'not-found') return done;
    if (answer.kind !== 'found')
      throw new Error('The state the service announced could not be confirmed yet.');
    if (!known && !(await claimKey(deps, document, event))) return done;
    await applyOutcome(deps, document, answer);
    return done;
  };
}

async function byNumber(deps: StepDeps, event: ServiceEvent): Promise<Document | undefined> {
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = event.numero.split('-');
  const ambiente = event.ambiente as Ambiente;
  const series = {
    ruc: event.ruc_emisor,
    ambiente,
    codDoc: event.tipo_comprobante,
    establecimiento,
    puntoEmision,
  };
  return deps.ledger.documents.byNumber(series, secuencial);
}

/**
 * A key we were never told, on one of our numbers: it belongs to an attempt whose answer is still out, provided
 * that the stored document is not visibly somebody else's.
 */
async function claimKey(deps: StepDeps, document: Document, event: ServiceEvent): Promise<boolean> {
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const open: Attempt | undefined = attempts.find(
    (attempt) => attempt.accessKey === null && isAmbiguous(attempt),
  );
  const store = storeOfDocument(deps, document);
  if (!open || !store) return false;
  const agreement = await compareStored(
    deps.service(store.account, false),
    event.claveacceso,
    document,
    attempts,
  );
  if (agreement === 'foreign') {
    deps.log.error(
      { number: event.numero },
      'The service announced a foreign document under one of our numbers',
    );
    return false;
  }
  const outcome = open.outcome === 'open' ? 'open' : 'unknown';
  await deps.ledger.attempts.end(open.id, { outcome, accessKey: event.claveacceso, now: deps.clock.now() });
  return true;
}
