/**
 * The client of the tax document service; published as `facturapuente/service`:
 *
 *     import { isRetryable, openServiceClient } from 'facturapuente/service';
 *     const service = openServiceClient({ baseUrl, apiKey });
 *     const answer = await service.emitirFactura(factura);
 *     if (answer.kind === 'created') console.log(answer.claveacceso);
 *     else console.log(answer.kind, isRetryable(answer));
 *
 * Every operation of the specification is one function under its operationId.
 */

export type { CallKind, RateLimit } from '../domain/job.ts';
export type { Log } from '../domain/ports.ts';
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
export {
  type AuthorizedXml,
  type ModifiedDocument,
  readAuthorizedXml,
  type XmlLine,
  type XmlPayment,
  type XmlTax,
} from './authorized-xml.ts';
export type { CompanyCalls, LookUpCalls, UploadOptions } from './calls/companies.ts';
export type { DocumentCalls, EmissionCalls } from './calls/documents.ts';
export {
  type CreditCalls,
  openServiceClient,
  type PublicCalls,
  type ServiceCalls,
  type ServiceClient,
  type ServiceClientOptions,
  type WebhookCalls,
} from './client.ts';
export type { DocumentEvent } from './event.ts';
export { type ServiceDelivery, verifyServiceWebhook } from './event.ts';
export type { Timeouts } from './exchange.ts';
export { memoryRateLimit, unmetered } from './exchange.ts';
export { messageText, type ServiceMessage } from './inferred.ts';
export type {
  CedulaFacts,
  CreditMovement,
  DeliveryAttempt,
  RucFacts,
} from './inferred-accounts.ts';
export type {
  CompanyAnswer,
  CompanyRefused,
  CompanyRequest,
  CreditHistoryAnswer,
  CreditHistoryRequest,
  FacturaRequest,
  FieldErrors,
  LogoRequest,
  LookUpAnswer,
  LookUpOptions,
  NewCompanyAnswer,
  NotaCreditoRequest,
  SavedCompany,
  SavedWebhookAnswer,
  SignatureRequest,
  StatusAnswer,
  WebhookAnswer,
  WebhookRequest,
} from './shapes.ts';
