import type { AttemptOutcome, DocumentState, ErrorCause } from '../../../src/domain/document.ts';
import type { Request } from '../../../src/protocol/effects.ts';
import type { Answer, Job, NamedKey, Outcome } from '../../../src/protocol/events.ts';
import { type Rules, rules } from '../../../src/protocol/rules.ts';
import type { State, Timings } from '../../../src/protocol/state.ts';

/*
 * One order and everything around it, as small as it can be: its documents with their jobs, the service and the authority,
 * the webhooks on their way, the shop, the persons. Immutable; an action makes the next one.
 */

/** How the service makes access keys, and whether the ledger foresees them. */
export type Keys =
  /** The same number on the same day has the same key: a second POST of it is a 409. */
  | 'fixed'
  /** The same, and the ledger has learnt the digits. */
  | 'foreseen'
  /** Each POST has a key of its own: the authority refuses the second one (45). */
  | 'random'
  /** The ledger has learnt digits that became random since. */
  | 'varied';

/** What may go wrong; each time costs one of `faults`. */
export type Fault =
  | 'cut'
  | 'lose'
  | 'mix'
  | 'status-500'
  | 'refuse'
  | 'unauthorized'
  | 'credits'
  | 'throttle'
  | 'deny'
  | 'silent'
  | 'unreadable'
  | 'not-ours'
  | 'lose-webhook'
  | 'double-webhook'
  | 'resolved-elsewhere'
  | 'wrong-key'
  /** A person answers for a new number though the service shows ours under a key we know. */
  | 'wrong-word'
  /** A cache answers with the key of an earlier sending of the same number. */
  | 'stale'
  /** 409 without a key, whether the POST was stored or not: a gateway's own. */
  | 'keyless'
  /** A gateway delivers the POST twice and hands on the answer to the second copy. */
  | 'twice'
  /** The service was restored: what it accepted, and the authority has not, is gone. */
  | 'forget'
  /** Nobody at the service's address. */
  | 'unreachable'
  /** The API key leaves the config: what was issued under it is not shown to the next one. */
  | 'rotate'
  /** The ledger proves older than the service: the series waits for what it lost. */
  | 'older'
  | `error-${ErrorCause}`;

/** What is explored, and how far. */
export interface Bounds {
  keys: Keys;
  faults: number;
  may: readonly Fault[];
  /** Processes that die, or lose their lease while they go on. */
  crashes: number;
  midnights: number;
  /** POSTs of one document. */
  attempts: number;
  edits: number;
  refunds: 0 | 1;
  /** What persons do, beside giving the right key. */
  persons: number;
  timings: Timings;
  rules: Rules;
  /** Orders that are refunded in full. */
  cancels: 0 | 1;
  /** Webhooks come before time passes. */
  isPrompt: boolean;
  /** The process has checked that the ledger knows every number of the series: then none is suspect. */
  isVerified: boolean;
  /** No document needs a person more often than something was wrong with it. */
  isSparing: boolean;
  /** What is only needless must not happen either. */
  isStrict: boolean;
  /** Questions are counted while nothing else happens. */
  countsQuestions: boolean;
}

/** Minutes, few of them, in the order of the real ones. */
export const shortTimings: Timings = {
  followUp: [2, 4],
  repeatAcrossMidnight: 7,
  notFound: { answers: 2, apart: 1, over: 3 },
  unconfirmed: 14,
  reprocess: [3],
  inProcess: 12,
  dateRetries: [1],
  unreachable: 1,
  probes: [1],
  serviceDownAfter: 2,
  notifiedTries: 1,
};

export const bounds: Bounds = {
  keys: 'fixed',
  faults: 1,
  may: [],
  crashes: 1,
  midnights: 0,
  attempts: 3,
  edits: 0,
  refunds: 0,
  cancels: 0,
  persons: 0,
  isPrompt: false,
  isVerified: true,
  isSparing: false,
  isStrict: false,
  countsQuestions: false,
  timings: shortTimings,
  rules,
};

/** When a job is due; it is not there, or waits for the account. */
export const none = -1;
export const parked = -2;

export interface Slot {
  due: number;
  /** A holder has it. */
  isHeld: boolean;
  /** Request for while it ran; `none` where it was not. */
  again: number;
}

/** An event of the service, acknowledged: a job of its own. */
export interface Notice {
  key: string;
  said: Outcome;
  tries: number;
}

/** A process that waits for an answer. It dies with a crash; what is not in the ledger is gone. */
export interface Task {
  job: Job | 'settle' | 'person';
  notice: Notice | null;
  question: Request;
  /** The service has taken the POST, and this is on its way back. */
  answer: Answer | null;
  /** Its lease went to another process; it goes on all the same. */
  isLate: boolean;
}

export type Kind = 'factura' | 'nota';

