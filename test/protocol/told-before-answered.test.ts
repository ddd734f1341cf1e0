import { expect, it } from 'vitest';
import { decide } from '../../src/protocol/decide.ts';
import type { Event, NamedKey } from '../../src/protocol/events.ts';
import type { State } from '../../src/protocol/state.ts';

const now = { at: 6_000_000, day: '2026-11-20' };
const key: NamedKey = { accessKey: 'ours', isOfThis: true, issueDate: now.day };
const sending: State = {
  document: {
    ...{ ambiente: 1, state: 'sending', version: 3, code: null, secuencial: '000000001', accessKey: null },
    ...{ issueDate: now.day, total: '33.75', createdAt: now.at, isShadow: false },
  },
  attempts: [
    {
      ...{ n: 1, issueDate: now.day, total: '33.75', buyerId: '1710034065', foreseenKey: null },
      ...{ accessKey: null, serviceId: null, outcome: 'open', reprocessed: 0, errors: [], cause: null },
      createdAt: now.at,
    },
  ],
  learnt: { notFound: [], newsAt: now.at, knownUnsent: false, wasUncertain: false, otherKeys: [] },
  series: { stopped: null, isVerified: true, isForOurs: false, hasOtherConflicts: false },
  account: { isPaused: false },
};

/** A gateway delivers the POST twice, and an event about the first copy comes before the answer to the second. */
it('is followed up where the service shows as in process what a 409 names, told before', () => {
  const asker = { kind: 'notified', key, isError: false, tries: 0 } as const;
  const because = { step: 'state', asker, n: null } as const;
  const found: Event = { kind: 'found', key, standing: { state: 'processing' }, because };
  const told = decide(sending, found, now);
  const duplicate: Event = { kind: 'answered', n: 1, answer: { kind: 'duplicate', key, errors: [] } };
  const { state, effects } = decide(told.state, duplicate, now);
  expect(state.document).toMatchObject({ state: 'processing', accessKey: 'ours' });
  expect(effects).toContainEqual(expect.objectContaining({ kind: 'wait', job: 'follow-up' }));
});
