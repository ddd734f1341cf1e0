/**
 * The client of the tax document service; published as `facturapuente/service`. It stands on its own:
 *
 *     import { isRetryable, openServiceClient } from 'facturapuente/service';
 *     const service = openServiceClient({ baseUrl, apiKey });
 *     const answer = await service.emitirFactura(factura);
 *     if (answer.kind === 'created') console.log(answer.claveacceso);
 *     else console.log(answer.kind, isRetryable(answer));
 *
 * Every operation of the specification is one function under its operationId.
 */

export type { Budget, CallKind } from '../domain/budget.ts';
export type { Log } from '../domain/log.ts';
export {
  type BalanceAnswer,
  type BalanceState,
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
export type { DocumentEvent } from './event.ts';
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
export type { CreditHistoryAnswer, CreditHistoryRequest, CreditMovement } from './shapes/credits.ts';
export type { FacturaRequest, NotaCreditoRequest, OtherDocumentRequest } from './shapes/documents.ts';
export type { GuiaRemisionRequest } from './shapes/guia-remision.ts';
export type { CedulaFacts, LookUpAnswer, LookUpOptions, RucFacts } from './shapes/look-up.ts';
export type { PricesAnswer, StatusAnswer } from './shapes/public.ts';
export type { RetencionRequest } from './shapes/retencion.ts';
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
