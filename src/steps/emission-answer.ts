import type { PauseCause } from '../core/account-pause.ts';
import { ecuadorDay } from '../core/calendar.ts';
import { documentNumber } from '../core/document.ts';
import { isShadowShop } from '../core/shadow.ts';
import { done, type StepOutcome } from '../core/work.ts';
import { type EmissionAnswer, isEmpty } from '../service/answers.ts';
import { namesProvider, saysNoCredits } from '../service/refusal-words.ts';
import { pauseAccount, probeWait } from './account-pause.ts';
import { takeDuplicate } from './adopt.ts';
import type { StepDeps } from './deps.ts';
import { isRevoked } from './issued.ts';
import { keyNames } from './key-names.ts';
import { tellMixedUp } from './mixed-up.ts';
import { record, type Sent } from './sent.ts';
import { answerLost, keyUnexpected, refused, refusedAfterLost } from './sentences.ts';
import { wrongDay } from './wrong-day.ts';

/** Writes the service's answer down and says what follows (architecture: "When things fail"). */
export async function takeAnswer(deps: StepDeps, sent: Sent): Promise<StepOutcome> {
  const { answer } = sent;
  const { account } = sent.key;
  const told = 'claveacceso' in answer ? answer.claveacceso : null;
  if (told !== null && !keyNames(sent.document, told)) return takeMixedUp(deps, sent, told);
  if (answer.kind !== 'unknown') deps.doubts.clear(doubted(sent));
  switch (answer.kind) {
    case 'created':
      return takeCreated(deps, sent, answer);
    case 'duplicate':
      return takeDuplicate(deps, sent, answer.claveacceso, answer.errors);
    case 'refused':
      return takeRefusal(deps, sent, answer);
    case 'unauthorized':
      if (isRevoked(deps, sent.key)) return backOff(deps, sent, 0, 'an older API key was revoked');
      await endUnsent(deps, sent);
      return pauseAccount(deps, account, 'api-key');
    case 'throttled':
      return backOff(deps, sent, answer.retryAfterMs, 'the service asks to slow down');
    case 'unknown':
      return takeUnknown(deps, sent, answer);
  }
}

/** What nearly every document comes to; so the work ends in the same COMMIT, which spares the ledger one. */
async function takeCreated(
  deps: StepDeps,
  sent: Sent,
  { claveacceso: accessKey, idComprobante: serviceId }: Extract<EmissionAnswer, { kind: 'created' }>,
): Promise<StepOutcome> {
  const { document, attempt } = sent;
  const { foreseenKey } = attempt;
  if (foreseenKey === null ? !keyNames(document, accessKey, attempt) : foreseenKey !== accessKey)
    return takeUnexpected(deps, sent, accessKey);
  const held = await record(deps, sent, {
    outcome: 'created',
    accessKey,
    serviceId,
    to: 'processing',
    patch: { accessKey, code: null, reason: null },
    ends: sent.work,
  });
  return sent.work ? { kind: 'finished', held } : done;
}

/**
 * The answer names another document: it was given to another request (a cache or a proxy mixed two up), so ours is lost,
 * whatever it says. Its key is kept in the history, for a person only.
 */
async function takeMixedUp(deps: StepDeps, sent: Sent, foreignKey: string): Promise<StepOutcome> {
  const { document } = sent;
  await record(deps, sent, {
    outcome: 'unknown',
    to: 'uncertain',
    patch: { code: 'key-unexpected', reason: keyUnexpected(document) },
    note: { cause: 'unexpected key', foreignKey },
  });
  await tellMixedUp(deps, sent.key.account.id, {
    store: document.storeId,
    number: documentNumber(document),
    foreignKey,
  });
  return done;
}

/**
 * A key of our number with another day or other free digits than foreseen: it may be of an earlier sending, and is asked
 * about before it is believed. Digits that vary are not foreseen any more.
 */
async function takeUnexpected(deps: StepDeps, sent: Sent, accessKey: string): Promise<StepOutcome> {
  const { document, attempt } = sent;
  const isOfItsDay = keyNames(document, accessKey, attempt);
  deps.log.warn(
    { store: document.storeId, number: documentNumber(document) },
    isOfItsDay
      ? 'The free digits of access keys vary; none is foreseen until they are seen to be constant'
      : 'The service answered an emission with an access key of another day',
  );
  await record(deps, sent, {
    outcome: 'unknown',
    accessKey,
    to: 'uncertain',
    patch: { accessKey, code: 'key-unexpected', reason: keyUnexpected(document) },
    note: { cause: 'unexpected key', accessKey },
    next: async (tables, moved, now) => {
      if (isOfItsDay) await tables.keyDigits.varied(moved, now);
    },
  });
  return done;
}

