import type { z } from 'zod';
import type { Params } from '../messages/message.ts';
import type { Clock } from './clock.ts';
import type { DocumentKind, DocumentState } from './document.ts';
import type { Asked, CatalogItem, ChangesPage, ListedOrder, ListedRefund, ListPage } from './listing.ts';
import type { Order, Refund } from './order.ts';
import type { Log, Outbound, Tickets } from './ports.ts';
import type { Credentials, FormerAddress, ShopIdentity } from './shop-identity.ts';

/** A webhook request exactly as it came. Header names are lower case. */
export interface RawDelivery {
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}

/** What an endpoint makes of a delivery after checking its signature. */
export type Receipt =
  /** Something changed on this order. `shop` may be unsigned (Shopify): nothing is believed before the order is read. */
  | {
      kind: 'hint';
      topic: string;
      shop: string;
      orderId: string;
      dedupeKey: string;
      /** The shop has no API: the order can be read from this body alone. */
      isOnlySource?: boolean;
    }
  /** About the shop itself or one of its buyers; stored, and handled later by `onEvent`. */
  | { kind: 'event'; topic: string; shop: string; dedupeKey: string }
  /** Genuine, but without an order: answered 2xx and logged. */
  | { kind: 'ignored'; topic: string; reason: string }
  /** The platform only tests the address: answered exactly 200. */
  | { kind: 'ping' }
  /** `shop`: the shop that a delivery with a wrong signature names as its own, with a topic of ours. Anybody can write that. */
  | { kind: 'refused'; status: 400 | 401; reason: string; shop?: string | undefined };

/** What is written back onto an order about one document. Texts are complete Spanish sentences. */
export interface WrittenDocument {
  kind: DocumentKind;
  /** Id of the order (factura) or of the refund (nota de crédito) it is for. */
  sourceId: string;
  state: DocumentState;
  /** Of no document: `reason` is what a person must do about the order after its factura. */
  isNotice?: boolean;
  number: string | null;
  accessKey: string | null;
  authorizedAt: string | null;
  /** Our signed page about the document and its files; null until there is one. */
  pageUrl?: string | null;
  /** Our page on which the buyer of a held factura gives his identification; null when nobody is asked. */
  identificationUrl?: string | null;
  /** Our signed links; null until there is a document. */
  pdfUrl: string | null;
  xmlUrl: string | null;
  /** The merchant's sentence when a person is needed; for an authorised nota de crédito, why it is a cent off the refund. */
  reason: string | null;
}

/** The merchant's word on an order for a document's state; other states are not written. */
export const writtenStates: Partial<Record<DocumentState, string>> = {
  authorized: 'AUTORIZADO',
  held: 'RETENIDO',
  manual: 'REVISIÓN MANUAL',
  rejected: 'RECHAZADO',
  cancelled: 'DESCARTADO',
};

/** Whether a document waits for the merchant. */
export const needsPerson = (state: DocumentState): state is 'held' | 'manual' | 'rejected' =>
  state === 'held' || state === 'manual' || state === 'rejected';

/** What a write onto an order depends on. */
export interface WriteGuards {
  /** Awaited before each call that writes; throws once another process has taken over, and the error is passed on. */
  mayWrite?(): Promise<void>;
  /** `Order.orderKey` of the intended order. */
  orderKey?: string | null;
  /**
   * Whether the ledger has a document with this access key. An AUTORIZADO whose key it does not have is never replaced by
   * another state: the ledger may be older than the order.
   */
  isKnownKey?(accessKey: string): Promise<boolean>;
}

/** A store's view of the shop's API. Every method throws ShopError; none leaks a secret. */
export interface Shop {
  /** Which shop answers; asked before anything else, and then every hour. */
  identity(): Promise<ShopIdentity>;
  /** The order as it is now; null when the shop no longer has it. `pastCaches`: an answer no cache may have. */
  fetchOrder(orderId: string, pastCaches?: boolean): Promise<Order | null>;
  /**
   * Additive and idempotent: a second call with the same facts writes nothing. Throws ShopError `order-id-reused` without
   * writing where the id is another order's now.
   */
  writeBack(orderId: string, documents: readonly WrittenDocument[], guards?: WriteGuards): Promise<void>;
  /** One page of all changed orders, oldest change first. An order that changes meanwhile comes on a later page; none is skipped. */
  changedOrders(asked: Asked): Promise<ChangesPage>;
  /** One page of new refunds, from the shop's own list; empty when it has none, because every refund changes its order. */
  newRefunds(asked: Asked): Promise<ListPage<ListedRefund>>;
  /** The shop's orders among at most `mostListed` ids; trashed, deleted and never placed ones are left out. */
  listOrders(ids: readonly string[]): Promise<ListedOrder[]>;
  /** After how many days the shop hides an order from us, and the permission we lack; null or absent: never. */
  hidesAfter?(): Promise<{ days: number; permission: string } | null>;
  /** One page of the shop's products as order lines of today; absent when the platform cannot list them. */
  catalog?(cursor: string | null): Promise<ListPage<CatalogItem>>;
  close(): Promise<void>;
}

