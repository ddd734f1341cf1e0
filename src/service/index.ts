/** The tax document service as we see it; published as `facturapuente/service`. */

export type { Budget, CallKind } from '../core/budget.ts';
export type { Log } from '../core/log.ts';
export type {
  BalanceAnswer,
  ConsultAnswer,
  EmissionAnswer,
  FoundDocument,
  PdfAnswer,
  PingAnswer,
  XmlAnswer,
} from './answers.ts';
export { type AuthorizedXml, readAuthorizedXml } from './authorized-xml.ts';
export {
  openServiceClient,
  type ServiceCalls,
  type ServiceClient,
  type ServiceClientOptions,
} from './client.ts';
export type { Timeouts } from './connection.ts';
export { messageText, type ServiceMessage } from './inferred.ts';
export { type ServiceDelivery, verifyServiceWebhook } from './webhook.ts';
