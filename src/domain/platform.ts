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
  /** `shop` may be unsigned (Shopify): nothing is believed before the order is read. */
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
  /** A genuine delivery without an order: answered 2xx and logged. */
  | { kind: 'ignored'; topic: string; reason: string }
  /** The platform only tests the address: answered exactly 200. */
  | { kind: 'ping' }
  /** `shop`: named by a delivery with a wrong signature, so anybody may have written it. */
  | { kind: 'refused'; status: 400 | 401; reason: string; shop?: string | undefined };

/** Written onto an order about one document. Texts are complete Spanish sentences. */
export interface WrittenDocument {
  kind: DocumentKind;
  /** Id of the order (factura) or of the refund (nota de crédito). */
  sourceId: string;
  state: DocumentState;
  /** No document: `reason` is what a person must do about the order after its factura. */
  isNotice?: boolean;
  number: string | null;
  accessKey: string | null;
  authorizedAt: string | null;
  /** The product's signed page; null until there is one. */
  pageUrl?: string | null;
  /** The page that asks for the buyer's identification; null when nobody is asked. */
  identificationUrl?: string | null;
  /** Signed links; null until there is a document. */
  pdfUrl: string | null;
  xmlUrl: string | null;
  /** Written when a person is needed; for an authorised nota de crédito it says why it is a cent off the refund. */
  reason: string | null;
}

export const writtenStates: Partial<Record<DocumentState, string>> = {
  authorized: 'AUTORIZADO',
  held: 'RETENIDO',
  manual: 'REVISIÓN MANUAL',
  rejected: 'RECHAZADO',
  cancelled: 'DESCARTADO',
};

export const needsPerson = (state: DocumentState): state is 'held' | 'manual' | 'rejected' =>
  state === 'held' || state === 'manual' || state === 'rejected';

export interface WriteGuards {
  /** Awaited before each write; throws once another process has taken over, and the error is passed on. */
  mayWrite?(): Promise<void>;
  orderKey?: string | null;
  /** An AUTORIZADO whose key the ledger does not have is never replaced: the ledger may be older than the order. */
  isKnownKey?(accessKey: string): Promise<boolean>;
}

/** A store's view of the shop's API. Every method throws ShopError; no error shows a secret. */
export interface Shop {
  /** Asked before anything else, and then every hour. */
  identity(): Promise<ShopIdentity>;
  /** null when the shop no longer has it. `pastCaches`: an answer no cache may have. */
  fetchOrder(orderId: string, pastCaches?: boolean): Promise<Order | null>;
  /** Additive and idempotent. Throws ShopError `order-id-reused` without writing where the id is another order's now. */
  writeBack(orderId: string, documents: readonly WrittenDocument[], guards?: WriteGuards): Promise<void>;
  /** Oldest change first. An order that changes meanwhile comes on a later page; none is skipped. */
  changedOrders(asked: Asked): Promise<ChangesPage>;
  /** Reads the shop's own list; empty when it has none, because every refund changes its order. */
  newRefunds(asked: Asked): Promise<ListPage<ListedRefund>>;
  /** Takes at most `mostListed` ids; omits trashed, deleted and never placed orders. */
  listOrders(ids: readonly string[]): Promise<ListedOrder[]>;
  /** `days` after which the shop hides an order, and the missing permission; null or absent: never. */
  hidesAfter?(): Promise<{ days: number; permission: string } | null>;
  /** Products as order lines of today; absent when the platform cannot list them. */
  catalog?(cursor: string | null): Promise<ListPage<CatalogItem>>;
  close(): Promise<void>;
}

export interface ShopContext {
  clock: Clock;
  log: Log;
  userAgent: string;
  credentials: Credentials;
  /** Guards calls to addresses that others named. */
  outbound: Outbound;
}

/**
 * A platform adapter: export `definePlatform({...})`, name it in the config, and check it with the contract test of
 * `facturapuente/adapters/contract`. `App` is the shared owner of a webhook address (a Shopify app); `app` is null for
 * platforms whose webhooks belong to a single store.
 */
