import { type Day, dayMs, startOfEcuadorDay } from '../../domain/clock.ts';
import type { Document, DocumentKind, DocumentState } from '../../domain/document.ts';
import { type Amount, sum, toAmount } from '../../domain/money.ts';
import type { TaxRow } from '../tax-rows.ts';

export interface Tally {
  count: number;
  total: Amount;
}

export const addTallies = (tallies: readonly Tally[]): Tally => ({
  count: tallies.reduce((all, { count }) => all + count, 0),
  total: toAmount(sum(tallies.map(({ total }) => total))),
});

export interface Reasoned extends Tally {
  /** The planner's or the document's code: "free", "final-consumer" … */
  code: string;
}

/** `sold` is the sum of the others, in USD as charged or refunded; an order in another currency counts as 0. */
export interface Fates {
  sold: Tally;
  issued: Tally;
  issuedOtherDay: Tally;
  underWay: Tally;
  waiting: Reasoned[];
  /** Refunds deducted from a factura before it was sent; none for sales. */
  netted: Tally;
  unneeded: Reasoned[];
  missing: Tally;
}

/** Authorised documents with the day's date, by ledger or service. */
export interface Seen extends Tally {
  taxes: TaxRow[];
}

export interface Issued {
  kind: DocumentKind;
  states: Partial<Record<DocumentState, number>>;
  ours: Seen;
  service: Seen;
  shop: Tally;
  ofOtherDays: Tally;
}

/** The sentence is Spanish and names no buyer. */
export interface Difference {
  code: DifferenceCode;
  sentence: string;
  store: string | null;
  order: string | null;
  number: string | null;
}

export type DifferenceCode =
  | 'sale-without-document'
  | 'document-without-sale'
  | 'unpaid-after-invoice'
  | 'refund-missing'
  | 'document-differs'
  | 'document-removed'
  | 'state-differs'
  | 'document-annulled'
  | 'document-unknown'
  | 'authorized-twice'
  | 'document-of-other-sale'
  | 'key-not-on-order'
  | 'sale-passed-over'
  | 'number-gap'
  | 'credits-differ'
  | 'rounding-difference';

/** Of the same issuer outside our series: issued by hand or by another program. */
export interface Foreign {
  accessKey: string;
  number: string;
  codDoc: string;
  total: Amount | null;
}

/** Also a shop without API access, or a document that is not confirmed: the close cannot be `green`. */
export interface Unanswered {
  source: 'shop' | 'service' | 'shop-without-access' | 'order' | 'document' | 'close';
  name: string;
  sentence: string;
}

/** Figures are null where the service does not show its history. */
export interface CreditDay {
  account: string;
  day: Day;
  result: 'agrees' | 'differs' | 'not-compared';
  consumed: number | null;
  rolledBack: number | null;
  recharged: number | null;
  /** Of ambiente 2, authorised on the day. */
  documents: number;
}

export const allShopsAnswered = ({ unanswered }: Pick<DayClose, 'unanswered'>): boolean =>
  unanswered.every(({ source }) => source === 'service' || source === 'document');

/** Before, more may be sold, and nothing is reconciled for good. */
export const isDayOver = ({ day, closedAt }: Pick<DayClose, 'day' | 'closedAt'>): boolean =>
  Date.parse(closedAt) >= startOfEcuadorDay(day).getTime() + dayMs;

/** Signed; without buyers' data. */
export interface DayClose {
  day: Day;
  /** A store's id, several ids with commas, or "*" for all stores. */
  scope: string;
  stores: string[];
  closedAt: string;
  /** `partial`: a store has no API access, and everything else agrees. */
  result: 'green' | 'red' | 'incomplete' | 'partial';
  /** The day was not over or documents were still in progress: a later close of the day may differ. */
  provisional: boolean;
  sales: Fates;
  refunds: Fates;
  issued: Issued[];
  differences: Difference[];
  foreign: Foreign[];
  unanswered: Unanswered[];
  roundings?: Difference[];
  /** Of accounts in production with all their stores in the close; absent without any. */
  credits?: CreditDay[];
}

export interface Explained {
  kind: DocumentKind;
  store: string;
  order: string;
  fate: 'waiting' | 'unneeded' | 'underWay' | 'rounded';
  code: string;
  reason: string;
}

export interface ClosedDay {
  close: DayClose;
  explained: Explained[];
  /** At the authority's portal, not yet recorded in the ledger. */
  annulled: Document[];
}
