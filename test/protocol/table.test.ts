import { describe, expect, it } from 'vitest';
import { type Decision, decide } from '../../src/protocol/decide.ts';
import type { Effect, Request } from '../../src/protocol/effects.ts';
import type { Answer, Event, NamedKey, Outcome, Stored } from '../../src/protocol/events.ts';
import { permitOf } from '../../src/protocol/send.ts';
import type { SentAttempt, State } from '../../src/protocol/state.ts';

/*
 * The failure table ("answered" in src/protocol/send.ts), row by row: what came back of the document's
 * last POST, where it stands then, what it says, and what is to be done.
 */

const minute = 60_000;
const now = { at: 100 * minute, day: '2026-11-20' };
const key = (name: string, issueDate = now.day): NamedKey => ({ accessKey: name, isOfThis: true, issueDate });
const ours = key('ours');
const another: NamedKey = { accessKey: 'of-another', isOfThis: false, issueDate: now.day };

const attempt = (n: number, more: Partial<SentAttempt> = {}): SentAttempt => ({
  ...{ n, issueDate: now.day, total: '33.75', buyerId: '1710034065', foreseenKey: null, accessKey: null },
  ...{ serviceId: null, outcome: 'open', reprocessed: 0, errors: [], cause: null, createdAt: now.at },
  ...more,
});

/** A document whose last POST is under way, as the ledger has it. */
function sent(attempts: readonly SentAttempt[] = [attempt(1)], more: Partial<State['document']> = {}): State {
  return {
    document: {
      ...{ ambiente: 1, state: 'sending', version: 3, code: null, secuencial: '000000001', accessKey: null },
      ...{ issueDate: now.day, total: '33.75', createdAt: now.at, ...more },
    },
    attempts,
    learnt: { notFound: [], newsAt: now.at, knownUnsent: false, wasUncertain: false, keys: [] },
    series: {
      ...{ stopped: null, isForOurs: false, hasOtherConflicts: false },
      check: { isAsked: true, isVerified: true, proof: 'created', since: 0, startedAt: 0, sentAlone: null },
    },
  };
}

/** The POST before the last one was lost. */
const lostBefore = () => sent([attempt(1, { outcome: 'unknown' }), attempt(2)], { state: 'sending' });
const created = (more: Partial<SentAttempt> = {}) =>
  sent([attempt(1, { outcome: 'created', accessKey: 'ours', ...more })], {
    state: 'processing',
    accessKey: 'ours',
  });
const answered = (answer: Answer, n = 1): Event => ({ kind: 'answered', n, answer });
const notified = (said: Outcome, of = ours): Event => ({
  kind: 'notified',
  key: of,
  said,
  isOfIssuer: true,
  tries: 0,
});
const error = (cause: Extract<Outcome, { state: 'error' }>['cause']): Outcome => ({
  state: 'error',
  cause,
  errors: ['…'],
});
const words = { kind: 'words' } as const;
const unknown = (of: NamedKey | null, failures = 1): Answer => ({
  kind: 'unknown',
  key: of,
  errors: [],
  failures,
});

const named = (request: Request | null): string[] => {
  if (request === null) return [];
  return 'accessKey' in request ? [`${request.kind} ${request.accessKey}`] : [request.kind];
};

/** An effect in a few words. */
function short(effect: Effect): string[] {
  switch (effect.kind) {
    case 'move':
    case 'end-attempt':
    case 'start-attempt':
      return [];
    case 'schedule':
      return [`${effect.job} in ${(effect.at - now.at) / minute} min`];
    case 'cancel-job':
      return [];
    case 'put-back':
      return [`${effect.job} put back`];
    case 'pause-account':
      return [`pause: ${effect.cause}`];
    case 'alert':
      return [`alert: ${effect.code}`];
    default:
      return [effect.kind];
  }
}

/** Feeds the events one after the other, each answer to the question before it. */
function follow(state: State, ...events: readonly (Event | Stored)[]) {
  let decision: Decision = { state, effects: [], request: null, reply: null };
  const done: string[] = [];
  for (const event of events) {
    const { request } = decision;
    const fed: Event =
      event.kind === 'unreadable' ||
      event.kind === 'not-ours' ||
      event.kind === 'this-sale' ||
      event.kind === 'another-order'
        ? { kind: 'compared', key: ours, stored: event, purpose: compareOf(request) }
        : event;
    decision = decide(decision.state, fed, now);
    done.push(...named(decision.request), ...decision.effects.flatMap(short));
  }
  const { state: at, code } = decision.state.document;
  const { attempts } = decision.state;
  return {
    at: code === null ? at : `${at}: ${code}`,
    attempts: attempts.map(({ outcome }) => outcome).join(),
    done,
  };
}

