import type { AttemptOutcome, DocumentState, ErrorCause } from '../../../src/domain/document.ts';
import { nothingLearnt } from '../../../src/protocol/deciding.ts';
import type { Request } from '../../../src/protocol/effects.ts';
import type { Answer, Job, NamedKey, Outcome } from '../../../src/protocol/events.ts';
import { type Rules, rules } from '../../../src/protocol/rules.ts';
import type { SeriesCheck, State, Timings } from '../../../src/protocol/state.ts';

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
  /** Another API key than the newest is refused. */
  | 'older-key'
  /** The service refuses the date: its clock is wrong, it is midnight there, or nothing explains it. */
  | 'date'
  | 'provider-data'
  /** The store issues with another RUC, or with another ambiente than the trials of the number. */
  | 'other-issuer'
  | 'trial'
  /** The order changed when it is mapped: nothing is to be sent, or a person or the order has to change first. */
  | 'unmapped'
  | 'reprocess-refused'
  /** The service stores another buyer or total than was sent. */
  | 'altered'
  | `error-${ErrorCause}`;

/** What is explored, and how far. */
export interface Bounds {
  keys: Keys;
  ambiente: 1 | 2;
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
  /** Webhooks and answers come before time passes. */
  isPrompt: boolean;
  /** The process has checked that the ledger knows every number of the series: then none is suspect. */
  isVerified: boolean;
  /** The ledger was restored from a copy, and lost the factura of this sale: the service authorised it on that day. */
  lost: 'today' | 'yesterday' | null;
  /** The copy has a document that is ready: its number is lower than the lost one. */
  hasEarlier: boolean;
  /** No document needs a person more often than something was wrong with it. */
  isSparing: boolean;
  /** Persons do everything they can in every state, needless or not. */
  isBusy: boolean;
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
  series: { pause: 1, outcome: 9 },
};

export const bounds: Bounds = {
  keys: 'fixed',
  ambiente: 2,
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
  lost: null,
  hasEarlier: false,
  isSparing: false,
  isBusy: false,
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

/** The sale that is watched, and one of another order that takes its number after a restore. */
export type Sale = 'this' | 'other' | 'earlier';

export interface Line {
  kind: Kind;
  sale: Sale;
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
  movedAt: number;
}

export type Status = 'processing' | 'authorized' | ErrorCause;

/** A document as the service keeps it. */
export interface Kept {
  key: string;
  kind: Kind;
  sale: Sale;
  number: number;
  day: number;
  /** What it says: buyer and total; `foreign` is of somebody else. */
  content: string;
  status: Status;
  /** Issued under an API key that left the config. */
  isHidden?: true;
  /** The ledger does not know it. */
  isLost?: true;
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
  issuer: 'same' | 'other' | 'trial';
  mapped: 'send' | 'nothing' | 'held' | 'refunded' | 'manual';
  /** Numbers at which the series of each kind stopped; 0 where it flows. */
  stopped: Readonly<Record<Kind, number>>;
  stoppedWhy: 'number-conflict' | 'suspect';
  check: Check;
  /** As the ledger has it: the line that was sent while no other was; -1 where none was. */
  sentAlone: number;
  /** The job that looks for what the ledger lost is due. */
  isRecovering: boolean;
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

/** What the process has checked of the series of facturas. */
export interface Check extends Pick<SeriesCheck, 'isAsked' | 'isVerified' | 'proof' | 'since' | 'startedAt'> {
  /** The last line with a new number that was sent alone; -1 where none was. */
  sentAlone: number;
  sentAt: number;
}

export const unchecked = ({ isVerified }: Bounds, at: number): Check => ({
  isAsked: isVerified,
  isVerified,
  proof: 'authorized',
  since: at,
  startedAt: at,
  sentAlone: -1,
  sentAt: 0,
});

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
const verified = {
  isAsked: true,
  isVerified: true,
  proof: 'created',
  since: 0,
  startedAt: 0,
  sentAlone: null,
} as const;
const series = { stopped: null, isForOurs: false, hasOtherConflicts: false, check: verified };

/** A document that took its number a moment ago. */
export function ready(kind: Kind, number: number, at: number, sale: Sale = 'this'): Line {
  const secuencial = String(number);
  return {
    kind,
    sale,
    number,
    state: {
      document: {
        ...{ ambiente: 2, state: 'ready', version: 0, code: null, secuencial, accessKey: null },
        ...{ issueDate: null, total: null, createdAt: at },
      },
      attempts: [],
      learnt: nothingLearnt(at),
      series,
    },
    jobs: { submit: { ...idle, due: at }, 'follow-up': idle, reprocess: idle },
    notices: [],
    tasks: [],
    isShown: false,
    isReportedDropped: false,
    asked: 0,
    movedAt: at,
  };
}

export const begin = (bounds: Bounds): World => ({
  // After a restore the sale takes the next number, if another order takes its own.
  lines: bounds.lost === null ? [ready('factura', 1, 0)] : afterRestore(bounds),
  kept: bounds.lost === null ? [] : [lostFactura(bounds)],
  webhooks: [],
  wire: null,
  at: 0,
  day: bounds.lost === 'yesterday' ? 1 : 0,
  edited: 0,
  isRefunded: false,
  isWoken: false,
  issuer: 'same',
  mapped: 'send',
  stopped: { factura: 0, nota: 0 },
  stoppedWhy: 'number-conflict',
  check: unchecked(bounds, 0),
  sentAlone: -1,
  isRecovering: false,
  isPaused: false,
  isOlder: false,
  failures: 0,
  wrongs: 0,
  isCorrected: false,
  isCancelled: false,
  questions: 0,
  left: {
    faults: bounds.faults,
    crashes: bounds.crashes,
    midnights: bounds.midnights,
    persons: bounds.persons,
    edits: bounds.edits,
    refunds: bounds.refunds,
    cancels: bounds.cancels,
  },
});

function afterRestore({ hasEarlier }: Bounds): Line[] {
  const number = hasEarlier ? 2 : 1;
  const first = ready('factura', 1, 0, 'earlier');
  const document = { ...first.state.document, createdAt: -1 };
  const earlier = hasEarlier ? [{ ...first, state: { ...first.state, document } }] : [];
  return [...earlier, ready('factura', number, 0, 'other'), ready('factura', number + 1, 0)];
}

function lostFactura({ keys, hasEarlier }: Bounds): Kept {
  const number = hasEarlier ? 2 : 1;
  const key = keyOf('factura', number, 0, keys === 'random' || keys === 'varied' ? 'r' : '');
  const sale = { kind: 'factura', sale: 'this', number, day: 0, content: 'paid' } as const;
  return { key, ...sale, status: 'authorized', isLost: true };
}

/** Whether the service keeps it for this line: its number, of its sale. */
export const isOf = (line: Pick<Line, 'kind' | 'number' | 'sale'>, kept: Kept): boolean =>
  kept.kind === line.kind && kept.number === line.number && kept.sale === line.sale;

/** What a factura would say now. */
export const contentOf = ({ edited, isRefunded }: World, { kind }: Line): string =>
  kind === 'nota' ? 'credit' : `${edited ? 'edited' : 'paid'}${isRefunded ? ' less refund' : ''}`;

export const isOurs = ({ content }: Kept): boolean => content !== 'not-ours';
export const underWay = new Set<DocumentState>(['ready', 'sending', 'processing', 'uncertain']);
export const unknownOutcomes = new Set<AttemptOutcome>(['open', 'unknown']);
