/** The tax document service as we see it; published as `facturapuente/service`. */

export type { Budget, CallKind } from '../core/budget.ts';
export type { Log } from '../core/log.ts';
export {
  type BalanceAnswer,
  type ConsultAnswer,
  type EffectFailure,
  type EmissionAnswer,
  type Failure,
  type FoundDocument,
  isRetryable,
  type NoFunds,
  type PingAnswer,
  type Refused,
  type ReprocessAnswer,
  type StreamAnswer,
  type Throttled,
  type Unauthorized,
  type Unknown,
  type UnknownEffect,
  type XmlAnswer,
} from './answers.ts';
export { type AuthorizedXml, readAuthorizedXml } from './authorized-xml.ts';
export { memoryBudget, unmetered } from './budget.ts';
export type { UploadOptions } from './calls/companies.ts';
export type { OtherDocumentPaths } from './calls/emission.ts';
export {
  openServiceClient,
  type ServiceCalls,
  type ServiceClient,
  type ServiceClientOptions,
} from './client.ts';
export type { Timeouts } from './connection.ts';
export { messageText, type ServiceMessage } from './inferred.ts';
export type { FieldErrors } from './shapes/checked.ts';
export type {
  CompanyAnswer,
  CompanyRefused,
  CompanyRequest,
  LogoRequest,
  NewCompanyAnswer,
  SavedCompany,
  SignatureRequest,
} from './shapes/company.ts';
export type { FacturaRequest, NotaCreditoRequest, OtherDocumentRequest } from './shapes/documents.ts';
export type { CedulaFacts, LookUpAnswer, LookUpOptions, RucFacts } from './shapes/look-up.ts';
export type { PricesAnswer, StatusAnswer } from './shapes/public.ts';
export type {
  BetaPrivada,
  NewVerificationAnswer,
  Verification,
  VerificationAnswer,
  VerificationRequest,
  VerificationsAnswer,
} from './shapes/verification.ts';
export type { DeliveryAttempt, SavedWebhookAnswer, WebhookAnswer, WebhookRequest } from './shapes/webhook.ts';
export { type ServiceDelivery, verifyServiceWebhook } from './webhook.ts';
