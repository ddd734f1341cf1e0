import type { RateLimit } from '../domain/job.ts';
import { type Log, silentLog } from '../domain/ports.ts';
import {
  type BalanceAnswer,
  type PingAnswer,
  type ReadReply,
  readAnswer,
  readJson,
  readShape,
  type Success,
  type Unauthorized,
  type Unknown,
} from './answers.ts';
import { type CompanyCalls, companyCalls, type LookUpCalls, lookUpCalls } from './calls/companies.ts';
import { type DocumentCalls, documentCalls, type EmissionCalls, emissionCalls } from './calls/documents.ts';
import {
  defaultTimeouts,
  type Exchange,
  memoryRateLimit,
  openConnection,
  openExchange,
  type Timeouts,
} from './exchange.ts';
import { flaggedBody, pingBody, readCredits } from './inferred.ts';
import { readMovements, statusBody, walletsBody, webhookBody } from './inferred-accounts.ts';
import {
  type CreditHistoryAnswer,
  type CreditHistoryRequest,
  check,
  creditHistoryRequest,
  type SavedWebhookAnswer,
  type StatusAnswer,
  sentencesOf,
  type WebhookAnswer,
  type WebhookRequest,
  webhookRequest,
} from './shapes.ts';

export interface ServiceClientOptions {
  /** With or without a path; the service's {base_url}. */
  baseUrl: string;
  apiKey: string;
  userAgent?: string;
  timeouts?: Partial<Timeouts>;
  /** Logs answers that could not be used; never a key, a body or an answer. Default: silent. */
  log?: Log;
  /** For the calls made on the client itself; default: one in memory. */
  rateLimit?: RateLimit;
  /** The name of `id_comprobante` in the historic reprocessing route (assumption A13). */
  reprocessIdField?: string;
}

/**
 * The operations of the service under their operationId. Each call is sent at most once and takes a slot of its key's
 * rate limit first. None throws for what the service does: the `kind` of the answer states the result.
 */
export interface ServiceCalls
  extends EmissionCalls,
    DocumentCalls,
    CompanyCalls,
    WebhookCalls,
    CreditCalls,
    LookUpCalls,
    PublicCalls {}

/** The client of one API key. Close it: its connections outlive the last call. */
export interface ServiceClient extends ServiceCalls {
  with(rateLimit: RateLimit): ServiceCalls;
  close(): Promise<void>;
}

/** Throws a RangeError for a base URL that is not http(s) and for a key that cannot be a header. */
export function openServiceClient(options: ServiceClientOptions): ServiceClient {
  const {
    baseUrl,
    apiKey,
    userAgent = 'facturapuente',
    log = silentLog,
    rateLimit = memoryRateLimit(),
  } = options;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new RangeError('baseUrl must be an http or https address, for instance "https://api.example.com".');
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new RangeError('apiKey must be the key of the account panel: visible ASCII characters, no spaces.');
  }
  const connection = openConnection(baseUrl, userAgent, { ...defaultTimeouts, ...options.timeouts });
  const under = (rateLimit: RateLimit): ServiceCalls => {
    const exchange = openExchange(connection, { apiKey, rateLimit, log });
    return {
      ...emissionCalls(exchange),
      ...documentCalls(exchange, options.reprocessIdField),
      ...companyCalls(exchange),
      ...webhookCalls(exchange),
      ...creditCalls(exchange),
      ...lookUpCalls(exchange),
      ...publicCalls(exchange),
    };
  };
  return { ...under(rateLimit), with: under, close: () => connection.close() };
}

export interface CreditCalls {
  /** `GET /api/creditos/saldo` (assumption A7): both wallets; also the way to check that an API key is valid. */
  consultarSaldo(): Promise<BalanceAnswer>;
  /** `GET /api/creditos/historial` (assumption A7): one page of the billing wallet's movements. */
  consultarHistorialCreditos(asked?: CreditHistoryRequest): Promise<CreditHistoryAnswer>;
}

function creditCalls({ get }: Exchange): CreditCalls {
  return {
    consultarSaldo: () => get('consultarSaldo', '/api/creditos/saldo', readBalance),
    async consultarHistorialCreditos(asked = {}) {
      const checked = check(creditHistoryRequest, asked);
      if (!checked.ok) return { kind: 'refused', status: null, errors: sentencesOf(checked.fields) };
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(checked.data))
        if (value !== undefined) query.set(name, String(value));
      const path = `/api/creditos/historial${query.size > 0 ? `?${query}` : ''}`;
      return get('consultarHistorialCreditos', path, readHistory);
    },
  };
}

