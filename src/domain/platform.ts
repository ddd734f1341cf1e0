import type { z } from 'zod';
import type { CatalogItem } from './catalog.ts';
import type { Clock } from './clock.ts';
import type { Credentials } from './credentials.ts';
import type { DocumentKind, DocumentState } from './document.ts';
import type { InstallFile, InstallItem, InstallRequest } from './install.ts';
import type { Asked, ChangesPage, ListedOrder, ListedRefund, ListPage } from './listing.ts';
import type { Log } from './log.ts';
import type { Order } from './order.ts';
import type { Outbound } from './outbound.ts';
import type { PlatformPage } from './platform-page.ts';
import type { Refund } from './refund.ts';
import type { BuyerRequest, ShopEvent, ToldEvent } from './shop-event.ts';
import type { FormerAddress, ShopIdentity } from './shop-identity.ts';

/** A webhook request exactly as it came. Header names are lower case. */
export interface RawDelivery {
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}

/** What a door made of a delivery after checking its signature. */
export type Receipt =
  /** Something happened to this order. `shop` may be unsigned (Shopify): nothing is believed before a re-read. */
  | { kind: 'hint'; topic: string; shop: string; orderId: string; dedupeKey: string }
  /** About the shop itself or one of its buyers; stored, and handled later by `onEvent`. */
  | { kind: 'event'; topic: string; shop: string; dedupeKey: string }
  /** Genuine, but no order inside: answered 2xx with one log line. */
  | { kind: 'ignored'; topic: string; reason: string }
  /** The platform only tests the address: answered exactly 200. */
  | { kind: 'ping' }
  | { kind: 'refused'; status: 400 | 401; reason: string };

/** What is written back onto an order for one document. Texts are Spanish and complete. */
export interface WrittenDocument {
  kind: DocumentKind;
  /** Id of the order (factura) or of the refund (nota de crédito) it is for. */
  sourceId: string;
  state: DocumentState;
  number: string | null;
  accessKey: string | null;
  authorizedAt: string | null;
  /** Our signed page around the document, with its files; null until there is one to show. */
  pageUrl?: string | null;
  /** Our page where the buyer of a held factura says whom it is to name; null where nobody is asked. */
  identificationUrl?: string | null;
  /** Our signed links; null until there is a document to show. */
  pdfUrl: string | null;
  xmlUrl: string | null;
  /** The order carries an access key nobody here knows: an AUTORIZADO that stands there is not written over. */
  besideUnknownKey?: boolean;
  /** The merchant's sentence when a person is needed; of an authorised nota de crédito, why it is a cent off the refund. */
  reason: string | null;
}

/** The shop's API as one store sees it. Every method throws ShopError; none leaks a secret. */
export interface Shop {
  /** Which shop it is that answers; asked before anything else, and then every hour. */
  identity(): Promise<ShopIdentity>;
  /** The order as it is now; null when the shop no longer has it. */
  fetchOrder(orderId: string): Promise<Order | null>;
  /**
   * Additive and repeatable: a second call with the same facts writes nothing.
   * @param mayWrite awaited right before each call that writes: it throws once another process does this, and that
   * error is passed on.
   * @param orderKey `Order.orderKey` of the order that is meant. Where the shop has another one under the id nothing is
   * written, and ShopError `order-id-reused` is thrown.
   */
  writeBack(
    orderId: string,
    documents: readonly WrittenDocument[],
    mayWrite?: () => Promise<void>,
    orderKey?: string | null,
  ): Promise<void>;
  /**
   * One page of the orders that changed, whatever became of them, the oldest change first. An order that changes
   * while the pages are read comes on a later one; none is passed over.
   */
  changedOrders(asked: Asked): Promise<ChangesPage>;
  /**
   * One page of the refunds made, from a list of the shop's own; without rows where there is none, because every
   * refund changes its order.
   */
  newRefunds(asked: Asked): Promise<ListPage<ListedRefund>>;
  /** What the shop has of at most `mostListed` orders; those in the trash, deleted or never placed are left out. */
  listOrders(ids: readonly string[]): Promise<ListedOrder[]>;
  /**
   * One page of what the shop sells, each as the line a sale of today would have; absent where a platform cannot tell. A
   * listing goes on at the `next` of its last page.
   */
  catalog?(cursor: string | null): Promise<ListPage<CatalogItem>>;
  close(): Promise<void>;
}

export interface ShopContext {
  clock: Clock;
  log: Log;
  /** Names us to the shop, with version. */
  userAgent: string;
  /** What this platform's shops gave us. */
  credentials: Credentials;
  /** What calls to a shop go through where somebody else names its address. */
  outbound: Outbound;
}

/**
 * What a platform must bring. A third party writes one folder (or package) that exports
 * `definePlatform({...})`, names it in the config, and proves it with the contract test of
 * `facturapuente/adapters/contract`.
 *
 * `App` is what a webhook address belongs to when several shops share one (a Shopify app); platforms whose
 * webhooks belong to a single store leave `app` null, and the store's connection is the door.
 */
