import type {
  Ambiente,
  Attempt,
  AttemptOutcome,
  Document,
  DocumentIdentity,
  DocumentState,
  Series,
  Verification,
} from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { MoveNote } from '../domain/move-note.ts';
import type { SourceFingerprint } from '../domain/order-fingerprint.ts';
import type { Tie } from '../domain/refund.ts';
import type { OrderKey } from './shop-tables.ts';

/* What the ledger keeps of documents: their moves, every attempt to send one, the numbers of each series. */

export interface NewDocument extends DocumentIdentity, NumberSource {
  storeId: string;
  orderId: string;
  orderName: string;
  fingerprint?: SourceFingerprint | null;
  account: string;
  keyHash: string;
  codDoc: string;
  charged: Amount;
  total: Amount | null;
  state: 'held' | 'ready' | 'manual';
  code: string | null;
  reason: string | null;
  /** For the first row of its history, as in a move. */
  note?: MoveNote;
  now: Date;
}

/** What a document has that was issued before this ledger knew of it. */
export interface Bound {
  /** 9 digits. */
  secuencial: string;
  accessKey: string;
  issueDate: string;
}

/** Where a document takes its number from. Once it has one, none of this changes any more. */
export interface NumberSource {
  key: string;
  ruc: string;
  ambiente: Ambiente;
  establecimiento: string;
  puntoEmision: string;
  /** The first number of the series when it has never been used. */
  firstSecuencial: number;
}

/** What may change together with a move; a number that is reserved by it is of the series it names. */
export interface DocumentPatch extends Partial<NumberSource> {
  /** The API key it leaves under, and that key's account. */
  account?: string;
  keyHash?: string;
  accessKey?: string | null;
  issueDate?: string | null;
  authorizedAt?: string | null;
  charged?: Amount;
  total?: Amount | null;
  code?: string | null;
  reason?: string | null;
}

export interface Move {
  /** The states it may come from; the move is lost when the document stands elsewhere. */
  from: readonly DocumentState[];
  to: DocumentState;
  patch?: DocumentPatch;
  /** The document as the caller last read it: while nobody moved it since, it is not read again. */
  known?: Document;
  /** For the history: what happened, small facts as JSON, no buyers' data. */
  note?: MoveNote;
  now: Date;
}

export interface HistoryEntry {
  at: string;
  from: DocumentState | null;
  to: DocumentState;
  note: unknown;
}

export interface Documents {
  get(id: string): Promise<Document | undefined>;
  ofOrder(order: OrderKey): Promise<Document[]>;
  /** The notas de crédito of these refunds' ids that are of other orders of the shop. */
  ofOtherOrders(order: OrderKey, refundIds: readonly string[]): Promise<Document[]>;
  /** Documents of an order that were made before fingerprints were kept are of the order its id meant until now. */
  stamp(order: OrderKey, fingerprint: SourceFingerprint): Promise<void>;
  /** A person said that the refund of this document is another than that which had its id before. */
  acceptRefund(id: string, now: Date): Promise<void>;
  /** Newest first. */
  list(filter: { states?: readonly DocumentState[]; code?: string; limit: number }): Promise<Document[]>;
  byNumber(series: Series, secuencial: string): Promise<Document | undefined>;
  /** By the access key of any of its attempts. */
  byAccessKey(accessKey: string): Promise<Document | undefined>;
  /**
   * Creates the document, with its secuencial when it is born `ready`; undefined when its key exists already.
   * A document's number is reserved at its first move to `ready` and never given back; where the series is
   * stopped, LedgerError `series-stopped` is thrown and nothing changes.
   */
  create(document: NewDocument): Promise<Document | undefined>;
  /**
   * Creates a document that the service holds already, `manual`, with the number it has there; undefined when its key
   * exists: a cancelled document gives it up. The series goes on behind that number.
   */
  bind(document: Omit<NewDocument, 'state'> & Bound): Promise<Document | undefined>;
  /** The number of a cancelled document is another's, which bears it from now on; this one keeps it for its history. */
  displace(id: string): Promise<void>;
  /**
   * One compare-and-set and one row of history; undefined when the document was not in `from`. Illegal moves
   * throw LedgerError `illegal-move`; the first move to `ready` in a stopped series throws `series-stopped`.
   */
  move(id: string, move: Move): Promise<Document | undefined>;
  /** Inside a transaction: the document as it stands; nobody else locks or moves it until COMMIT. */
  lock(id: string): Promise<Document | undefined>;
  /** Notes that this state now stands on the order; changes no state. */
  written(id: string, state: DocumentState, now: Date): Promise<void>;
  /** What was written onto its order is gone: notes, as a row of its history, that it is written once more. */
  writtenAgain(id: string, note: MoveNote, now: Date): Promise<void>;
  /** Notes what came of holding the authorised XML against what was sent; changes no state. */
  verified(id: string, verification: Verification, now: Date): Promise<void>;
  /** Notes that it is annulled at the portal of the authority; its state stays final. A row of its history, once. */
  annulled(id: string, now: Date): Promise<void>;
  history(id: string): Promise<HistoryEntry[]>;
}

