import type { Budget } from '../domain/budget.ts';
import { type Log, silentLog } from '../domain/log.ts';
import { memoryBudget } from './budget.ts';
import { type CompanyCalls, companyCalls } from './calls/companies.ts';
import { type CreditCalls, creditCalls } from './calls/credits.ts';
import { type DocumentCalls, documentCalls } from './calls/documents.ts';
import {
  type EmissionCalls,
  emissionCalls,
  type OtherDocumentPaths,
  otherDocumentPaths,
} from './calls/emission.ts';
import { type LookUpCalls, lookUpCalls } from './calls/look-ups.ts';
import { type PublicCalls, publicCalls } from './calls/public.ts';
import { type VerificationCalls, verificationCalls } from './calls/verifications.ts';
import { type WebhookCalls, webhookCalls } from './calls/webhook.ts';
import { defaultTimeouts, openConnection, type Timeouts } from './connection.ts';
import { openExchange } from './exchange.ts';

export interface ServiceClientOptions {
  /** With or without a path; the service's {base_url}. */
  baseUrl: string;
  apiKey: string;
  userAgent?: string;
  timeouts?: Partial<Timeouts>;
  /** Told when an answer could not be used; never a key, a body or an answer. Silent by default. */
  log?: Log;
  /** For the calls made on the client itself; one of its own in memory by default. */
  budget?: Budget;
  /** Emission routes the specification does not show (assumption A22). */
  otherDocumentPaths?: Partial<OtherDocumentPaths>;
  /** What the historic reprocessing route calls `id_comprobante` (assumption A13). */
  reprocessIdField?: string;
}

/**
 * Every operation of the service under its operationId. Each call leaves at most once and takes a slot of its
 * key's rate budget first; none throws for what the service does: the `kind` of the answer says what became of
 * it, and `isRetryable` whether it may be made again.
 */
export interface ServiceCalls
  extends EmissionCalls,
    DocumentCalls,
    CompanyCalls,
    WebhookCalls,
    CreditCalls,
    LookUpCalls,
    VerificationCalls,
    PublicCalls {}

/** The client of one API key. Close it: its connections outlive the last call. */
export interface ServiceClient extends ServiceCalls {
  /** The same calls under another budget. */
  with(budget: Budget): ServiceCalls;
  close(): Promise<void>;
}

/**
 * Opens the client of one API key: one connection pool, no repetition of any call.
 * Throws a RangeError for a base URL that is not http(s) and for a key that cannot stand in a header.
 */
export function openServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, apiKey, userAgent = 'facturapuente', log = silentLog, budget = memoryBudget() } = options;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new RangeError('baseUrl must be an http or https address, for instance "https://api.example.com".');
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new RangeError('apiKey must be the key of the account panel: visible ASCII characters, no spaces.');
  }
  const connection = openConnection(baseUrl, userAgent, { ...defaultTimeouts, ...options.timeouts });
  const paths = { ...otherDocumentPaths, ...options.otherDocumentPaths };
  const under = (budget: Budget): ServiceCalls => {
    const exchange = openExchange(connection, { apiKey, budget, log });
    return {
      ...emissionCalls(exchange, paths),
      ...documentCalls(exchange, options.reprocessIdField),
      ...companyCalls(exchange),
      ...webhookCalls(exchange),
      ...creditCalls(exchange),
      ...lookUpCalls(exchange),
      ...verificationCalls(exchange),
      ...publicCalls(exchange),
    };
  };
  return { ...under(budget), with: under, close: () => connection.close() };
}
