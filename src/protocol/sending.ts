import { mayRepeat } from './attempts.ts';
import { type Decided, type Deciding, does, endAttempt, move, showStopped, wait } from './deciding.ts';
import type { Permitted, Prepared, Sending } from './events.ts';
import type { SentAttempt } from './state.ts';

/* What is decided before a byte leaves. The attempt is written with the move to `sending`, and then it leaves. */

/** The job `submit` is due. */
export function submit(d: Deciding, sending: Sending): Decided {
  switch (d.state.document.state) {
    case 'ready':
      return first(d, sending);
    case 'sending':
      return holderDied(d);
    case 'uncertain':
      return repeat(d, sending);
    default:
  }
}

function first(d: Deciding, sending: Sending): Decided {
  // A number names one document of one issuer; what is left of the trials is dropped.
  if (sending.issuer !== 'same') {
    const to = sending.issuer === 'trial' ? 'cancelled' : 'held';
    const patch = { code: 'other-issuer', reason: { says: ['planned'] } } as const;
    move(d, ['ready'], to, patch, { code: 'other-issuer' });
    does(d, { kind: 'write-back' });
    return to === 'cancelled' ? does(d, { kind: 'wake-order', for: 'order' }) : undefined;
  }
  if (d.rules.isBehind(d.state.series)) {
    const patch = { code: 'series-stopped', reason: { says: ['planned'] } } as const;
    move(d, ['ready'], 'held', patch, { code: 'series-stopped' });
    return does(d, { kind: 'write-back' });
  }
  does(d, { kind: 'permit', sending });
}

/** Until a process has verified a series, one number of it leaves at a time. */
export function permitted(d: Deciding, { permit, sending }: Permitted): Decided {
  if (permit.kind === 'leaves') return does(d, { kind: 'prepare', sending });
  if (permit.kind === 'unasked') return does(d, { kind: 'look-ahead' });
  wait(d, 'submit', permit.until, 'the first document of its series is on its way');
}

/** The order was mapped: it leaves, or what can no longer be mapped is held and keeps its number. */
export function prepared(d: Deciding, { prepared: made, sending }: Prepared): Decided {
  if (d.state.document.state !== 'ready') return;
  // The order changed while nobody could tell whether this had left: it is looked at once more.
  if (made.kind === 'nothing') return does(d, { kind: 'wake-order', for: 'order' });
  if (made.kind === 'send') return leave(d, sending, made, null);
  const { to, code } = made;
  move(d, ['ready'], to, { code, reason: { says: ['planned'] } }, { code });
  if (to === 'manual' || code === 'fully-refunded') showStopped(d);
  else does(d, { kind: 'write-back' });
}

/**
 * The same number once more, with the frozen content of the last sending; only the date may change. Its key may have come
 * to light since the repeat was asked for: then it is asked about, not sent.
 */
function repeat(d: Deciding, sending: Sending): Decided {
  const last = d.state.attempts.at(-1);
  const verdict = mayRepeat(d);
  if (!last || verdict.may === 'not') return wait(d, 'follow-up', d.now.at);
  if (verdict.may === 'later')
    return wait(d, 'submit', verdict.at, 'waiting for the service to tell the lost answer');
  leave(d, sending, last, last.n);
}

function leave(
  d: Deciding,
  { as, foreseenKey }: Sending,
  { total, buyerId }: Pick<SentAttempt, 'total' | 'buyerId'>,
  contentOf: number | null,
): Decided {
  const { account, document, attempts } = d.state;
  if (d.rules.isKeptBack(account, as)) return does(d, { kind: 'put-back', job: 'submit' });
  const n = attempts.length + 1;
  const issueDate = d.now.day;
  const secuencial = document.secuencial ?? '';
  move(d, [document.state], 'sending', { issueDate, total, issuer: 'sending' }, { issueDate });
  does(d, { kind: 'attempt', n, issueDate, secuencial, total, buyerId, foreseenKey, contentOf });
  const open = {
    outcome: 'open',
    accessKey: null,
    serviceId: null,
    reprocessed: 0,
    errors: [],
    cause: null,
  } as const;
  const attempt = { n, issueDate, total, buyerId, foreseenKey, createdAt: d.now.at, ...open };
  d.state = { ...d.state, attempts: [...attempts, attempt] };
  does(d, { kind: 'post', n });
}

/** Whoever finds a document in `sending` knows that it may have left, and treats it as a lost answer. */
function holderDied(d: Deciding): Decided {
  for (const { n, outcome } of d.state.attempts)
    if (outcome === 'open') endAttempt(d, n, { outcome: 'unknown' });
  const patch = { code: 'answer-lost', reason: { says: ['answerLost'] } } as const;
  move(d, ['sending'], 'uncertain', patch, { cause: 'the process that sent it died' });
  wait(d, 'follow-up', d.now.at);
}