export interface Line {
  kind: Kind;
  number: number;
  state: State;
  jobs: Readonly<Record<Job, Slot>>;
  notices: readonly Notice[];
  tasks: readonly Task[];
  /** Its state stands on the order. */
  isShown: boolean;
  /** A person was told that it was authorised after it was dropped. */
  isReportedDropped: boolean;
  /** How often it began to need a person. */
  asked: number;
}

export type Status = 'processing' | 'authorized' | ErrorCause;

/** A document as the service keeps it. */
export interface Kept {
  key: string;
  kind: Kind;
  number: number;
  day: number;
  /** What it says: buyer and total; `foreign` is of somebody else. */
  content: string;
  status: Status;
  /** Issued under an API key that left the config. */
  isHidden?: true;
}

/** A webhook on its way. */
export interface Webhook {
  key: string;
  said: Outcome;
}

export interface World {
  lines: readonly Line[];
  kept: readonly Kept[];
  webhooks: readonly Webhook[];
  /** A request whose process died, and that may still arrive. */
  wire: Kept | null;
  at: number;
  day: number;
  /** The order as the shop has it. */
  edited: number;
  isRefunded: boolean;
  /** The order is to be planned anew. */
  isWoken: boolean;
  /** Numbers at which the series of each kind stopped; 0 where it flows. */
  stopped: Readonly<Record<Kind, number>>;
  isPaused: boolean;
  /** Of the series: it waits for what the ledger lost. */
  isOlder: boolean;
  /** Failures of the service in a row. */
  failures: number;
  /** How often something was wrong that only a person can put right. */
  wrongs: number;
  /** A person named a free number after a conflict. */
  isCorrected: boolean;
  /** The order was refunded in full. */
  isCancelled: boolean;
  /** Request since anything else happened, where it is counted. */
  questions: number;
  left: {
    faults: number;
    crashes: number;
    midnights: number;
    persons: number;
    edits: number;
    refunds: number;
    cancels: number;
  };
}

export const dayName = (day: number): string => `d${day}`;

/** "f1d0": kind, number and day; random digits behind. */
export const keyOf = (kind: Kind, number: number, day: number, digits = ''): string =>
  `${kind[0]}${number}d${day}${digits}`;

const named = new Map<string, NamedKey>();

/** What the digits of a key say to this document. */
export function readKey(accessKey: string, { kind, number }: Pick<Line, 'kind' | 'number'>): NamedKey {
  const place = `${accessKey} ${kind} ${number}`;
  const known = named.get(place);
  if (known) return known;
  const isOfThis = accessKey.startsWith(`${kind[0]}${number}d`);
  const issueDate = accessKey.slice(accessKey.indexOf('d'), accessKey.indexOf('d') + 2);
  const key = { accessKey, isOfThis, issueDate };
  named.set(place, key);
  return key;
}

const idle: Slot = { due: none, isHeld: false, again: none };
const open = {
  series: { stopped: null, isVerified: true, isForOurs: false, hasOtherConflicts: false },
  account: { isPaused: false },
};

/** A document that took its number a moment ago. */
export function ready(kind: Kind, number: number, at: number): Line {
  const secuencial = String(number);
  return {
    kind,
    number,
    state: {
      document: {
        ...{ ambiente: 2, state: 'ready', version: 0, code: null, secuencial, accessKey: null },
        ...{ issueDate: null, total: null, createdAt: at },
      },
      attempts: [],
      learnt: { notFound: [], newsAt: at, knownUnsent: false, wasUncertain: false, otherKeys: [] },
      ...open,
    },
    jobs: { submit: { ...idle, due: at }, 'follow-up': idle, reprocess: idle },
    notices: [],
    tasks: [],
    isShown: false,
    isReportedDropped: false,
    asked: 0,
  };
}

export const begin = ({ faults, crashes, midnights, persons, edits, refunds, cancels }: Bounds): World => ({
  lines: [ready('factura', 1, 0)],
  kept: [],
  webhooks: [],
  wire: null,
  at: 0,
  day: 0,
  edited: 0,
  isRefunded: false,
  isWoken: false,
  stopped: { factura: 0, nota: 0 },
  isPaused: false,
  isOlder: false,
  failures: 0,
  wrongs: 0,
  isCorrected: false,
  isCancelled: false,
  questions: 0,
  left: { faults, crashes, midnights, persons, edits, refunds, cancels },
});

/** What a factura would say now. */
export const contentOf = ({ edited, isRefunded }: World, { kind }: Line): string =>
  kind === 'nota' ? 'credit' : `${edited ? 'edited' : 'paid'}${isRefunded ? ' less refund' : ''}`;

export const isOurs = ({ content }: Kept): boolean => content !== 'not-ours';
export const underWay = new Set<DocumentState>(['ready', 'sending', 'processing', 'uncertain']);
export const unknownOutcomes = new Set<AttemptOutcome>(['open', 'unknown']);
