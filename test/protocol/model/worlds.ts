import { timings } from '../../../src/protocol/state.ts';
import { type Bounds, bounds, type Fault, type Keys } from './world.ts';

/*
 * What is explored, to its end, by `npm test`; PROTOCOL_BOUNDS=long goes further, PROTOCOL_TIMINGS=real waits as the product
 * does.
 */

const lost: readonly Fault[] = ['cut', 'lose', 'status-500', 'throttle'];

/**
 * The authority decides on the document that was sent alone before the others stop waiting for it: after that time numbers
 * are sent side by side, and a lost factura may be issued twice.
 */
const restored: Partial<Bounds> = { faults: 1, crashes: 1, attempts: 2, isVerified: false, isPrompt: true };

/** Each world has what goes wrong in one corner of the table; every one has crashes, webhooks late and in any order. */
const corners: Readonly<Record<string, Partial<Bounds>>> = {
  'answers are lost': { faults: 1, crashes: 1, may: lost },
  'answers are lost twice': { faults: 2, crashes: 0, may: [...lost, 'lose-webhook'] },
  'midnight passes': {
    faults: 1,
    crashes: 0,
    midnights: 1,
    may: [...lost, 'error-issuer', 'error-date'],
    persons: 1,
  },
  'answers are mixed up, denied or silent': {
    faults: 2,
    crashes: 0,
    may: ['mix', 'stale', 'deny', 'silent', 'unreadable', 'lose'],
    attempts: 2,
  },
  'somebody else uses the number': {
    faults: 2,
    crashes: 0,
    may: ['not-ours', 'lose', 'wrong-key', 'double-webhook'],
    persons: 1,
    attempts: 2,
  },
  'a 409 proves nothing': {
    faults: 2,
    crashes: 0,
    may: ['keyless', 'twice', 'unreadable', 'lose-webhook', 'not-ours'],
    persons: 1,
  },
  'each answer is a 409 without a key': { faults: 3, crashes: 0, may: ['keyless'], persons: 1 },
  'the ledger may be older': {
    ...{ faults: 2, crashes: 0, isVerified: false },
    may: ['keyless', 'twice', 'deny', 'not-ours'],
  },
  'the ledger was restored, and lost a factura of today': {
    ...{ ...restored, lost: 'today' },
    may: ['cut', 'lose', 'silent', 'unreadable', 'lose-webhook'],
  },
  'the ledger was restored, and lost a factura of yesterday': {
    ...{ ...restored, lost: 'yesterday' },
    may: ['cut', 'lose', 'silent', 'keyless', 'throttle'],
  },
  'the ledger was restored with a document that is still to be sent': {
    ...{ ...restored, lost: 'yesterday', hasEarlier: true, crashes: 0 },
    may: ['lose', 'silent'],
  },
  'persons are busy after a restore': {
    ...{ ...restored, crashes: 0, lost: 'today', persons: 1, isBusy: true },
    may: ['not-ours', 'silent'],
  },
  'the service forgets': { faults: 2, crashes: 0, may: ['forget', 'lose', 'deny'], persons: 1, attempts: 2 },
  'the authority refuses': {
    faults: 1,
    crashes: 1,
    may: ['error-document', 'error-issuer', 'error-in-process', 'error-date', 'error-authority'],
    persons: 1,
    attempts: 2,
  },
  'the account is at fault': {
    faults: 1,
    crashes: 1,
    may: ['unauthorized', 'credits', 'refuse', 'unreachable', 'throttle'],
    persons: 1,
    attempts: 2,
  },
  'the account is at fault twice': {
    faults: 2,
    crashes: 0,
    may: ['unreachable', 'cut', 'refuse', 'credits', 'provider-data', 'older-key', 'date'],
    attempts: 3,
  },
  'the test ambiente': {
    ambiente: 1,
    faults: 2,
    crashes: 0,
    may: ['refuse', 'lose', 'provider-data', 'date'],
    attempts: 2,
  },
  'the service alters a document': {
    ...{ faults: 3, crashes: 0, persons: 2, isBusy: true, attempts: 2 },
    may: ['altered', 'lose', 'unreadable'],
  },
  'reprocessing fails': {
    faults: 2,
    crashes: 0,
    may: ['error-issuer', 'credits', 'throttle', 'unauthorized', 'older-key', 'reprocess-refused'],
    attempts: 2,
  },
  'questions are refused': {
    faults: 2,
    crashes: 0,
    may: ['lose', 'status-500', 'unauthorized', 'older-key'],
    attempts: 2,
  },
  'the document may not be sent': {
    faults: 2,
    crashes: 0,
    may: ['other-issuer', 'trial', 'unmapped'],
    attempts: 1,
  },
  'persons are busy': {
    ...{ faults: 2, crashes: 0, persons: 2, isBusy: true },
    may: ['lose', 'error-issuer', 'refuse', 'not-ours', 'rotate', 'unauthorized', 'wrong-word', 'unmapped'],
    attempts: 2,
  },
  'the order is refunded in full': {
    faults: 3,
    crashes: 0,
    cancels: 1,
    may: ['status-500', 'deny', 'silent', 'lose-webhook'],
    attempts: 2,
  },
  'a sending is lost after one was refused': {
    ...{ faults: 2, crashes: 0, persons: 1, attempts: 2 },
    may: ['error-document', 'cut', 'stale', 'deny'],
  },
  'a refund follows': { faults: 1, crashes: 0, refunds: 1, edits: 1, may: ['lose', 'refuse'], attempts: 2 },
  'the API key is replaced': { faults: 2, crashes: 0, may: ['rotate', 'lose', 'older'], attempts: 2 },
};

/** Further, for a machine that has an hour. */
const further = ({ faults, crashes, attempts, persons }: Bounds): Partial<Bounds> => ({
  faults: faults + 1,
  crashes: crashes + 1,
  attempts: attempts + 1,
  persons: Math.max(persons, 1),
});

export const isLong = process.env.PROTOCOL_BOUNDS === 'long';
export const isAsInProduction = process.env.PROTOCOL_TIMINGS === 'real';
const waits = isAsInProduction ? { timings } : {};

/** Where each POST has a key of its own there is more to tell apart: nearer bounds, unless there is time. */
function briefly(keys: Keys, { faults, crashes, persons }: Bounds): Partial<Bounds> {
  if (keys === 'fixed') return {};
  if (keys === 'foreseen') return { crashes: 0 };
  const dies = keys === 'varied' || persons > 0 ? 0 : crashes;
  return { attempts: 2, persons: 0, edits: 0, faults: Math.min(faults, 1), crashes: dies };
}

export const worldsOf = (keys: Keys): [name: string, world: Bounds][] =>
  Object.entries(corners).map(([name, corner]) => {
    const world = { ...bounds, ...corner, ...waits, keys };
    return [name, { ...world, ...(isLong ? further(world) : briefly(keys, world)) }];
  });
