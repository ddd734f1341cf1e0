import { type Rules, rules } from '../../src/protocol/rules.ts';
import { type Bounds, bounds, shortTimings } from './model/world.ts';

/*
 * Each guard of src/protocol/rules.ts, switched off: what it answers then, and a world, as small as possible, in which the
 * model finds what becomes of a sale without it. In the same world nothing breaks while the guard stands.
 */

const yes = () => true;
const no = () => false;

interface Mutation<Name extends keyof Rules> {
  off: Rules[Name];
  world: Partial<Bounds>;
  breaks: string;
}

const sparing = 'a document needs a person more often than something is wrong with it';
const noEnd = 'from here no true end can be reached, though nothing goes wrong any more';
const strange = 'a document is called authorised that the authority has not authorised';
const stands = 'a series is stopped though nobody else used its number';
const idle = 'a document is processing without job, alert or person';

const twoFacturas = 'a sale has two authorised facturas';

const alone: Partial<Bounds> = { crashes: 0, attempts: 3 };
const restored: Partial<Bounds> = {
  ...{ crashes: 0, faults: 0, attempts: 1, isVerified: false, lost: 'yesterday', isPrompt: true },
};

export const mutations: { readonly [Name in keyof Rules]: Mutation<Name> } = {
  outcomeUnknown: {
    off: no,
    world: { ...alone, faults: 1, may: ['lose'] },
    breaks: 'a document is uncertain without job, alert or person',
  },
  leftNothing: { off: no, world: { ...alone, faults: 3, may: ['status-500', 'deny'] }, breaks: idle },
  keyIsOfThis: {
    off: yes,
    world: { ...alone, faults: 2, may: ['mix', 'lose-webhook'], isSparing: true },
    breaks: sparing,
  },
  keyIsExpected: {
    off: yes,
    world: { ...alone, faults: 2, may: ['lose', 'stale'], midnights: 1, attempts: 2 },
    breaks: 'a document is reported with another date than was authorised',
  },
  isSettled: { off: no, world: { ...alone, faults: 1, may: ['error-issuer'] }, breaks: idle },
  isAuthorized: {
    off: no,
    world: { ...alone, faults: 1, may: ['lose'] },
    breaks: 'a document is authorised without an attempt',
  },
  earlierIsUnknown: {
    off: no,
    world: { ...alone, faults: 3, may: ['lose', 'throttle', 'lose-webhook'], cancels: 1 },
    breaks: noEnd,
  },
  dayIsOver: { off: no, world: { ...alone, faults: 0, midnights: 1, isSparing: true }, breaks: sparing },
  mayLackCredits: {
    off: no,
    world: { ...alone, faults: 1, may: ['credits'], isSparing: true },
    breaks: sparing,
  },
  isKeptBack: {
    off: no,
    world: { faults: 1, may: ['unauthorized'], crashes: 1 },
    breaks: 'a POST is made while its account is paused',
  },
  isDown: {
    off: no,
    world: { ...alone, faults: 2, may: ['unreachable'] },
    breaks: 'the service is down and its account goes on',
  },
  isBehind: {
    off: no,
    world: { ...alone, faults: 1, may: ['older'] },
    breaks: 'a number is sent while its series waits for what the ledger lost',
  },
  isVerified: {
    off: yes,
    world: { ...restored, keys: 'fixed' },
    breaks: twoFacturas,
  },
  isAsked: {
    off: yes,
    world: { ...restored, keys: 'foreseen', isSparing: true },
    breaks: sparing,
  },
  goesFirst: { off: yes, world: { ...restored, keys: 'fixed' }, breaks: twoFacturas },
  isUndecided: { off: no, world: { ...restored, keys: 'fixed' }, breaks: twoFacturas },
  isNew: {
    off: yes,
    world: { ...restored, keys: 'fixed', hasEarlier: true },
    breaks: twoFacturas,
  },
  isProof: {
    off: ({ sentAlone }) => sentAlone?.isThis === true,
    world: { ...restored, keys: 'fixed' },
    breaks: twoFacturas,
  },
  isKnown: {
    off: no,
    world: { ...alone, faults: 2, may: ['lose', 'error-in-process'], attempts: 2, isStrict: true },
    breaks: 'a number is sent though the key of its document is known',
  },
  hadItsTime: {
    off: yes,
    world: { ...alone, keys: 'random', faults: 1, may: ['lose'], isPrompt: true, isSparing: true },
    breaks: sparing,
  },
  isUnderOtherKey: {
    off: no,
    world: { ...alone, faults: 1, may: ['rotate'], isSparing: true },
    breaks: sparing,
  },
  isBelieved: {
    off: yes,
    world: { ...alone, faults: 3, may: ['status-500', 'deny', 'lose-webhook'], cancels: 1 },
    breaks: noEnd,
  },
  isDenied: { off: no, world: { ...alone, faults: 1, may: ['forget'] }, breaks: noEnd },
  isReadable: { off: yes, world: { ...alone, faults: 1, may: ['keyless', 'twice'] }, breaks: stands },
  isOfEarlier: {
    off: no,
    world: {
      ...alone,
      keys: 'foreseen',
      faults: 2,
      may: ['error-document', 'cut'],
      persons: 1,
      isSparing: true,
    },
    breaks: sparing,
  },
  wasAnswered: { off: yes, world: { ...alone, faults: 2, may: ['not-ours', 'cut'] }, breaks: strange },
  isAlike: { off: yes, world: { ...alone, faults: 2, may: ['not-ours', 'cut'] }, breaks: strange },
  speaksForItself: { off: yes, world: { ...alone, faults: 1, may: ['not-ours'] }, breaks: strange },
  isKnownError: {
    off: no,
    world: {
      ...alone,
      keys: 'random',
      faults: 2,
      may: ['error-document', 'cut'],
      persons: 1,
      attempts: 2,
      countsQuestions: true,
    },
    breaks: 'the service is asked again and again while nothing happens',
  },
  isStillAtIt: {
    off: no,
    world: { ...alone, faults: 1, may: ['error-in-process'] },
    breaks: 'a key is reprocessed while the authority is still at it',
  },
  mayComeTrue: {
    off: no,
    world: { ...alone, faults: 2, may: ['lose', 'error-document'], midnights: 1, attempts: 2 },
    breaks: 'a document is called rejected though one of it is at the authority',
  },
  hasNumber: {
    off: no,
    world: {
      ...alone,
      faults: 2,
      may: ['error-issuer', 'resolved-elsewhere'],
      midnights: 1,
      isSparing: true,
      attempts: 2,
      timings: { ...shortTimings, reprocess: [3, 3] },
    },
    breaks: sparing,
  },
  isThere: {
    off: no,
    world: { ...alone, keys: 'random', faults: 1, may: ['not-ours'], persons: 1, isStrict: true },
    breaks: 'a number is sent again that the authority has already',
  },
  mayPass: {
    off: yes,
    world: { ...alone, faults: 1, may: ['error-document'] },
    breaks: 'a document waits for what only a person can fix',
  },
  isInBody: {
    off: no,
    world: { ...alone, faults: 1, may: ['error-document'], persons: 1 },
    breaks: 'a document waits for what only a person can fix',
  },
  isKnownConflict: {
    off: no,
    world: { ...alone, faults: 4, may: ['cut', 'not-ours', 'deny'], persons: 1, attempts: 2, isStrict: true },
    breaks: 'a series stops again that a person has corrected',
  },
  mayExist: {
    off: no,
    world: { ...alone, keys: 'random', faults: 1, may: ['lose'], persons: 1, isStrict: true },
    breaks: 'a number is sent again that the authority has already',
  },
  preventsNewNumber: {
    off: no,
    world: {
      ...alone,
      faults: 3,
      may: ['error-number-taken', 'resolved-elsewhere', 'wrong-word'],
      attempts: 2,
    },
    breaks: 'a sale has two authorised facturas',
  },
  isOvertaken: {
    off: no,
    world: { ...alone, faults: 1, may: ['not-ours'], persons: 2 },
    breaks: 'moves from cancelled to cancelled',
  },
  maySend: { off: yes, world: { ...alone, faults: 2, may: ['not-ours', 'wrong-key'] }, breaks: idle },
  mayResume: { off: no, world: { ...alone, faults: 1, may: ['twice'], isVerified: false }, breaks: noEnd },
};

/** The world of a mutation, with the guard or without it. */
export const worldOf = (name: keyof Rules, how: 'with' | 'without'): Bounds => {
  const { off, world } = mutations[name];
  return { ...bounds, ...world, rules: how === 'with' ? rules : { ...rules, [name]: off } };
};