/** What the service makes of a shadow's documents says nothing of the others: its test side may be down by itself. */
const doubted = ({ document, key }: Sent): string =>
  isShadowShop(document.shop) ? `${key.account.id} #sombra` : key.account.id;

/** This POST left nothing behind; whether an earlier one did decides where the document stands. */
async function endUnsent(deps: StepDeps, sent: Sent, notBefore?: Date): Promise<void> {
  await record(deps, sent, (lost) => ({
    outcome: 'unsent',
    to: lost ? 'uncertain' : 'ready',
    ...(notBefore ? { notBefore } : {}),
  }));
}

/** Nothing was stored: the same number waits for better times. No attempt is counted against the work. */
async function backOff(deps: StepDeps, sent: Sent, waitMs: number, reason: string): Promise<StepOutcome> {
  const dueAt = new Date(deps.clock.now().getTime() + waitMs);
  await endUnsent(deps, sent, dueAt);
  return { kind: 'again', dueAt, reason };
}

async function takeRefusal(
  deps: StepDeps,
  sent: Sent,
  answer: Extract<EmissionAnswer, { kind: 'refused' }>,
): Promise<StepOutcome> {
  const { document, attempt } = sent;
  // Midnight passed between mapping and answer: the same number leaves again with the new date.
  if (ecuadorDay(deps.clock.now()) !== attempt.issueDate)
    return backOff(deps, sent, 0, 'the day in Ecuador changed');
  const wrong = wrongDay(answer, deps.clock.now());
  if (wrong?.kind === 'midnight')
    return backOff(deps, sent, wrong.waitMs, 'the day changes at the service and here some moments apart');
  if (wrong?.kind === 'clock') {
    await endUnsent(deps, sent);
    return pauseAccount(deps, sent.key.account, 'clock');
  }
  const cause = document.ambiente === 2 ? await faultOfAccount(deps, sent.key, answer) : null;
  if (cause !== null) {
    await endUnsent(deps, sent);
    return pauseAccount(deps, sent.key.account, cause);
  }
  const words = answer.errors.join(' ') || 'El servicio no dio un motivo.';
  await record(deps, sent, (lost) => ({
    outcome: 'refused',
    errors: answer.errors,
    to: lost ? 'manual' : 'rejected',
    patch: { code: 'refused', reason: (lost ? refusedAfterLost : refused)(document, words) },
  }));
  return done;
}

/** In production a refusal may mean the account, not the document (spec, key rules: provider data, credits). */
async function faultOfAccount(
  deps: StepDeps,
  { account, keyHash }: Sent['key'],
  answer: { errors: string[]; aviso: string | null },
): Promise<PauseCause | null> {
  if (answer.aviso !== null && namesProvider(answer.errors)) return 'provider-data';
  // Whatever the balance says: the last ones may be spoken for by documents in process.
  if (saysNoCredits(answer.errors)) return 'credits';
  const balance = await deps.service(account, null, keyHash).consultarSaldo();
  return balance.kind === 'balance' && isEmpty(balance) ? 'credits' : null;
}

async function takeUnknown(
  deps: StepDeps,
  sent: Sent,
  answer: Extract<EmissionAnswer, { kind: 'unknown' }>,
): Promise<StepOutcome> {
  const { account } = sent.key;
  const { errors = [] } = answer;
  const failures = deps.doubts.add(doubted(sent), answer.mayHaveLeft ? sent.document.id : null);
  const manyFailed = failures >= deps.timings.serviceDownAfter;
  const isShadow = isShadowShop(sent.document.shop);
  const isDown = manyFailed && !isShadow;
  if (!answer.mayHaveLeft) {
    const rest = manyFailed && isShadow ? probeWait(deps, failures) : deps.timings.unreachable;
    if (!isDown) return backOff(deps, sent, rest, 'nobody answers at the service');
    await endUnsent(deps, sent);
    return pauseAccount(deps, account, 'service');
  }
  await record(deps, sent, {
    outcome: 'unknown',
    ...(answer.claveacceso === null ? {} : { accessKey: answer.claveacceso }),
    to: 'uncertain',
    patch: {
      ...(answer.claveacceso === null ? {} : { accessKey: answer.claveacceso }),
      code: 'answer-lost',
      reason: answerLost(sent.document, errors),
    },
    ...(errors.length > 0 ? { note: { errors } } : {}),
  });
  if (isDown) await pauseAccount(deps, account, 'service');
  return done;
}