export interface Platform<Connection = unknown, App = unknown> {
  /** As used in the config and in document identities, for instance "woocommerce". */
  name: string;
  /** For people: "WooCommerce". */
  title: string;
  /** Largest webhook body it sends, bytes; every address takes as much as the platform with the largest. */
  bodyLimit: number;
  /** Settings of one store's connection, under `stores.<id>.connection` in the config. */
  connection: z.ZodType<Connection>;
  /** Settings of a shared door, under `apps.<id>`; null when every store is its own door. */
  app: z.ZodType<App> | null;
  /** Where the shop is, from its connection (myshopify domain, site URL); the ledger knows it by the first one it had. */
  shopOf(connection: Connection): string;
  /** The id of the app the store belongs to; null when it is its own door. */
  appOf(connection: Connection): string | null;
  /**
   * Verifies the signature on the raw bytes and says what the delivery is about. Must not throw. The endpoint of the
   * product always brings its context; secrets a shop gave us are there. An address that belongs to nothing has neither
   * app nor connection: refuse what comes there with 401, but for a ping that nobody signs. Such a ping is answered alike
   * at every address.
   */
  receive(
    delivery: RawDelivery,
    door: { app: App | null; connection: Connection | null },
    context?: Pick<ShopContext, 'credentials'>,
  ): Promise<Receipt>;
  /** Whether the shop gave this app access that is kept, so that its webhooks are kept before it has a store. */
  hasAccess?(shop: string, app: App, credentials: Pick<Credentials, 'get'>): Promise<boolean>;
  /**
   * Events by which data are asked for or to be forgotten, and what one buyer asks; null where it is of no single one,
   * or no such body (any more). Pure.
   */
  buyerRequests?: { topics: readonly string[]; read(event: ToldEvent): BuyerRequest | null };
  /**
   * What an event the door stored asks for, believed only as far as the shop's own API agrees; what the shop gave us is
   * taken back here. `connection` is null where no store is configured. Throws ShopError while the shop cannot be asked.
   */
  onEvent?(
    event: ToldEvent,
    store: { connection: Connection | null; app: App | null },
    context: ShopContext,
  ): Promise<ShopEvent>;
  /**
   * Reads the platform's own JSON (a webhook body or an API answer) into an Order; throws PayloadError with a
   * sentence when it is no order. Pure.
   */
  readOrder(payload: unknown, connection: Connection): Order;
  /**
   * Reads refunds as the platform hands them out (one, or a list), next to the platform's JSON of their order;
   * throws PayloadError when they are none. Pure.
   */
  readRefunds(payload: unknown, order: unknown): Refund[];
  /** Opens the API; null when the store is configured without API access. */
  openShop(store: { connection: Connection; app: App | null }, context: ShopContext): Shop | null;
  /**
   * Whether the shop still stands at an address where it was before, asked without its keys: the address may be
   * somebody else's by now. Left out where a shop cannot be copied, identity and all.
   */
  standsAt?(address: string, connection: Connection, context: ShopContext): Promise<FormerAddress>;
  /** Conditions of tax rules no order of this store can ever meet; a rule that asks for one is refused at start. */
  cannotTell?(connection: Connection): readonly TaxFact[];
  /** Pages of its own, for installing; mounted when the config names one of its apps or stores. */
  pages?: readonly PlatformPage[];
  /** What `facturapuente install` shows and, unless it only looks, puts right. Throws ShopError. */
  install?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /** Files `facturapuente install` writes for the person who runs it, in his folder and never over others. Pure. */
  installFiles?(request: Pick<InstallRequest, 'store' | 'app' | 'publicUrl'>): readonly InstallFile[];
  /** What `facturapuente uninstall` takes back; answers what it did, and what it could not. */
  uninstall?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /**
   * Looks after an installed store every hour and puts right what broke; answers what was not as it should be. Throws
   * ShopError.
   */
  tend?(request: InstallRequest, context: ShopContext): Promise<InstallItem[]>;
  /**
   * Looks every hour after the shops that gave access to one of the apps (parsed settings by id) and have no store yet,
   * so that they need not connect again when they get one. `configured` are the shops that have one. Throws ShopError.
   */
  keepWaiting?(
    apps: ReadonlyMap<string, App>,
    configured: ReadonlySet<string>,
    context: ShopContext,
  ): Promise<void>;
  /** A connection for offline planning, when no store is configured. */
  demoConnection(): Connection;
}

/** What not every platform says of a line (domain/money-policy.ts, TaxCondition). */
export type TaxFact = 'rateId' | 'taxClass' | 'tag' | 'collection';

/** Declares a platform; the identity function keeps the types of settings together. */
export function definePlatform<Connection, App = never>(
  platform: Platform<Connection, App>,
): Platform<Connection, App> {
  return platform;
}