export interface ShopContext {
  clock: Clock;
  log: Log;
  /** Our name and version, for the shop. */
  userAgent: string;
  /** Credentials that shops of this platform gave us. */
  credentials: Credentials;
  /** Guards calls to addresses that others named. */
  outbound: Outbound;
}

/**
 * A platform adapter. A third party writes a folder (or package) that exports `definePlatform({...})`, names it in the config,
 * and checks it with the contract test of `facturapuente/adapters/contract`.
 *
 * `App` is the shared owner of a webhook address (a Shopify app). For platforms whose webhooks belong to a single store `app`
 * is null, and the store's connection is the endpoint.
 */
export interface Platform<Connection = unknown, App = unknown> {
  /** As used in the config and in document identities, for instance "woocommerce". */
  name: string;
  /** For people: "WooCommerce". */
  title: string;
  /** Largest webhook body in bytes. */
  bodyLimit: number;
  /** Settings of one store's connection, under `stores.<id>.connection` in the config. */
  connection: z.ZodType<Connection>;
  /** Settings of a shared endpoint, under `apps.<id>`; null when every store has its own. */
  app: z.ZodType<App> | null;
  /** The shop's address in its connection (myshopify domain, site URL); the ledger knows the shop by its first one. */
  shopOf(connection: Connection): string;
  /** The id of the store's app; null when the store has its own endpoint. */
  appOf(connection: Connection): string | null;
  /**
   * Verifies the signature on the raw bytes and says what the delivery is about. Must not throw. The product's endpoint always
   * passes a context with the shop's secrets. Without app and connection: answer 401.
   */
  receive(
    delivery: RawDelivery,
    endpoint: { app: App | null; connection: Connection | null },
    context?: Pick<ShopContext, 'credentials'>,
  ): Promise<Receipt>;
  /** Whether the shop's access for this app is stored, so that its webhooks are kept before it has a store. */
  hasAccess?(shop: string, app: App, credentials: Pick<Credentials, 'get'>): Promise<boolean>;
  /** Events in which a buyer requests or deletes data, and the request; null for an event about no single buyer. Pure. */
  buyerRequests?: { topics: readonly string[]; read(event: ReportedEvent): BuyerRequest | null };
  /**
   * Handles a stored event, believing it only as far as the shop's own API agrees; removes credentials that have ended.
   * `connection` is null when no store is configured. Throws ShopError when the shop cannot be asked.
   */
  onEvent?(
    event: ReportedEvent,
    store: { connection: Connection | null; app: App | null },
    context: ShopContext,
  ): Promise<ShopEvent>;
  /** Topics of webhooks without an order that report its deletion. Absent: the platform has none. */
  deletionTopics?: readonly string[];
  /** Reads the platform's JSON (a webhook body or an API answer) into an Order. Pure. Throws PayloadError for anything else. */
  readOrder(payload: unknown, connection: Connection): Order;
  /** Reads refunds (one, or a list) next to the platform's JSON of their order. Pure. Throws PayloadError for anything else. */
  readRefunds(payload: unknown, order: unknown): Refund[];
  /** Opens the API; null when the store is configured without API access. */
  openShop(store: { connection: Connection; app: App | null }, context: ShopContext): Shop | null;
  /**
   * Whether the shop still stands at a former address, asked without its keys, since the address may be somebody else's now.
   * Absent when a shop cannot be copied with its identity.
   */
  standsAt?(address: string, connection: Connection, context: ShopContext): Promise<FormerAddress>;
  /** Conditions of tax rules that no order of this store can meet; a rule with one is refused at start. */
  cannotTell?(connection: Connection): readonly TaxFact[];
  /** The platform's own pages for installing; mounted when the config names one of its apps or stores. */
  pages?: readonly PlatformPage[];
  /** What `facturapuente install` shows and, unless it only checks, fixes. Throws ShopError. */
  install?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /** Files that `facturapuente install` writes into the user's folder, never over others. Pure. */
  installFiles?(request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>): readonly InstallFile[];
  /** What `facturapuente uninstall` removes; returns what it did and what it could not do. */
  uninstall?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /** Checks an installed store every hour and fixes what broke; returns what was wrong. Throws ShopError. */
  maintain?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /**
   * Refreshes every hour the access of shops that installed one of the apps (parsed settings by id) and have no store yet, so
   * that they need not connect again. `configured`: the shops with a store. Throws ShopError.
   */
  refreshPending?(
    apps: ReadonlyMap<string, App>,
    configured: ReadonlySet<string>,
    context: ShopContext,
  ): Promise<void>;
  /** A connection for offline planning, when no store is configured. */
  demoConnection(): Connection;
}

