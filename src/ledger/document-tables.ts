import type {
  Attempt,
  Document,
  DocumentIdentity,
  DocumentState,
  MoveNote,
  Series,
  Verification,
} from '../domain/document.ts';
import type { SourceFingerprint } from '../domain/order.ts';
import type { OrderKey } from './shop-tables.ts';

/* The tables of documents: their moves, every attempt to send one, the numbers of each series. */

export interface NewDocument
  extends DocumentIdentity,
    NumberSource,
    Pick<
      Document,
      'storeId' | 'orderId' | 'orderName' | 'account' | 'keyHash' | 'codDoc' | 'charged' | 'total'
    >,
    Pick<Document, 'code' | 'reason'> {
  fingerprint?: SourceFingerprint | null;
  state: 'held' | 'ready' | 'manual';
  /** For the first row of its history, as in a move. */
  note?: MoveNote;
  now: Date;
}

/** The number of a document that was issued before this ledger knew it. */
export interface Bound {
  /** 9 digits. */
  secuencial: string;
  accessKey: string;
  issueDate: string;
}

/** Where a document takes its number from. None of this changes once it has one. */
export interface NumberSource
  extends Pick<Document, 'key' | 'ruc' | 'ambiente' | 'establecimiento' | 'puntoEmision'> {
  /** The first number of a series that was never used. */
  firstSecuencial: number;
}

/** What may change together with a move; a number reserved by the move is of the series named here. */
export type DocumentPatch = Partial<
  NumberSource &
    Pick<Document, 'account' | 'keyHash' | 'accessKey' | 'issueDate' | 'authorizedAt'> &
    Pick<Document, 'charged' | 'total' | 'code' | 'reason'>
>;

export interface Move {
  /** The states it may come from; in any other state nothing changes. */
  from: readonly DocumentState[];
  to: DocumentState;
  patch?: DocumentPatch;
  /** The document as the caller last read it: it is read again only if it was moved since. */
  known?: Document;
  /** For the history: small facts as JSON, no buyers' data. */
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
  /** The notas de crédito with these refund ids that are of other orders of the shop. */
  ofOtherOrders(order: OrderKey, refundIds: readonly string[]): Promise<Document[]>;
  /** Sets the fingerprint of the order's documents that have none, because they are older than fingerprints. */
  stamp(order: OrderKey, fingerprint: SourceFingerprint): Promise<void>;
  /** Records what a person confirmed about its order or refund. */
  confirm(
    id: string,
    what: Pick<SourceFingerprint, 'accepted' | 'apartFrom' | 'foreignKeys'>,
    now: Date,
  ): Promise<void>;
  /** Newest first. */
  list(filter: { states?: readonly DocumentState[]; code?: string; limit: number }): Promise<Document[]>;
  byNumber(series: Series, secuencial: string): Promise<Document | undefined>;
  /** By the access key of any of its attempts. */
  byAccessKey(accessKey: string): Promise<Document | undefined>;
  /**
   * Creates the document, with its secuencial when its state is `ready`; undefined when its key exists already. The
   * number is reserved at the first move to `ready` and never given back; in a stopped series LedgerError
   * `series-stopped` is thrown and nothing changes.
   */
  create(document: NewDocument): Promise<Document | undefined>;
  /**
   * Creates a document that the service holds already, `manual`, with the number it has there; undefined when its key
   * exists, unless a cancelled document has it. The series continues after that number.
   */
  bind(document: Omit<NewDocument, 'state'> & Bound): Promise<Document | undefined>;
  /** Gives the number of a cancelled document to another one; this one keeps it for its history. */
  displace(id: string): Promise<void>;
  /**
   * One compare-and-set and one row of history; undefined when the document was not in `from`. Illegal moves
   * throw LedgerError `illegal-move`; the first move to `ready` in a stopped series throws `series-stopped`.
   */
  move(id: string, move: Move): Promise<Document | undefined>;
  /** Inside a transaction: the current document, which nobody else locks or moves until COMMIT. */
  lock(id: string): Promise<Document | undefined>;
  /** Records that this state was written back onto the order. */
  written(id: string, state: DocumentState, now: Date): Promise<void>;
  /** Records in its history that it is written back again, because the order lost it. */
  writtenAgain(id: string, note: MoveNote, now: Date): Promise<void>;
  /** Records how the authorised XML compares with what was sent. */
  verified(id: string, verification: Verification, now: Date): Promise<void>;
  /** Records, once, that it is annulled at the authority's portal; its state stays final. */
  annulled(id: string, now: Date): Promise<void>;
  history(id: string): Promise<HistoryEntry[]>;
}

