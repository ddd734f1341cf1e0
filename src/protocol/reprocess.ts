import {
  attemptOf,
  type Deciding,
  emit,
  move,
  patchAttempt,
  request,
  schedule,
  showStopped,
  waitBefore,
} from './deciding.ts';
import type { EventOf } from './events.ts';
import { nextFollowUp } from './follow-up.ts';

/* Reprocessing twice is harmless: at most one document can come of a key. On another day the date is refused (65). */

export function reprocess(d: Deciding): undefined {
  const { document, attempts } = d.state;
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (document.state !== 'processing' || !ended?.accessKey) return;
  // Another sending may still come true: it is asked about first.
  if (attempts.some(d.rules.mayComeTrue)) {
    schedule(d, 'follow-up', d.now.at);
    return schedule(d, 'reprocess', nextFollowUp(d), 'another sending of it may still come true');
  }
  if (document.code === 'reprocess' && d.rules.dayIsOver(ended, d.now)) return sendAgainToday(d);
  const { n, accessKey } = ended;
  const reported = attempts.findLast((one) => one.accessKey === accessKey && one.serviceId !== null);
  request(d, { kind: 'reprocess', n, accessKey, serviceId: reported?.serviceId ?? null });
}

function sendAgainToday(d: Deciding): undefined {
  move(d, ['processing'], 'rejected', {}, { cause: 'known not authorised' });
  const patch = { accessKey: null, code: null, reason: null };
  move(d, ['rejected'], 'ready', patch, { cause: 'sent again with today’s date' });
  schedule(d, 'submit', d.now.at);
}

export function reprocessAnswered(d: Deciding, { n, answer }: EventOf<'reprocess-answered'>): undefined {
  switch (answer.kind) {
    case 'reprocessing':
      return reopenKey(d, n, waitBefore(d.timings.followUp, 0));
    case 'not-ended':
      return reopenKey(d, n, 0);
    case 'no-credits':
      return pause(d, 'credits');
    case 'refused':
      return giveUp(d, answer.errors);
    case 'throttled':
      return schedule(d, 'reprocess', d.now.at + answer.retryAfter, 'the service asks to slow down');
    case 'unauthorized':
      return answer.isOlderKey
        ? schedule(d, 'reprocess', d.now.at, 'an older API key was revoked')
        : pause(d, 'api-key');
    case 'unknown':
      return emit(d, { kind: 'try-again', why: 'the key could not be reprocessed yet' });
  }
}

const pause = (d: Deciding, cause: 'credits' | 'api-key'): undefined =>
  emit(d, { kind: 'put-back', job: 'reprocess' }, { kind: 'pause-account', cause });

function reopenKey(d: Deciding, n: number, after: number): undefined {
  const ended = attemptOf(d, n);
  const { accessKey } = ended;
  const note = { cause: 'reprocessed', accessKey } as const;
  if (!move(d, ['processing'], 'processing', { code: null, reason: null }, note)) return;
  emit(d, { kind: 'end-attempt', n, outcome: 'reprocessed' });
  patchAttempt(d, { ...ended, outcome: 'reprocessed', reprocessed: ended.reprocessed + 1 });
  schedule(d, 'follow-up', d.now.at + after);
}

/** The service refuses to reprocess: the error stays, and its reason says what to fix. */
function giveUp(d: Deciding, errors: readonly string[]): undefined {
  const isRegistered = d.state.document.code === 'number-registered';
  const code = isRegistered ? 'number-registered' : 'not-authorised';
  const note = { cause: 'not reprocessed', errors } as const;
  if (move(d, ['processing'], isRegistered ? 'manual' : 'rejected', { code }, note)) showStopped(d);
}