/** Facts about a line that not every platform has (domain/money-policy.ts, TaxCondition). */
export type TaxFact = 'rateId' | 'taxClass' | 'tag' | 'collection';

/** Declares a platform; the identity function infers the types of its settings. */
export function definePlatform<Connection, App = never>(
  platform: Platform<Connection, App>,
): Platform<Connection, App> {
  return platform;
}

/** `warning`: it works, but a person should look. */
export type CheckState = 'ok' | 'missing' | 'differs' | 'problem' | 'warning';

/** One requirement for invoicing a store, and its state. `src/messages/checks.ts` has the words. */
export interface InstallItem {
  code: string;
  state: CheckState;
  /**
   * The data of the case, as JSON. For a code that is not facturapuente's: `says`, in Spanish for a list («Permisos de la app»), and
   * `fix`, what to do or what this run did, as a Spanish sentence.
   */
  params: Params;
  /** This run fixed it. */
  done?: boolean;
}

/** A file for the person who installs, such as the app's TOML. Without secrets. */
export interface InstallFile {
  /** Without a folder, and not a hidden file. */
  name: string;
  content: string;
}

/** The store, its addresses, and whether anything may be changed. */
export interface InstallRequest {
  store: PageStore;
  /** The settings of its app; null when it has its own endpoint. */
  app: unknown;
  /** Base address under which the world reaches us, without trailing slash. */
  publicUrl: string;
  tickets: Tickets;
  /** Whether the merchant's rules say the IVA of lines without tax. Default: false. */
  decidesUntaxed?: boolean;
  /** False only checks (`--check`). A second run with `apply` changes nothing more. */
  apply: boolean;
}

/** Installs the configured stores. */
export interface Installing {
  /** `by` is recorded with each change. Throws ShopError, and ConfigError `not-offered` when the platform has nothing to install. */
  install(storeId: string, apply: boolean, by: string | null): Promise<InstallItem[]>;
  /** Returns what was removed and what could not be. Throws ConfigError `not-offered`. */
  uninstall(storeId: string, by: string | null): Promise<InstallItem[]>;
}

/** A platform's own page (installing, connecting), mounted beside the product's endpoints. */
export interface PlatformPage {
  method: 'GET' | 'POST';
  /** Absolute and fixed, for instance `/shopify/auth/callback`. */
  path: string;
  /** `request.url` is the public address; a body has at most 64 KB. An exception becomes a 500. */
  answer(request: Request, context: PageContext): Promise<Response>;
}

/** What a page can use. */
export interface PageContext extends ShopContext {
  /** Base address under which the world reaches us, without trailing slash. */
  publicUrl: string;
  /** Checks the tickets that `facturapuente install` issues. */
  tickets: Tickets;
  /** The parsed settings of the platform's apps, by their ids in the config. */
  apps: ReadonlyMap<string, unknown>;
  /**
   * The shop granted access (again): what waited for it continues. Returns the id of its store, or null without one, which
   * raises an alert. `app`: the id of the installed app.
   */
  connected(shop: string, app?: string): Promise<string | null>;
  /** The platform's configured stores. */
  stores(): readonly PageStore[];
}

export interface PageStore {
  id: string;
  /** Its address, as `shopOf` writes it. */
  shop: string;
  app: string | null;
  connection: unknown;
}

/** A stored delivery about the shop itself or one of its buyers. */
export interface ReportedEvent {
  topic: string;
  /** As the delivery states it; believed only if the signed body or the shop's own API agrees. */
  shop: string;
  body: Uint8Array;
}

/** A shop's description of one of its buyers; texts as the shop wrote them. */
export interface BuyerMark {
  /** Order ids that the shop itself names. */
  orders: readonly string[];
  email: string | null;
  phone: string | null;
}

/** A buyer's request through the shop: for the stored data, or to delete them. */
export interface BuyerRequest {
  wants: 'data' | 'forgetting';
  buyer: BuyerMark;
}

/** What an event of a shop means. */
export type ShopEvent =
  /** The shop revoked our access; its credentials are removed. */
  | { kind: 'access-ended' }
  /** The permissions changed; these are missing now. */
  | { kind: 'access-changed'; missing: readonly string[] }
  /** A buyer requests the data stored about him. */
  | { kind: 'buyer-asked'; buyer: BuyerMark }
  | { kind: 'forget-buyer'; buyer: BuyerMark }
  | { kind: 'forget-shop' }
  /** False, or nothing to do; in English, for the log. */
  | { kind: 'nothing'; reason: string };
