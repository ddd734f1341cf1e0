import type { Document } from '../../domain/document.ts';
import { isShadowShop } from '../../domain/shadow.ts';
import type { Answer, HandedOver, Outcome, RefusedFor, Standing } from '../../protocol/events.ts';
import type { EmissionAnswer, FoundDocument, ReprocessAnswer } from '../../service/answers.ts';
import { namesProvider, saysNoCredits } from '../../service/refusal-words.ts';
import { causeOf } from '../authority-errors.ts';
import type { SendingKey, StepDeps } from '../deps.ts';
import { isRevoked } from '../issued.ts';
import { wrongDay } from '../wrong-day.ts';
import { namedKey } from './state.ts';

/* What the service answered, in the words of the protocol. Nothing is decided here. */

/** The answer to a POST; counts the failures of the service in a row. */
export function answerOf(
  deps: StepDeps,
  { document, key }: { document: Document; key: SendingKey },
  answer: EmissionAnswer,
): Answer {
  const told = 'claveacceso' in answer ? answer.claveacceso : null;
  const named = told === null ? null : namedKey(document, told);
  // What names another document says nothing of how the service is.
  const isMixedUp = named?.isOfThis === false;
  if (answer.kind !== 'unknown' && !isMixedUp) deps.doubts.clear(doubted(document, key));
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
      const failures = isMixedUp
        ? 0
        : deps.doubts.add(doubted(document, key), mayHaveLeft ? document.id : null);
      return mayHaveLeft
        ? { kind: 'unknown', key: named, errors, failures }
        : { kind: 'unreachable', failures };
    }
  }
}

/** What the service makes of a shadow's documents says nothing of the others: its test side may be down by itself. */
const doubted = ({ shop }: Document, { account }: SendingKey): string =>
  isShadowShop(shop) ? `${account.id} #sombra` : account.id;

function namesOf(
  { clock }: Pick<StepDeps, 'clock'>,
  answer: Extract<EmissionAnswer, { kind: 'refused' }>,
): RefusedFor {
  const wrong = wrongDay(answer, clock.now());
  if (wrong?.kind === 'clock') return { kind: 'date', clocks: 'differ', midnight: null };
  if (wrong?.kind === 'midnight') return { kind: 'date', clocks: 'agree', midnight: wrong.waitMs };
  if (answer.aviso !== null && namesProvider(answer.errors)) return { kind: 'provider-data' };
  // Whatever the balance says: the last ones may be spoken for by documents in process.
  return saysNoCredits(answer.errors) ? { kind: 'credits' } : { kind: 'words' };
}

type Told = Pick<FoundDocument, 'fechaAutorizacion' | 'errors'>;

/** What the service says of a document. */
export function standingOf({ state, ...told }: Told & Pick<FoundDocument, 'state'>): Standing {
  return state === 'processing' ? { state } : outcomeOf({ state, ...told });
}

/** How it ended at the authority. */
export function outcomeOf({ state, fechaAutorizacion, errors }: Told & { state: Outcome['state'] }): Outcome {
  if (state === 'authorized') return { state, at: fechaAutorizacion };
  return { state, cause: causeOf(errors).cause, errors: errors.map(sentenceOf) };
}

/** As attempts keep them: "39 FIRMA INVALIDA". */
const sentenceOf = ({ identificador, mensaje, informacionAdicional }: FoundDocument['errors'][number]) =>
  [identificador, mensaje, informacionAdicional].filter(Boolean).join(' ');

/** What it made of a key that was to be reprocessed. */
export function handedOverOf(deps: StepDeps, key: SendingKey, answer: ReprocessAnswer): HandedOver['answer'] {
  switch (answer.kind) {
    case 'reprocessing':
      return { kind: 'reprocessing' };
    case 'refused':
      // 409: it did not end with an error (assumption A13); 402: credits are missing, no document is to blame.
      if (answer.status === 409) return { kind: 'not-ended' };
      if (answer.status === 402) return { kind: 'no-credits' };
      return { kind: 'refused', errors: answer.errors };
    case 'not-found':
      return { kind: 'refused', errors: [] };
    case 'throttled':
      return { kind: 'throttled', retryAfter: answer.retryAfterMs };
    case 'unauthorized':
      return { kind: 'unauthorized', isOlderKey: isRevoked(deps, key) };
    case 'unknown':
      return { kind: 'unknown' };
  }
}