function compareOf(request: Request | null) {
  if (request?.kind !== 'compare') throw new Error('No XML is compared here.');
  return request.purpose;
}

type Row = [
  what: string,
  from: State,
  events: readonly (Event | Stored)[],
  at: string,
  attempts: string,
  done: string[],
];

const follows: readonly Row[] = [
  // creado: true with a key of our type, RUC, ambiente and number | processing, key stored
  [
    'creado: true',
    sent(),
    [answered({ kind: 'created', key: ours, serviceId: 7 })],
    'processing',
    'created',
    ['follow-up in 2 min'],
  ],
  // creado: true with a key that names anything else | outcome unknown; the key is a hint
  [
    'creado: true, the key of another document',
    sent(),
    [answered({ kind: 'created', key: another, serviceId: 7 })],
    'uncertain: key-unexpected',
    'unknown',
    ['follow-up in 0 min', 'alert: answers-mixed-up'],
  ],
  [
    'creado: true, a key of another day',
    sent(),
    [answered({ kind: 'created', key: key('old', '2026-11-19'), serviceId: 7 })],
    'uncertain: key-unexpected',
    'unknown',
    ['follow-up in 0 min'],
  ],
  [
    'creado: true, other free digits than were foreseen',
    sent([attempt(1, { foreseenKey: 'foreseen' })]),
    [answered({ kind: 'created', key: ours, serviceId: 7 })],
    'uncertain: key-unexpected',
    'unknown',
    ['follow-up in 0 min', 'digits-varied'],
  ],
  // 409 with claveacceso | adopted when the authorised XML is an attempt's
  [
    '409 after a lost answer, the XML is ours',
    lostBefore(),
    [answered({ kind: 'duplicate', key: ours, errors: [] }, 2), { kind: 'this-sale', alike: [1, 2] }],
    'processing',
    'adopted,unsent',
    ['compare ours', 'follow-up in 2 min'],
  ],
  [
    '409 after a lost answer, the XML cannot be read yet',
    lostBefore(),
    [answered({ kind: 'duplicate', key: ours, errors: [] }, 2), { kind: 'unreadable' }],
    'processing',
    'adopted,unsent',
    ['compare ours', 'follow-up in 2 min'],
  ],
  // … without an earlier attempt of unknown outcome a number conflict: the series stops, an alert
  [
    '409 without a lost answer',
    sent(),
    [answered({ kind: 'duplicate', key: ours, errors: [] }), { kind: 'not-ours' }],
    'manual: number-conflict',
    'refused',
    ['compare ours', 'stop-series', 'alert: series-stopped', 'write-back', 'replan-order'],
  ],
  [
    '409 after a lost answer, the XML is somebody else’s',
    lostBefore(),
    [answered({ kind: 'duplicate', key: ours, errors: [] }, 2), { kind: 'not-ours' }],
    'manual: number-conflict',
    'unknown,refused',
    ['compare ours', 'stop-series', 'alert: series-stopped', 'write-back', 'replan-order'],
  ],
  [
    '409 without a key and without a lost answer',
    sent(),
    [answered({ kind: 'duplicate', key: null, errors: [] })],
    'uncertain: number-registered',
    'unknown',
    ['follow-up in 0 min', 'recover-series'],
  ],
  [
    '409 without a key after a lost answer',
    lostBefore(),
    [answered({ kind: 'duplicate', key: null, errors: [] }, 2)],
    'uncertain: number-registered',
    'unknown,unknown',
    ['follow-up in 0 min'],
  ],
  // … whose XML cannot be read | outcome unknown: no conflict without proof
  [
    '409 without a lost answer, the XML cannot be read yet',
    sent(),
    [answered({ kind: 'duplicate', key: ours, errors: [] }), { kind: 'unreadable' }],
    'uncertain: key-unexpected',
    'unknown',
    ['compare ours', 'follow-up in 0 min', 'recover-series'],
  ],
  // XML that names our shop and another order: the ledger is older than the service
  [
    '409, the XML is of another order of ours',
    sent(),
    [answered({ kind: 'duplicate', key: ours, errors: [] }), { kind: 'another-order' }],
    'manual: ledger-older',
    'refused',
    ['compare ours', 'note-unknown-document', 'write-back', 'replan-order'],
  ],
  [
    '409, the XML is of this sale with another buyer or total',
    sent(),
    [answered({ kind: 'duplicate', key: ours, errors: [] }), { kind: 'this-sale', alike: [] }],
    'manual: stored-differs',
    'refused',
    ['compare ours', 'write-back', 'replan-order'],
  ],
  // 200 or 400 creado: false | rejected with the service's words; the same number after the fix
  [
    '200 or 400 creado: false',
    sent(),
    [answered({ kind: 'refused', names: words, errors: ['…'] })],
    'rejected: refused',
    'refused',
    ['write-back', 'replan-order'],
  ],
  [
    'creado: false after a lost answer',
    lostBefore(),
    [answered({ kind: 'refused', names: words, errors: ['…'] }, 2)],
    'manual: refused',
    'unknown,refused',
    ['write-back', 'replan-order'],
  ],
  // Day changed → ready with the new date
  [
    'creado: false, the day changed meanwhile',
    sent([attempt(1, { issueDate: '2026-11-19' })]),
    [answered({ kind: 'refused', names: words, errors: ['…'] })],
    'ready',
    'unsent',
    ['submit in 0 min', 'submit in 0 min'],
  ],
  [
    'creado: false for its date, the clocks differ',
    sent(),
    [answered({ kind: 'refused', names: { kind: 'date', clocks: 'differ', midnight: null }, errors: ['…'] })],
    'ready',
    'unsent',
    ['submit in 0 min', 'submit put back', 'pause: clock'],
  ],
  [
    'creado: false for its date, which is today at the service and here: perhaps another request’s answer',
    sent(),
    [answered({ kind: 'refused', names: { kind: 'date', clocks: 'agree', midnight: null }, errors: ['…'] })],
    'ready',
    'unsent',
    ['submit in 1 min', 'submit in 1 min'],
  ],
  [
    'the same for the third time',
    sent([attempt(1, { outcome: 'unsent' }), attempt(2, { outcome: 'unsent' }), attempt(3)]),
    [
      answered(
        { kind: 'refused', names: { kind: 'date', clocks: 'agree', midnight: null }, errors: ['…'] },
        3,
      ),
    ],
    'rejected: refused',
    'unsent,unsent,refused',
    ['write-back', 'replan-order'],
  ],
  // ambiente 2: look at credits and provider data first
  [
    'ambiente 2, creado: false',
    sent(undefined, { ambiente: 2 }),
    [answered({ kind: 'refused', names: words, errors: ['…'] })],
    'sending',
    'open',
    ['ask-balance'],
  ],
  [
    'ambiente 2, creado: false for provider data',
    sent(undefined, { ambiente: 2 }),
    [answered({ kind: 'refused', names: { kind: 'provider-data' }, errors: ['…'] })],
    'ready',
    'unsent',
    ['submit in 0 min', 'submit put back', 'pause: provider-data'],
  ],
  // comprobante.error | outside the body: reprocessed when fixed
  [
    'comprobante.error: signature (39)',
    created(),
    [notified(error('issuer'))],
    'processing: reprocess',
    'error',
    ['reprocess in 15 min'],
  ],
  // … in the body: fix, same number
  [
    'comprobante.error: the body (52)',
    created(),
    [notified(error('document'))],
    'rejected: not-authorised',
    'error',
    ['write-back', 'replan-order'],
  ],
  [
    'comprobante.error: 45, no other key of ours',
    created(),
    [notified(error('number-taken'))],
    'manual: number-registered',
    'error',
    ['recover-series', 'write-back', 'replan-order'],
  ],
  ['comprobante.error: 70', created(), [notified(error('in-process'))], 'processing', 'created', []],
  // 401, provider data, credits | the account is paused and probed, documents stay ready, one alert
  [
    '401',
    sent(),
    [answered({ kind: 'unauthorized', isOlderKey: false })],
    'ready',
    'unsent',
    ['submit in 0 min', 'submit put back', 'pause: api-key'],
  ],
  [
    '401 of an older API key',
    sent(),
    [answered({ kind: 'unauthorized', isOlderKey: true })],
    'ready',
    'unsent',
    ['submit in 0 min', 'submit in 0 min'],
  ],
  [
    '401 after a lost answer',
    lostBefore(),
    [answered({ kind: 'unauthorized', isOlderKey: false }, 2)],
    'uncertain',
    'unknown,unsent',
    ['follow-up in 0 min', 'submit put back', 'pause: api-key'],
  ],
  // 429 | delayed, not counted
  [
    '429',
    sent(),
    [answered({ kind: 'throttled', retryAfter: 5 * minute })],
    'ready',
    'unsent',
    ['submit in 5 min', 'submit in 5 min'],
  ],
  // 500 with key, timeout, broken connection, HTML | outcome unknown: ask by key, or wait for the webhook
  [
    '500 with a key',
    sent(),
    [answered(unknown(ours))],
    'uncertain: answer-lost',
    'unknown',
    ['follow-up in 0 min'],
  ],
  [
    'timeout, broken connection, HTML',
    sent(),
    [answered(unknown(null))],
    'uncertain: answer-lost',
    'unknown',
    ['follow-up in 0 min'],
  ],
  [
    'the third lost answer in a row',
    sent(),
    [answered(unknown(null, 3))],
    'uncertain: answer-lost',
    'unknown',
    ['follow-up in 0 min', 'pause: service'],
  ],
  [
    'the holder died',
    sent(),
    [{ kind: 'resend-due', sending: { as: 'backlog', isPaused: false, foreseenKey: null } }],
    'uncertain: answer-lost',
    'unknown',
    ['follow-up in 0 min'],
  ],
  // midnight meanwhile | without a key after all webhook retries
  [
    'a lost answer of yesterday, without a key',
    sent([attempt(1, { outcome: 'unknown', issueDate: '2026-11-19' })], {
      state: 'uncertain',
      code: 'answer-lost',
    }),
    [{ kind: 'follow-up-due', foreseen: [] }],
    'uncertain: answer-lost',
    'unknown',
    ['follow-up in 85 min'],
  ],
  // a gateway delivers the POST twice, and an event about the first copy comes before the answer to the second
  [
    'a 409 whose key an event told before, in process',
    sent(),
    [
      {
        kind: 'found',
        key: ours,
        serviceState: { state: 'processing' },
        purpose: {
          kind: 'state',
          asker: { kind: 'notified', key: ours, isError: false, tries: 0 },
          n: null,
        },
      },
      answered({ kind: 'duplicate', key: ours, errors: [] }),
    ],
    'processing',
    'adopted',
    ['follow-up in 2 min'],
  ],
  [
    'an earlier key is to be reprocessed while a later one is with the authority',
    sent(
      [
        attempt(1, {
          ...{ outcome: 'error', errors: ['39'], cause: 'issuer', accessKey: 'first' },
          issueDate: '2026-11-19',
        }),
        attempt(2, { outcome: 'reprocessed', reprocessed: 1, accessKey: 'second' }),
      ],
      { state: 'processing', accessKey: 'second' },
    ),
    [{ kind: 'reprocess-due' }],
    'processing',
    'error,reprocessed',
    ['follow-up in 0 min', 'reprocess in 2 min'],
  ],
  // the answer of a process that was given up for dead comes after its key
  [
    'a lost answer to a POST whose key a 409 told meanwhile',
    sent([attempt(1, { outcome: 'adopted', accessKey: ours.accessKey }), attempt(2, { outcome: 'unsent' })], {
      state: 'processing',
      accessKey: ours.accessKey,
    }),
    [answered(unknown(null), 1)],
    'processing',
    'adopted,unsent',
    [],
  ],
  // a number is stored once a day, under a key of that day
  [
    'a 409 after lost answers of two days',
    sent([
      attempt(1, { outcome: 'unknown', issueDate: '2026-11-19' }),
      attempt(2, { outcome: 'unknown' }),
      attempt(3),
    ]),
    [answered({ kind: 'duplicate', key: ours, errors: [] }, 3), { kind: 'unreadable' }],
    'processing',
    'unknown,adopted,unsent',
    [`compare ${ours.accessKey}`, 'follow-up in 2 min'],
  ],
];

