import {
  attemptOf,
  type Decided,
  type Deciding,
  does,
  move,
  patchAttempt,
  showStopped,
  wait,
} from './deciding.ts';
import type { HandedOver } from './events.ts';
import { nextLook } from './lost.ts';

/*
 * A key that ended with an error outside the document is handed to the authority again. The same key twice is harmless: at
 * most one document can come of it. On another day its date would be refused (65): known not authorised, the number leaves
 * anew with today's.
 */

/** The job `reprocess` is due. */
export function handOver(d: Deciding): Decided {
  const { document, attempts } = d.state;
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (document.state !== 'processing' || !ended?.accessKey) return;
  // One that is with the authority, once more or under another key, is asked about first. Nothing may come of it.
  if (attempts.some(d.rules.mayComeTrue)) {
    wait(d, 'follow-up', d.now.at);
    return wait(d, 'reprocess', nextLook(d), 'another sending of it may still come true');
  }
  if (document.code === 'reprocess' && d.rules.dayIsOver(ended, d.now)) return leaveAnew(d);
  const { n, accessKey } = ended;
  const told = attempts.findLast((one) => one.accessKey === accessKey && one.serviceId !== null);
  does(d, { kind: 'reprocess', n, accessKey, serviceId: told?.serviceId ?? null });
}

function leaveAnew(d: Deciding): Decided {
  move(d, ['processing'], 'rejected', {}, { cause: 'known not authorised' });
  const patch = { accessKey: null, code: null, reason: null };
  move(d, ['rejected'], 'ready', patch, { cause: 'leaves anew with today’s date' });
  wait(d, 'submit', d.now.at);
}

/** What the service made of it. */
export function handedOver(d: Deciding, { n, answer }: HandedOver): Decided {
  switch (answer.kind) {
    case 'reprocessing':
      return withAuthority(d, n, d.timings.followUp[0] ?? 0);
    case 'not-ended':
      return withAuthority(d, n, 0);
    case 'no-credits':
      return pause(d, 'credits');
    case 'refused':
      return giveUp(d, answer.errors);
    case 'throttled':
      return wait(d, 'reprocess', d.now.at + answer.retryAfter, 'the service asks to slow down');
    case 'unauthorized':
      return answer.isOlderKey
        ? wait(d, 'reprocess', d.now.at, 'an older API key was revoked')
        : pause(d, 'api-key');
    case 'unknown':
      return does(d, { kind: 'try-again', why: 'the key could not be reprocessed yet' });
  }
}

const pause = (d: Deciding, cause: 'credits' | 'api-key'): Decided =>
  does(d, { kind: 'put-back', job: 'reprocess' }, { kind: 'pause-account', cause });

/** The fate of the key is open again; a question or a webhook tells it. */
function withAuthority(d: Deciding, n: number, after: number): Decided {
  const ended = attemptOf(d, n);
  if (!ended) return;
  const { accessKey } = ended;
  const note = { cause: 'reprocessed', accessKey } as const;
  if (!move(d, ['processing'], 'processing', { code: null, reason: null }, note)) return;
  does(d, { kind: 'end-attempt', n, outcome: 'reprocessed' });
  patchAttempt(d, { ...ended, outcome: 'reprocessed', reprocessed: ended.reprocessed + 1 });
  wait(d, 'follow-up', d.now.at + after);
}

/** The service will not: the error stands, and the reason says already what to fix. */
function giveUp(d: Deciding, errors: readonly string[]): Decided {
  const isKnown = d.state.document.code === 'number-registered';
  const code = isKnown ? 'number-registered' : 'not-authorised';
  const note = { cause: 'not reprocessed', errors } as const;
  if (move(d, ['processing'], isKnown ? 'manual' : 'rejected', { code }, note)) showStopped(d);
}
