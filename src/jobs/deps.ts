import type { AlertChannel, Alerts } from '../domain/alerts.ts';
import type { CallKind } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import type { Document } from '../domain/document.ts';
import type { DocumentListener } from '../domain/document-event.ts';
import type { Log } from '../domain/log.ts';
import type { Mailer } from '../domain/mail.ts';
import type { Shop } from '../domain/platform.ts';
import type { Account, IssuingKey, Store } from '../domain/settings.ts';
import type { ShopEvent, ToldEvent } from '../domain/shop-event.ts';
import type { ClaimedWork } from '../domain/work.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Timings as ProtocolTimings, timings } from '../protocol/state.ts';
import type { ServiceCalls } from '../service/client.ts';
import type { Doubts } from './doubts.ts';
import type { SeriesCheck } from './older-ledger/check-series.ts';

/** The key a document leaves under. */
export type SendingKey = Omit<IssuingKey, 'gone'>;

/** What every step works with; assembled once by the composition root. */
export interface StepDeps {
  ledger: Ledger;
  clock: Clock;
  log: Log;
  timings: Timings;
  /** The configured store of a shop; undefined when this process knows none (unknown-store.ts). */
  storeOf(platform: string, shop: string): Store | undefined;
  /** The shop's API; null for a store configured without. */
  shop(store: Store): Shop | null;
  /**
   * What an event means that came through the door of this id; null when this process does not know the door.
   */
  onEvent(door: string, event: ToldEvent): Promise<ShopEvent | null>;
  /** The accounts of the config by id; another process may know others, as of channels and listeners (unknown-here.ts). */
  accounts: ReadonlyMap<string, Account>;
  /**
   * The tax service under one API key of an account, the newest unless said otherwise, and that key's rate budget. The
   * slot booked when `work` was released pays for the first call; every further one, and every one without work, books
   * its own.
   */
  service(account: Account, work: ClaimedWork | null, keyHash?: string): ServiceCalls;
  /** Hashes of older keys the service refused in this process: as if they had left the config (issued.ts). */
  revoked: Set<string>;
  alerts: Alerts;
  /** Who is told of alerts, and who hears what becomes of documents; by their ids. */
  channels: ReadonlyMap<string, AlertChannel>;
  listeners: ReadonlyMap<string, DocumentListener>;
  doubts: Doubts;
  /** What this process checked of each series, by its subject (older-ledger/check-series.ts). */
  seriesChecks: Map<string, SeriesCheck>;
  /** Signed addresses (web/links.ts). */
  links: {
    page(documentId: string, version: number): string;
    pdf(documentId: string, version: number): string;
    xml(documentId: string, version: number): string;
    identification(documentId: string, expiresAt: Date): string;
  };
  /** null where none is configured. */
  mailer: Mailer | null;
  /** What the files of documents may take in the ledger, bytes. */
  keepBytes: number;
  /** What runs now belongs to the journey of this document, whoever asked (src/observability/journey.ts). */
  joinJourney(document: Document): void;
  /** Sales paid before this instant are history: the policy's date, else the store's first start. */
  invoiceFrom(store: Store): Date;
  /** The same as the ledger has it at this moment; a first start may be moved (first-start.ts). */
  newestInvoiceFrom(store: Store): Promise<Date>;
}

/** Milliseconds of the product's clock: those of the protocol, and when shops are looked at. */
export interface Timings extends ProtocolTimings {
  sweep: SweepTimings;
}

/** How a shop is searched for changes no webhook told. */
export interface SweepTimings {
  /** From the end of one search to the next, a tenth more or less. */
  every: number;
  /**
   * How far each search looks back behind the last: for rows of transactions that were open then, and for
   * Shopify's search index, which may lag by ten minutes.
   */
  overlap: number;
  /** Calls of the shop's API for each list in one run; what is left over goes on at once, behind what others wait for. */
  calls: number;
  /** Between two looks at the refunds of the whole shop. */
  refunds: number;
  /** Orders that did not change for so long are no longer looked at each night. */
  lookBack: number;
}

const minute = 60_000;

export const defaultTimings: Timings = {
  ...timings,
  sweep: {
    every: 5 * minute,
    overlap: 15 * minute,
    calls: 10,
    refunds: 60 * minute,
    lookBack: 30 * 24 * 60 * minute,
  },
};

/** Priorities of work (domain/work.ts): emissions before questions before the rest. */
export const priorities: Record<CallKind, number> = { emission: 0, question: 5, download: 9 };
