import type { Day } from '../../domain/calendar.ts';
import type { Document, DocumentKind, DocumentState } from '../../domain/document.ts';
import type { Amount } from '../../domain/money.ts';

/** So many, and what they come to. */
export interface Tally {
  count: number;
  total: Amount;
}

/** Those of one reason. */
export interface Reasoned extends Tally {
  /** The planner's or the document's code: "free", "final-consumer" … */
  code: string;
}

/**
 * What became of the paid orders, or of the refunds, of a day: `sold` is the sum of the rest. Amounts are what the
 * shop charged or gave back, in USD; an order of another currency is counted and adds nothing.
 */
export interface Fates {
  sold: Tally;
  issued: Tally;
  /** Of those issued: under another date than this day. */
  issuedOtherDay: Tally;
  underWay: Tally;
  /** Held, rejected, manual: a person must look. */
  waiting: Reasoned[];
  /** Refunds a factura was reduced by before it left; none for sales. */
  netted: Tally;
  /** By law or policy there is no document for them. */
  unneeded: Reasoned[];
  /** There should be a document and there is none. */
  missing: Tally;
}

/** A tax of the documents of a day; `codigo` 2 = IVA, 3 = ICE, 5 = IRBPNR (ficha técnica SRI, tablas 16 and 17). */
export interface TaxSum {
  codigo: string;
  codigoPorcentaje: string;
  base: Amount;
  valor: Amount;
}

/** The authorised documents of one kind that bear the day's date, as one of the three sees them. */
export interface Seen extends Tally {
  taxes: TaxSum[];
}

export interface Issued {
  kind: DocumentKind;
  /** Our documents that bear this date, by state. */
  states: Partial<Record<DocumentState, number>>;
  ours: Seen;
  service: Seen;
  /** What the shop says they must come to; it states no taxes of ours. */
  shop: Tally;
  /** Of sales and refunds of other days. */
  ofOtherDays: Tally;
}

/** What does not agree. The sentence is Spanish, names no buyer, and says what to do. */
export interface Difference {
  code: DifferenceCode;
  sentence: string;
  store: string | null;
  order: string | null;
  number: string | null;
}

export type DifferenceCode =
  | 'order-without-document'
  | 'refund-without-document'
  | 'document-without-order'
  | 'document-without-refund'
  | 'document-removed'
  | 'missing-at-service'
  | 'state-differs'
  | 'document-annulled'
  | 'amount-differs'
  | 'unknown-in-series'
  | 'unknown-on-order'
  | 'authorized-twice'
  | 'document-of-other-sale'
  | 'key-not-on-order'
  | 'sale-passed-over'
  | 'number-gap'
  | 'credits-differ'
  /** Told apart from the others: nothing is wrong. */
  | 'rounding-difference';

/** A document of the same issuer that is not ours and not in our series: by hand, or by another program. */
export interface Foreign {
  accessKey: string;
  number: string;
  codDoc: string;
  /** Null where the service did not say. */
  total: Amount | null;
}

/** A source that did not answer, or a shop that cannot be asked at all: without it nothing is called green. */
export interface Unanswered {
  source: 'shop' | 'service' | 'shop-without-access';
  /** The store or the account. */
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

/** Whether every shop said what it sold; else what the close has of the shops is no figure to compare with. */
export const allShopsSaid = ({ unanswered }: Pick<DayClose, 'unanswered'>): boolean =>
  unanswered.every(({ source }) => source === 'service');

/** Everything a close says, and is signed with: figures, no buyers' data. */
export interface DayClose {
  day: Day;
  /** The store it is about, several ids with commas, or "*" for all of them. */
  scope: string;
  stores: string[];
  closedAt: string;
  /** `partial`: a store has no API access, and all that could be compared without its shop agrees. */
  result: 'green' | 'red' | 'incomplete' | 'partial';
  /** Documents were still under way: the close of the day may change. */
  provisional: boolean;
  sales: Fates;
  refunds: Fates;
  issued: Issued[];
  differences: Difference[];
  foreign: Foreign[];
  unanswered: Unanswered[];
  /** Documents that the service authorised a cent off by its own rounding; left out where there are none. */
  roundings?: Difference[];
  /** Of accounts that issue in production and whose every store is in the close; left out where there are none. */
  credits?: CreditDay[];
}

/** One that waits for a person, needs no document, or is a cent off by rounding (`credit-rounding`), with the merchant's sentence; shown, never signed or kept. */
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
  /** Those the ledger does not know yet to be annulled at the authority's portal. */
  annulled: Document[];
}
