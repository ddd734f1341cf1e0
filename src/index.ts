export { type Connector, type ConnectorOptions, openConnector, type Role } from './app/connector.ts';
export {
  createConnector,
  type DocumentHooks,
  type EmbeddedConnector,
  type EmbeddedOptions,
} from './app/embedding.ts';
export { type Config, loadConfig, parseConfig } from './config/load.ts';
export { type ConfigInput, defineConfig } from './config/schema.ts';
export type { DocumentEvent, DocumentEventType, DocumentListener } from './core/document-event.ts';
export { ConfigError, FacturapuenteError, LedgerError, PayloadError, ShopError } from './core/errors.ts';
export type { InstallFile, InstallItem, InstallRequest } from './core/install.ts';
export type { Asked, ChangesPage, ListedOrder, ListedRefund, ListPage } from './core/listing.ts';
export type { Log } from './core/log.ts';
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
} from './core/order.ts';
export {
  definePlatform,
  type Platform,
  type RawDelivery,
  type Receipt,
  type Shop,
  type ShopContext,
  type TaxFact,
  type WrittenDocument,
} from './core/platform.ts';
export type { PageContext, PlatformPage } from './core/platform-page.ts';
export type { Refund, RefundPart } from './core/refund.ts';
export type { BuyerRequest, ShopEvent, ToldEvent } from './core/shop-event.ts';
export type { Action } from './planning/action.ts';
export type { PlanInput } from './planning/input.ts';
export { plan } from './planning/plan.ts';
