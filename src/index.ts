export type * from '../mappers/index.ts';
export { type Connector, type ConnectorOptions, openConnector, type Role } from './app/connector.ts';
export {
  createConnector,
  type DocumentHooks,
  type EmbeddedConnector,
  type EmbeddedOptions,
} from './app/embedding.ts';
export { type OrderToPlan, type PlannedOrder, planOrder } from './app/plan-order.ts';
export { type Config, type Environment, loadConfig, parseConfig } from './config/load.ts';
export { defaultPolicy } from './config/resolve-stores.ts';
export { type ConfigFile, type ConfigInput, defineConfig } from './config/schema.ts';
export type { BuyerAnswer, BuyerPolicy, BuyerQuestion } from './domain/buyer-policy.ts';
export type { Clock, Day } from './domain/clock.ts';
export type {
  Ambiente,
  Document,
  DocumentEvent,
  DocumentEventType,
  DocumentIdentity,
  DocumentKind,
  DocumentListener,
  DocumentState,
  ReportedState,
  RoundingDifference,
  Verification,
} from './domain/document.ts';
export {
  CommandError,
  ConfigError,
  FacturapuenteError,
  IntegrityError,
  LedgerError,
  PayloadError,
  ShopError,
} from './domain/errors.ts';
export type {
  Asked,
  CatalogItem,
  ChangesPage,
  ListedOrder,
  ListedRefund,
  ListPage,
} from './domain/listing.ts';
export type { Amount } from './domain/money.ts';
export type {
  CreditPolicy,
  IceMeaning,
  InfoTemplate,
  ItemKind,
  IvaCode,
  ModifiedDocumentNames,
  MoneyPolicy,
  PaymentRule,
  SpecialItem,
  TaxCondition,
  TaxMeaning,
  TaxRule,
} from './domain/money-policy.ts';
export type {
  Attribute,
  Buyer,
  Charge,
  Delivery,
  Deposit,
  GiftCardSpent,
  IdCandidate,
  LeftOut,
  Line,
  LineReference,
  Order,
  OrderFingerprint,
  PaidTotal,
  Payment,
  Refund,
  RefundPart,
  Settlement,
  SourceFingerprint,
  Tax,
  Taxed,
} from './domain/order.ts';
export {
  type BuyerMark,
  type BuyerRequest,
  type CheckState,
  definePlatform,
  type InstallFile,
  type InstallItem,
  type InstallRequest,
  type PageContext,
  type PageStore,
  type Platform,
  type PlatformPage,
  type RawDelivery,
  type Receipt,
  type ReportedEvent,
  type Shop,
  type ShopContext,
  type ShopEvent,
  type TaxFact,
  type WriteGuards,
  type WrittenDocument,
} from './domain/platform.ts';
export type { Found, FoundAddress, Log, Lookup, Outbound, Tickets } from './domain/ports.ts';
export type {
  Account,
  ApiKey,
  App,
  Issuer,
  Override,
  Policy,
  ReprocessSettings,
  SeriesStart,
  Store,
} from './domain/settings.ts';
export type { Credential, Credentials, FormerAddress, ShopIdentity } from './domain/shop-identity.ts';
export type { CallableOperations, CallOptions } from './operations/all.ts';
export type { Answer } from './operations/operation.ts';
export type {
  Action,
  ActionKind,
  Billed,
  KeyOwner,
  PlanInput,
  PlannedDocument,
  Relative,
  SentContent,
  Trace,
} from './planner/action.ts';
export type { BuyerType, CandidateVerdict, IdentityReasons, NameSource } from './planner/identity/choice.ts';
export { type AsIf, plan } from './planner/plan.ts';
