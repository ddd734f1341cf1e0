export { type Config, loadConfig, parseConfig } from './config/load.ts';
export { type ConfigInput, defineConfig } from './config/schema.ts';
export { type Connector, type ConnectorOptions, openConnector, type Role } from './connector.ts';
export type { DocumentEvent, DocumentEventType, DocumentListener } from './core/document-event.ts';
export { ConfigError, FacturapuenteError, LedgerError, PayloadError, ShopError } from './core/errors.ts';
export type { Log } from './core/log.ts';
export type { Buyer, Charge, IdCandidate, Line, Order, Payment, Tax } from './core/order.ts';
export {
  definePlatform,
  type Platform,
  type RawDelivery,
  type Receipt,
  type Shop,
  type ShopContext,
  type WrittenDocument,
} from './core/platform.ts';
export type { Refund, RefundPart } from './core/refund.ts';
export {
  createConnector,
  type DocumentHooks,
  type EmbeddedConnector,
  type EmbeddedOptions,
} from './embedding.ts';
export type { Action } from './planning/action.ts';
export type { PlanInput } from './planning/input.ts';
export { plan } from './planning/plan.ts';