export interface Platform<Connection = unknown, App = unknown> {
  /** As used in the config and in document identities: "woocommerce". */
  name: string;
  title: string;
  /** Largest webhook body in bytes. */
  bodyLimit: number;
  /** Settings of one store, under `stores.<id>.connection` in the config. */
  connection: z.ZodType<Connection>;
  /** Settings of a shared endpoint, under `apps.<id>`; null when every store has its own. */
  app: z.ZodType<App> | null;
  /** The shop's address (myshopify domain, site URL); the ledger knows the shop by its first one. */
  shopOf(connection: Connection): string;
  /** The id of the store's app; null when the store has its own endpoint. */
  appOf(connection: Connection): string | null;
  /**
   * Verifies the signature on the raw bytes. Must not throw. The product always passes a context with the shop's secrets.
   * Without app and connection: answer 401.
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
   * Believes an event only as far as the shop's own API agrees; removes credentials that have ended.
   * `connection` is null when no store is configured. Throws ShopError.
   */
  onEvent?(
    event: ReportedEvent,
    store: { connection: Connection | null; app: App | null },
    context: ShopContext,
  ): Promise<ShopEvent>;
  /** Topics of webhooks without an order that report its deletion. */
  deletionTopics?: readonly string[];
  /** Reads a webhook body or an API answer. Pure. Throws PayloadError for anything else. */
  readOrder(payload: unknown, connection: Connection): Order;
  /** Reads refunds (one, or a list) next to the JSON of their order. Pure. Throws PayloadError for anything else. */
  readRefunds(payload: unknown, order: unknown): Refund[];
  /** null when the store is configured without API access. */
  openShop(store: { connection: Connection; app: App | null }, context: ShopContext): Shop | null;
  /**
   * Whether the shop still answers at a former address, asked without its keys, since the address may be somebody else's.
   * Absent when a shop cannot be copied with its identity.
   */
  standsAt?(address: string, connection: Connection, context: ShopContext): Promise<FormerAddress>;
  /** Conditions that no order of this store can meet; a rule with one is refused at start. */
  unstatedFacts?(connection: Connection): readonly TaxFact[];
  /** Pages for installing; mounted when the config names one of its apps or stores. */
  pages?: readonly PlatformPage[];
  /** What `facturapuente install` shows and, unless it only checks, fixes. Throws ShopError. */
  install?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /** Files that `facturapuente install` writes into the user's folder, never over others. Pure. */
  installFiles?(request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>): readonly InstallFile[];
  /** Returns what `facturapuente uninstall` removed and what it could not. */
  uninstall?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /** Runs every hour; returns what was wrong. Throws ShopError. */
  maintain?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /**
   * Refreshes every hour the access of shops that installed one of the apps (parsed settings by id) and have no store yet.
   * `configured`: the shops with a store. Throws ShopError.
   */
  refreshPending?(
    apps: ReadonlyMap<string, App>,
    configured: ReadonlySet<string>,
    context: ShopContext,
  ): Promise<void>;
  /** Used for offline planning when no store is configured. */
  demoConnection(): Connection;
}

/** Facts about a line that not every platform has (domain/money-policy.ts, TaxCondition). */
export type TaxFact = 'rateId' | 'taxClass' | 'tag' | 'collection';

/** Declares a platform; infers the types of its settings. */
export function definePlatform<Connection, App = never>(
  platform: Platform<Connection, App>,
): Platform<Connection, App> {
  return platform;
}

/** `warning`: it works, but a person should look. */
export type CheckState = 'ok' | 'missing' | 'differs' | 'problem' | 'warning';

/** One requirement for invoicing a store. `src/messages/checks.ts` has the words. */
export interface InstallItem {
  code: string;
  state: CheckState;
  /** JSON. A third-party code has `message`, in Spanish for a list («Permisos de la app»), and `fix`. */
  params: Params;
  done?: boolean;
}

/** A file for the person who installs, such as the app's TOML. Without secrets. */
export interface InstallFile {
  /** The name has no folder, and is not that of a hidden file. */
  name: string;
  content: string;
}

export interface InstallRequest {
  store: PageStore;
  /** The settings of its app; null when it has its own endpoint. */
  app: unknown;
  /** The public base address, without trailing slash. */
  publicUrl: string;
  tickets: Tickets;
  /** Whether the merchant's rules say the IVA of lines without tax. Default: false. */
  decidesUntaxed?: boolean;
  /** False only checks (`--check`). A second run with `apply` changes nothing more. */
  apply: boolean;
}

export interface Installing {
  /** `by` is recorded with each change. Throws ShopError, and ConfigError `not-offered`. */
  install(storeId: string, apply: boolean, by: string | null): Promise<InstallItem[]>;
  /** Returns what was removed and what could not be. Throws ConfigError `not-offered`. */
  uninstall(storeId: string, by: string | null): Promise<InstallItem[]>;
}

export interface PlatformPage {
  method: 'GET' | 'POST';
  /** Absolute and fixed: `/shopify/auth/callback`. */
  path: string;
  /** `request.url` is the public address; a body has at most 64 KB. An exception becomes a 500. */
  answer(request: Request, context: PageContext): Promise<Response>;
}

export interface PageContext extends ShopContext {
  /** The public base address, without trailing slash. */
  publicUrl: string;
  tickets: Tickets;
  /** Parsed settings by app id. */
  apps: ReadonlyMap<string, unknown>;
  /** The shop granted access (again). Returns the id of its store, or null without one, which raises an alert. */
  connected(shop: string, app?: string): Promise<string | null>;
  stores(): readonly PageStore[];
}

export interface PageStore {
  id: string;
  shop: string;
  app: string | null;
  connection: unknown;
}

export interface ReportedEvent {
  topic: string;
  /** As the delivery states it; believed only if the signed body or the shop's own API agrees. */
  shop: string;
  body: Uint8Array;
}

export interface BuyerMark {
  orders: readonly string[];
  email: string | null;
  phone: string | null;
}

export interface BuyerRequest {
  wants: 'data' | 'forgetting';
  buyer: BuyerMark;
}

export type ShopEvent =
  | { kind: 'access-ended' }
  | { kind: 'access-changed'; missing: readonly string[] }
  | { kind: 'buyer-asked'; buyer: BuyerMark }
  | { kind: 'forget-buyer'; buyer: BuyerMark }
  | { kind: 'forget-shop' }
  | { kind: 'nothing'; reason: string };
