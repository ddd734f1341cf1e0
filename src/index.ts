export { type Connector, type ConnectorOptions, openConnector, type Role } from './app/connector.ts';
export {
  createConnector,
  type DocumentHooks,
  type EmbeddedConnector,
  type EmbeddedOptions,
} from './app/embedding.ts';
export { type Config, loadConfig, parseConfig } from './config/load.ts';
export { type ConfigInput, defineConfig } from './config/schema.ts';
export type { DocumentEvent, DocumentEventType, DocumentListener } from './domain/document.ts';
export {
  CommandError,
  ConfigError,
  FacturapuenteError,
  IntegrityError,
  LedgerError,
  PayloadError,
  ShopError,
} from './domain/errors.ts';
export type { Asked, ChangesPage, ListedOrder, ListedRefund, ListPage } from './domain/listing.ts';
export type {
  Attribute,
  Buyer,
  Charge,
  Delivery,
  IdCandidate,
  Line,
  Order,
  Payment,
  Refund,
  RefundPart,
  Settlement,
  Tax,
} from './domain/order.ts';
export type {
  BuyerRequest,
  InstallFile,
  InstallItem,
  InstallRequest,
  PageContext,
  PlatformPage,
  ReportedEvent,
  ShopEvent,
} from './domain/platform.ts';
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
export type { Log } from './domain/ports.ts';
export type { Action, PlanInput } from './planner/action.ts';
export { plan } from './planner/plan.ts';
