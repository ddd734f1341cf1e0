import { expect, it } from 'vitest';
import { decide } from '../../src/protocol/decide.ts';
import type { Event } from '../../src/protocol/events.ts';
import type { SentAttempt, State } from '../../src/protocol/state.ts';

const now = { at: 6_000_000, day: '2026-11-21' };
const attempt = (n: number, more: Partial<SentAttempt> = {}): SentAttempt => ({
  ...{ n, issueDate: now.day, total: '33.75', buyerId: '1710034065', foreseenKey: null, accessKey: null },
  ...{ serviceId: null, outcome: 'open', reprocessed: 0, errors: [], cause: null, createdAt: now.at },
  ...more,
});
const state = (attempts: SentAttempt[], more: Partial<State['document']> = {}): State => ({
  document: {
    ...{ ambiente: 1, state: 'sending', version: 3, code: null, secuencial: '000000001', accessKey: null },
    ...{ issueDate: now.day, total: '33.75', createdAt: now.at, isShadow: false, ...more },
  },
  attempts,
  learnt: { notFound: [], newsAt: now.at, knownUnsent: false, wasUncertain: false, otherKeys: [] },
  series: { stopped: null, isVerified: true, isForOurs: false, hasOtherConflicts: false },
  account: { isPaused: false },
});

it('hands no key of an earlier sending over while that of a later one is with the authority', () => {
  const error = { outcome: 'error', errors: ['39'], cause: 'issuer' } as const;
  const doc = state(
    [
      attempt(1, { ...error, accessKey: 'first', issueDate: '2026-11-20' }),
      attempt(2, { outcome: 'reprocessed', reprocessed: 1, accessKey: 'second' }),
    ],
    { state: 'processing', accessKey: 'second' },
  );
  const event: Event = { kind: 'due', job: 'reprocess' };
  expect(decide(doc, event, now).effects).toMatchObject([{ kind: 'wait', job: 'follow-up' }]);
});