it('a retry of a number conflict whose other key nobody knows asks a person instead of nobody', () => {
  const stopped = sent([attempt(1, { outcome: 'refused' })], { state: 'manual', code: 'number-conflict' });
  const { reply } = decide(stopped, { kind: 'retry-asked', newNumber: false }, now);
  expect(reply).toEqual({ kind: 'refused', why: 'may-be-authorized' });
});

const sendDue = {
  kind: 'send-due',
  issuer: 'same',
  sending: { as: 'backlog', isPaused: false, foreseenKey: null },
  prepared: { kind: 'send', total: '33.75', buyerId: '1710034065' },
} as const;

describe('what comes back, and what follows', () => {
  it.each(follows)('%s', (_what, from, events, at, attempts, done) => {
    expect(follow(from, ...events)).toEqual({ at, attempts, done });
  });
});

it('the authority’s decision on the document that was sent alone verifies the series', () => {
  const { document, series, ...rest } = sent([]);
  const sentAlone = { isThis: false, at: now.at, state: 'authorized' } as const;
  const check = { ...series.check, isVerified: false, proof: 'authorized', sentAlone } as const;
  const view = { createdAt: now.at, isLowest: true, sentAlone };
  const permit = permitOf(check, view, now.at);
  expect(permit).toEqual({ kind: 'send' });
  const state = { ...rest, document: { ...document, state: 'ready' }, series: { ...series, check } } as const;
  const { effects, request } = decide(state, { ...sendDue, permit }, now);
  expect(effects.map(({ kind }) => kind)).toEqual(['series-verified', 'move', 'start-attempt']);
  expect(request).toEqual({ kind: 'post', n: 1 });
});
