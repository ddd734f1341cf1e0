export { type Connector, type ConnectorOptions, openConnector, type Role } from './app/connector.ts';
export {
  createConnector,
  type DocumentHooks,
  type EmbeddedConnector,
  type EmbeddedOptions,
} from './app/embedding.ts';
export { type Config, loadConfig, parseConfig } from './config/load.ts';
export { type ConfigInput, defineConfig } from './config/schema.ts';
export type { DocumentEvent, DocumentEventType, DocumentListener } from './domain/document-event.ts';
export { ConfigError, FacturapuenteError, LedgerError, PayloadError, ShopError } from './domain/errors.ts';
export type { InstallFile, InstallItem, InstallRequest } from './domain/install.ts';
export type { Asked, ChangesPage, ListedOrder, ListedRefund, ListPage } from './domain/listing.ts';
export type { Log } from './domain/log.ts';
export type {
  Attribute,
  Buyer,
  Charge,
  Delivery,
  IdCandidate,
  Line,
  Order,
  Payment,
  Settlement,
  Tax,
} from './domain/order.ts';
export {
  definePlatform,
  type Platform,
  type RawDelivery,
  type Receipt,
  type Shop,
  type ShopContext,
  type TaxFact,
  type WrittenDocument,
} from './domain/platform.ts';
export type { PageContext, PlatformPage } from './domain/platform-page.ts';
export type { Refund, RefundPart } from './domain/refund.ts';
export type { BuyerRequest, ShopEvent, ToldEvent } from './domain/shop-event.ts';
export type { Action } from './planner/action.ts';
export type { PlanInput } from './planner/input.ts';
export { plan } from './planner/plan.ts';