function readBalance(reply: ReadReply): BalanceAnswer {
  const answer = readRead(reply);
  if (answer.kind !== 'success') return answer;
  const { facturacion, consultas, estado_saldo } = walletsBody.parse(answer.body);
  return {
    kind: 'balance',
    creditos: readCredits(answer.body),
    estadoSaldo: estado_saldo ?? facturacion?.estado_saldo ?? null,
    venceEn: facturacion?.vence_en ?? null,
    consultas: { saldo: consultas?.saldo ?? null, gratisRestantes: consultas?.gratis_restantes ?? null },
    aviso: answer.aviso,
  };
}

function readHistory(reply: ReadReply): CreditHistoryAnswer {
  const answer = readRead(reply);
  if (answer.kind !== 'success') return answer;
  const movimientos = readMovements(answer.body);
  return movimientos === null
    ? { kind: 'unknown', reason: 'answered without a list of movements' }
    : { kind: 'history', movimientos, aviso: answer.aviso };
}

/** One webhook per account (spec, "Webhook configuration"; assumptions A12 and A19). Errors: spec, "Errors" 4 and 6. */
export interface WebhookCalls {
  /** `GET /api/webhook`: the secret masked, and the delivery attempts. */
  leerWebhook(): Promise<WebhookAnswer>;
  /** `POST /api/webhook`. The answer holds the secret in full, this once. The URL must be public. */
  guardarWebhook(webhook: WebhookRequest): Promise<SavedWebhookAnswer>;
}

function webhookCalls({ ask, get }: Exchange): WebhookCalls {
  const path = '/api/webhook';
  return {
    leerWebhook: () => get('leerWebhook', path, readWebhook),
    async guardarWebhook(webhook) {
      const checked = check(webhookRequest, webhook);
      if (!checked.ok) return { kind: 'refused', status: null, errors: sentencesOf(checked.fields) };
      const body = JSON.stringify(checked.data);
      const operation = 'guardarWebhook';
      return ask({ operation, slot: 'question', method: 'POST', path, body, read: readSaved });
    },
  };
}

function readWebhook(reply: ReadReply): WebhookAnswer {
  const answer = readRead(reply);
  if (answer.kind !== 'success') return answer;
  const read = readShape(answer.body, webhookBody, 'a webhook');
  if ('kind' in read) return read;
  const { ultimas_entregas, ...webhook } = read.data;
  return {
    kind: 'webhook',
    ...webhook,
    ultimasEntregas: ultimas_entregas,
    aviso: answer.aviso,
  };
}

function readSaved(reply: ReadReply): SavedWebhookAnswer {
  const answer = readAnswer(reply);
  if (answer.kind !== 'success') return answer;
  const read = readShape(answer.body, webhookBody, 'the webhook that was saved');
  if ('kind' in read) return read;
  const { url, secret, activo } = read.data;
  return { kind: 'saved', url, secret, activo, aviso: answer.aviso };
}

/** Public routes: no API key is sent and no slot is taken (spec, "Authentication" 1, 4). */
export interface PublicCalls {
  /** `POST /api/ping`: whether the service answers. The key is not checked. */
  ping(): Promise<PingAnswer>;
  /** `GET /api/public/status`, or its other name `/api/status` (assumption A27). */
  estadoServicio(route?: 'public' | 'status'): Promise<StatusAnswer>;
}

function publicCalls({ ask }: Exchange): PublicCalls {
  return {
    ping: () => ask({ operation: 'ping', slot: null, method: 'POST', path: '/api/ping', read: readPing }),
    estadoServicio(route = 'public') {
      const path = route === 'public' ? '/api/public/status' : '/api/status';
      return ask({
        operation: 'estadoServicio',
        slot: null,
        method: 'GET',
        path,
        read: readStatus,
      });
    },
  };
}

function readPing({ status, text, date }: ReadReply): PingAnswer {
  const json = readJson(text);
  if (status === 200 && pingBody.safeParse(json).success) return { kind: 'alive', date };
  if (status === 401 && flaggedBody.safeParse(json).success) return { kind: 'unauthorized', date };
  return { kind: 'unknown', reason: `answered ${status} without "pong"` };
}

function readStatus(reply: ReadReply): StatusAnswer {
  const answer = readOpen(reply);
  if (answer.kind !== 'success') return answer;
  const read = readShape(answer.body, statusBody, 'a state of the service');
  if ('kind' in read) return read;
  const { estado, sri, actualizado_en } = read.data;
  return {
    kind: 'status',
    estado,
    sri: { recepcion: sri?.recepcion ?? null, autorizacion: sri?.autorizacion ?? null },
    actualizadoEn: actualizado_en,
  };
}

function readRead(reply: ReadReply): Success | Unauthorized | Unknown {
  const answer = readAnswer(reply);
  return answer.kind === 'refused'
    ? { kind: 'unknown', reason: `answered ${answer.status} without success` }
    : answer;
}

function readOpen(reply: ReadReply): Success | Unknown {
  const answer = readRead(reply);
  return answer.kind === 'unauthorized'
    ? { kind: 'unknown', reason: `answered ${reply.status} without success` }
    : answer;
}
