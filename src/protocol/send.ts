import {
  because,
  type Deciding,
  emit,
  endAttempt,
  mayResend,
  move,
  request,
  schedule,
  showStopped,
} from './deciding.ts';
import type { EventOf, Permit, Prepared, Sending } from './events.ts';
import { rules as everyRule, type Rules } from './rules.ts';
import {
  timings as inProduction,
  type SentAttempt,
  type SeriesCheck,
  type SeriesView,
  type Timings,
} from './state.ts';

/* The attempt is written with the move to `sending`; then the POST is made. */

export function sendFirst(
  d: Deciding,
  { issuer, permit, prepared, sending }: EventOf<'send-due'>,
): undefined {
  const reason = because('planned');
  // A number names one document of one issuer; one from the trials is cancelled.
  if (issuer !== 'same') {
    const to = issuer === 'trial' ? 'cancelled' : 'held';
    move(d, ['ready'], to, { code: 'other-issuer', reason }, { code: 'other-issuer' });
    emit(d, { kind: 'write-back' });
    return to === 'cancelled' ? emit(d, { kind: 'replan-order', for: 'order' }) : undefined;
  }
  if (d.rules.isBehind(d.state.series)) {
    move(d, ['ready'], 'held', { code: 'series-stopped', reason }, { code: 'series-stopped' });
    return emit(d, { kind: 'write-back' });
  }
  if (permit.kind === 'check-series') return request(d, { kind: 'check-series' });
  if (permit.kind === 'wait')
    return schedule(d, 'submit', permit.until, 'the first document of its series is on its way');
  if (permit.kind === 'send' && !d.state.series.check.isVerified) emit(d, { kind: 'series-verified' });
  if (!prepared || prepared.kind === 'nothing') return emit(d, { kind: 'replan-order', for: 'order' });
  if (prepared.kind === 'held') return hold(d, prepared);
  if (d.rules.isKeptBack(sending)) return emit(d, { kind: 'put-back', job: 'submit' });
  if (permit.kind === 'send-alone') emit(d, permit);
  startAttempt(d, sending, prepared, null);
}

function hold(d: Deciding, { to, code }: Extract<Prepared, { kind: 'held' }>): undefined {
  move(d, ['ready'], to, { code, reason: because('planned') }, { code });
  if (to === 'manual' || code === 'fully-refunded') showStopped(d);
  else emit(d, { kind: 'write-back' });
}

/** The same number once more, with the content of the last sending and today's date. */
export function resend(d: Deciding, sending: Sending): undefined {
  const { document, attempts } = d.state;
  if (document.state === 'sending') return senderDied(d);
  if (document.state !== 'uncertain') return;
  const last = attempts.at(-1);
  const verdict = mayResend(d);
  if (!last || verdict.may === 'not') return schedule(d, 'follow-up', d.now.at);
  if (verdict.may === 'later')
    return schedule(d, 'submit', verdict.at, 'waiting for the service to state the lost answer');
  if (d.rules.isKeptBack(sending)) return emit(d, { kind: 'put-back', job: 'submit' });
  startAttempt(d, sending, last, last.n);
}

/** A document found in `sending` may have been sent: its answer counts as lost. */
function senderDied(d: Deciding): undefined {
  for (const { n, outcome } of d.state.attempts)
    if (outcome === 'open') endAttempt(d, n, { outcome: 'unknown' });
  const patch = { code: 'answer-lost', reason: because('answerLost') };
  move(d, ['sending'], 'uncertain', patch, { cause: 'the process that sent it died' });
  schedule(d, 'follow-up', d.now.at);
}

function startAttempt(
  d: Deciding,
  { foreseenKey }: Sending,
  { total, buyerId }: Pick<SentAttempt, 'total' | 'buyerId'>,
  contentOf: number | null,
): undefined {
  const { document, attempts } = d.state;
  const n = attempts.length + 1;
  const issueDate = d.now.day;
  const secuencial = document.secuencial ?? '';
  move(d, [document.state], 'sending', { issueDate, total, issuer: 'sending' }, { issueDate });
  emit(d, { kind: 'start-attempt', n, issueDate, secuencial, total, buyerId, foreseenKey, contentOf });
  const attempt: SentAttempt = {
    n,
    issueDate,
    total,
    buyerId,
    foreseenKey,
    createdAt: d.now.at,
    outcome: 'open',
    accessKey: null,
    serviceId: null,
    reprocessed: 0,
    errors: [],
    cause: null,
  };
  d.state = { ...d.state, attempts: [...attempts, attempt] };
  request(d, { kind: 'post', n });
}

/* A restored ledger lacks numbers: until a series is verified, one document at a time is sent, the lowest number first. */

export function permitOf(
  check: SeriesCheck,
  view: SeriesView,
  at: number,
  { rules = everyRule, timings = inProduction }: { rules?: Rules; timings?: Timings } = {},
): Permit {
  if (rules.isVerified(check, at, timings)) return { kind: 'send' };
  if (!rules.isAsked(check)) return { kind: 'check-series' };
  const until = at + timings.series.pause;
  if (!rules.goesFirst(view, check, at, timings)) return { kind: 'wait', until };
  if (view.sentAlone && rules.isUndecided(view.sentAlone, check, at, timings)) return { kind: 'wait', until };
  return { kind: 'send-alone', isNew: rules.isNew(view, check) };
}