export interface NewAttempt
  extends Pick<Attempt, 'documentId' | 'issueDate' | 'secuencial' | 'body' | 'total' | 'buyerId'>,
    Pick<Attempt, 'nettedRefunds' | 'overpaid' | 'lineReferences' | 'leftOut'> {
  /** Default null: it cannot be foreseen. */
  foreseenKey?: string | null;
  now: Date;
}

export interface Attempts {
  add(attempt: NewAttempt): Promise<Attempt>;
  /** Oldest first. */
  ofDocument(documentId: string): Promise<Attempt[]>;
  /** Sets the outcome, except of an authorised attempt. */
  end(
    id: string,
    end: Pick<Attempt, 'outcome'> &
      Partial<Pick<Attempt, 'accessKey' | 'serviceId' | 'errors'>> & { now: Date },
  ): Promise<void>;
  /** The service was asked to reprocess its key: the outcome is open again. Counts how often. */
  reprocessed(id: string): Promise<void>;
}

/** Why a series gives no more numbers. */
export interface SeriesStop {
  /** For the merchant, in Spanish. */
  reason: string;
  /** The number that a document of somebody else holds, 9 digits; null for a stop of another kind. */
  secuencial: string | null;
  /** It gave its last number. */
  exhausted?: true;
}

export interface Sequences {
  /**
   * The next number of the series, 9 digits; the first call answers `first`. Throws LedgerError `series-stopped`
   * and, after number 999999999, `series-exhausted`.
   */
  reserve(series: Series, first: number): Promise<string>;
  /** Reserves no more numbers from this series until a person decides: of a number conflict, for instance. */
  stop(series: Series, stop: SeriesStop, now: Date): Promise<void>;
  stopped(series: Series): Promise<SeriesStop | null>;
  /** New documents get only numbers after this one; changes nothing else. */
  skipPast(series: Series, secuencial: string): Promise<void>;
  /** Its next number, and the lowest numbers of a document that is not final, and of one that is ready; null where there is none. */
  frontier(
    series: Series,
  ): Promise<{ next: number | null; lowestOpen: number | null; lowestReady: number | null }>;
  /** The highest number below this one that a document has, and its issue date; null where there is none. */
  lastBefore(series: Series, number: number): Promise<{ number: number; day: string | null } | null>;
  /**
   * Admits one document at a time of a series that is not verified (jobs/older-ledger/check-series.ts): `may` is false
   * while another one is being sent, or was sent since `since` and is not decided. `isLast`: none with a higher number
   * was sent before.
   */
  sendAlone(
    series: Series,
    document: Pick<Document, 'id' | 'secuencial'>,
    since: Date,
  ): Promise<{ may: boolean; isLast: boolean }>;
  /** The access key of the highest number that has one; null where none has. */
  lastKey(series: Series): Promise<string | null>;
  /** Restarts a series that stopped for this reason; false where it did not. */
  restart(series: Series, reason: string): Promise<boolean>;
  /** Documents of a stopped series whose number conflict was found since it stopped. */
  numberConflicts(series: Series): Promise<string[]>;
  /** Restarts a series that stopped for this number; false where it stopped for another, or not at all. */
  resume(series: Series, secuencial: string): Promise<boolean>;
  /**
   * Every number below `first` is taken: moves the series up to `first`, and restarts it if it was stopped. A series that
   * is further already stays as it is. Answers whether it moved.
   */
  raise(series: Series, first: number): Promise<boolean>;
}
