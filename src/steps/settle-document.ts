import { z } from 'zod';
import type { Ambiente, Document } from '../core/document.ts';
import { done, type Step } from '../core/work.ts';
import type { FoundDocument } from '../service/answers.ts';
import type { ServiceCalls } from '../service/client.ts';
import { compareStored } from './adopt.ts';
import { confirmOutcome } from './confirm.ts';
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
    deps.joinJourney(document);
    if (document.state === 'authorized' || document.state === 'cancelled') return done;
    const calls = deps.service(store.account, work);
    const answer = await calls.consultarComprobante(event.claveacceso);
    if (answer.kind === 'not-found') return done;
    if (answer.kind !== 'found')
      throw new Error('The state the service announced could not be confirmed yet.');
    const sure = known
      ? await confirmOutcome(deps, calls, document, answer)
      : await claimKey(deps, calls, document, answer);
    if (!sure) throw new Error('Whose document the service announced could not be read yet.');
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
 * A key we were never told, on one of our numbers: it belongs to an attempt whose answer is still out. Before it is
 * believed to be authorised, its XML must be ours. False = that cannot be read yet.
 */
async function claimKey(
  deps: StepDeps,
  calls: ServiceCalls,
  document: Document,
  found: FoundDocument,
): Promise<boolean> {
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const open = attempts.find((attempt) => attempt.accessKey === null && isAmbiguous(attempt));
  if (!open) return true;
  if (found.state === 'authorized') {
    const agreement = await compareStored(calls, found.claveacceso, document, attempts);
    if (agreement === 'provisional') return false;
    if (agreement === 'foreign') {
      deps.log.error(
        { number: found.numero },
        'The service announced a foreign document under one of our numbers',
      );
      return true;
    }
  }
  await deps.ledger.attempts.end(open.id, {
    outcome: open.outcome,
    accessKey: found.claveacceso,
    now: deps.clock.now(),
  });
  await applyOutcome(deps, document, found);
  return true;
}