export interface NewAttempt {
  documentId: string;
  issueDate: string;
  secuencial: string;
  /** The exact JSON to be sent; sealed (AES-256-GCM) before it is stored. */
  body: string;
  total: Amount;
  buyerId: string;
  nettedRefunds: string[];
  ties: Tie[];
  /** Null, or left out, where it cannot be foreseen. */
  foreseenKey?: string | null;
  now: Date;
}

export interface Attempts {
  add(attempt: NewAttempt): Promise<Attempt>;
  /** Oldest first. */
  ofDocument(documentId: string): Promise<Attempt[]>;
  /**
   * One that was authorised stays so, whoever ends it later of what he read before.
   * @param end.unlessSettled leaves it as it is also where an event of the service told of an error.
   */
  end(
    id: string,
    end: {
      outcome: AttemptOutcome;
      accessKey?: string | null;
      serviceId?: number | null;
      errors?: string[];
      now: Date;
      unlessSettled?: boolean;
    },
  ): Promise<void>;
  /** The service was asked to reprocess its key: its fate is open again. Counts how often. */
  reprocessed(id: string): Promise<void>;
}

/** Why a series gives no more numbers. */
export interface SeriesStop {
  /** For the person who is to look at it, in Spanish. */
  reason: string;
  /** The number of it that somebody else's document holds, 9 digits; null for a stop of another kind. */
  secuencial: string | null;
  /** It gave its last number: no other one will ever do. */
  exhausted?: true;
}

export interface Sequences {
  /**
   * The next number of the series, 9 digits; the first call answers `first`. Throws LedgerError `series-stopped`
   * and, after number 999999999, `series-exhausted`.
   */
  reserve(series: Series, first: number): Promise<string>;
  /** No more numbers from this series until somebody looks: a foreign document holds one of them. */
  stop(series: Series, stop: SeriesStop, now: Date): Promise<void>;
  stopped(series: Series): Promise<SeriesStop | null>;
  /** No new document gets this number or one before it; changes nothing else. */
  pass(series: Series, secuencial: string): Promise<void>;
  /** How far the series is: its next number, and the lowest of a document that is not final, or ready to leave; null where there is none. */
  frontier(
    series: Series,
  ): Promise<{ next: number | null; lowestOpen: number | null; lowestReady: number | null }>;
  /** The last number of the series before this one that a document has, and the day it was issued; null where there is none. */
  lastBefore(series: Series, number: number): Promise<{ number: number; day: string | null } | null>;
  /**
   * Lets one document at a time leave of a series that is not verified (jobs/older-ledger/check-series.ts): false while
   * another one that left so is being sent, or was since then and is not decided. `isLast`: none with a higher number has
   * left before.
   */
  leaveAlone(
    series: Series,
    document: Pick<Document, 'id' | 'secuencial'>,
    since: Date,
  ): Promise<{ may: boolean; isLast: boolean }>;
  /** The access key of the highest number that was answered with one; null where none was. */
  lastKey(series: Series): Promise<string | null>;
  /** A series that stopped for this very reason flows again. Answers whether it does. */
  flow(series: Series, reason: string): Promise<boolean>;
  /** Documents of a stopped series that were found, since it stopped, to have somebody else's number. */
  foreign(series: Series): Promise<string[]>;
  /** The number it stopped for is no reason any more; false where it stands stopped for another, or not at all. */
  resume(series: Series, secuencial: string): Promise<boolean>;
  /**
   * Somebody says that every number below `first` is taken: a series that is not that far leaps there, and flows
   * again if it was stopped. One that is further already changes nothing. Answers whether it leapt.
   */
  raise(series: Series, first: number): Promise<boolean>;
}
