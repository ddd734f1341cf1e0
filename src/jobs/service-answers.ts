import type { Document } from '../domain/document.ts';
import type { Answer, Outcome, RefusedFor, ReprocessAnswer, ServiceState } from '../protocol/events.ts';
import type {
  EmissionAnswer,
  FoundDocument,
  ReprocessAnswer as ServiceReprocessAnswer,
} from '../service/answers.ts';
import { namesProvider, saysNoCredits } from '../service/inferred.ts';
import { namedKey } from './access-keys.ts';
import { isRevoked, type JobDeps, type SendingKey } from './deps.ts';
import { wrongDay } from './prepare.ts';
import { causeOf } from './sentences.ts';

/** Counts the failures of the service in a row. */
export function answerOf(deps: JobDeps, document: Document, key: SendingKey, answer: EmissionAnswer): Answer {
  const accessKey = 'claveacceso' in answer ? answer.claveacceso : null;
  const named = accessKey === null ? null : namedKey(document, accessKey);
  // An answer that names another document says nothing about the health of the service.
  const isMixedUp = named?.isOfThis === false;
  const counter = key.account.id;
  if (answer.kind !== 'unknown' && !isMixedUp) deps.failureCounter.clear(counter);
  switch (answer.kind) {
    case 'created':
      return {
        kind: 'created',
        key: named ?? namedKey(document, answer.claveacceso),
        serviceId: answer.idComprobante,
      };
    case 'duplicate':
      return { kind: 'duplicate', key: named, errors: answer.errors };
    case 'refused':
      return { kind: 'refused', names: namesOf(deps, answer), errors: answer.errors };
    case 'unauthorized':
      return { kind: 'unauthorized', isOlderKey: isRevoked(deps, key) };
    case 'throttled':
      return { kind: 'throttled', retryAfter: answer.retryAfterMs };
    case 'unknown': {
      const { mayHaveLeft, errors = [] } = answer;
      const failures = isMixedUp ? 0 : deps.failureCounter.add(counter, mayHaveLeft ? document.id : null);
      return mayHaveLeft
        ? { kind: 'unknown', key: named, errors, failures }
        : { kind: 'unreachable', failures };
    }
  }
}

function namesOf(
  { clock }: Pick<JobDeps, 'clock'>,
  answer: Extract<EmissionAnswer, { kind: 'refused' }>,
): RefusedFor {
  const wrong = wrongDay(answer, clock.now());
  if (wrong?.kind === 'clock') return { kind: 'date', clocks: 'differ', midnight: null };
  if (wrong)
    return { kind: 'date', clocks: 'agree', midnight: wrong.kind === 'midnight' ? wrong.waitMs : null };
  if (answer.aviso !== null && namesProvider(answer.errors)) return { kind: 'provider-data' };
  // Whatever the balance says: documents in process may have used the last ones.
  return saysNoCredits(answer.errors) ? { kind: 'credits' } : { kind: 'words' };
}

type Reported = Pick<FoundDocument, 'fechaAutorizacion' | 'errors'>;

export function serviceStateOf({
  state,
  ...reported
}: Reported & Pick<FoundDocument, 'state'>): ServiceState {
  return state === 'processing' ? { state } : outcomeOf({ state, ...reported });
}

export function outcomeOf({
  state,
  fechaAutorizacion,
  errors,
}: Reported & { state: Outcome['state'] }): Outcome {
  if (state === 'authorized') return { state, at: fechaAutorizacion };
  return { state, cause: causeOf(errors).cause, errors: errors.map(sentenceOf) };
}

/** As attempts keep them: "39 FIRMA INVALIDA". */
const sentenceOf = ({ identificador, mensaje, informacionAdicional }: FoundDocument['errors'][number]) =>
  [identificador, mensaje, informacionAdicional].filter(Boolean).join(' ');

export function reprocessAnswerOf(
  deps: JobDeps,
  key: SendingKey,
  answer: ServiceReprocessAnswer,
): ReprocessAnswer {
  switch (answer.kind) {
    case 'refused':
      // 409: it did not end with an error (assumption A13). 402: credits are missing.
      if (answer.status === 409) return { kind: 'not-ended' };
      if (answer.status === 402) return { kind: 'no-credits' };
      return { kind: 'refused', errors: answer.errors };
    case 'not-found':
      return { kind: 'refused', errors: [] };
    case 'throttled':
      return { kind: 'throttled', retryAfter: answer.retryAfterMs };
    case 'unauthorized':
      return { kind: 'unauthorized', isOlderKey: isRevoked(deps, key) };
    default:
      return { kind: answer.kind };
  }
}
