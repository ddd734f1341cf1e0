import type { Day } from '../../domain/clock.ts';
import type { Document, DocumentKind, DocumentState } from '../../domain/document.ts';
import { type Amount, sum, toAmount } from '../../domain/money.ts';
import type { TaxRow } from '../tax-rows.ts';

/** A count and a sum. */
export interface Tally {
  count: number;
  total: Amount;
}

/** The sum of several tallies. */
export const addTallies = (tallies: readonly Tally[]): Tally => ({
  count: tallies.reduce((all, { count }) => all + count, 0),
  total: toAmount(sum(tallies.map(({ total }) => total))),
});

/** The tally of one reason. */
export interface Reasoned extends Tally {
  /** The planner's or the document's code: "free", "final-consumer" … */
  code: string;
}

/**
 * The outcomes of the paid orders, or of the refunds, of a day; `sold` is the sum of the others. Amounts are what the shop
 * charged or refunded in USD; an order in another currency is counted with 0.
 */
export interface Fates {
  sold: Tally;
  issued: Tally;
  /** Of those issued: with the date of another day. */
  issuedOtherDay: Tally;
  underWay: Tally;
  /** Held, rejected, manual: they need a person. */
  waiting: Reasoned[];
  /** Refunds deducted from a factura before it was sent; none for sales. */
  netted: Tally;
  /** Need no document, by law or policy. */
  unneeded: Reasoned[];
  /** Lack the document they need. */
  missing: Tally;
}

/** The authorised documents of one kind with the day's date, according to ledger or service. */
export interface Seen extends Tally {
  taxes: TaxRow[];
}

export interface Issued {
  kind: DocumentKind;
  /** Our documents with this date, by state. */
  states: Partial<Record<DocumentState, number>>;
  ours: Seen;
  service: Seen;
  /** The totals by the shop's data. */
  shop: Tally;
  /** Of sales and refunds of other days. */
  ofOtherDays: Tally;
}

/** A difference. The sentence is Spanish, names no buyer, and says what to do. */
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
  | 'document-differs'
  | 'document-unknown'
  | 'authorized-twice'
  | 'document-of-other-sale'
  | 'key-not-on-order'
  | 'sale-passed-over'
  | 'number-gap'
  | 'credits-differ'
  /** No fault: only in `roundings`. */
  | 'rounding-difference';

/** A document of the same issuer outside our series: issued by hand or by another program. */
export interface Foreign {
  accessKey: string;
  number: string;
  codDoc: string;
  /** Null where the service did not say. */
  total: Amount | null;
}

/**
 * A source that did not answer, a shop without API access, orders that could not be read or are not processed yet, documents
 * that are not confirmed, or a close that failed: the close cannot be `green`.
 */
export interface Unanswered {
  source: 'shop' | 'service' | 'shop-without-access' | 'order' | 'document' | 'close';
  /** The store, the account, the order's id or the day. */
  name: string;
  sentence: string;
}

/** The credits of one account on the day; figures are null where the service does not show its history. */
export interface CreditDay {
  account: string;
  day: Day;
  result: 'agrees' | 'differs' | 'not-compared';
  consumed: number | null;
  /** Consumed credits that came back. */
  rolledBack: number | null;
  recharged: number | null;
  /** Documents of ambiente 2 that were authorised on the day. */
  documents: number;
}

/** Whether every shop answered; else the shops' figures cannot be compared. */
export const allShopsAnswered = ({ unanswered }: Pick<DayClose, 'unanswered'>): boolean =>
  unanswered.every(({ source }) => source === 'service' || source === 'document');

/** The content of a close, which is signed: figures, no buyers' data. */
export interface DayClose {
  day: Day;
  /** A store's id, several ids with commas, or "*" for all stores. */
  scope: string;
  stores: string[];
  closedAt: string;
  /** `partial`: a store has no API access, and all that could be compared without its shop agrees. */
  result: 'green' | 'red' | 'incomplete' | 'partial';
  /** Documents were still in progress: a later close of the day may differ. */
  provisional: boolean;
  sales: Fates;
  refunds: Fates;
  issued: Issued[];
  differences: Difference[];
  foreign: Foreign[];
  unanswered: Unanswered[];
  /** Documents the service authorised a cent off by its own rounding; absent without any. */
  roundings?: Difference[];
  /** Of accounts in production with all their stores in the close; absent without any. */
  credits?: CreditDay[];
}

/** Why one sale or refund has no document yet, needs none, or is a cent off (`credit-rounding`); shown, not part of the close. */
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
  /** Annulled at the authority's portal, not yet recorded in the ledger. */
  annulled: Document[];
}
