import type { Budget } from '../core/budget.ts';
import type { Log } from '../core/log.ts';
import type {
  BalanceAnswer,
  ConsultAnswer,
  EmissionAnswer,
  PdfAnswer,
  PingAnswer,
  Throttled,
  Unknown,
  XmlAnswer,
} from './answers.ts';
import {
  type Broken,
  breakage,
  defaultTimeouts,
  openConnection,
  type Reply,
  type Timeouts,
} from './connection.ts';
import { readPdf } from './pdf.ts';
import { type ReadReply, readBalance, readConsult, readEmission, readPing, readXml } from './replies.ts';

export interface ServiceClientOptions {
  /** With or without a path; the service's {base_url}. */
  baseUrl: string;
  apiKey: string;
  userAgent: string;
  timeouts?: Partial<Timeouts>;
  log: Log;
}

/** The calls of one API key that each take a slot of its rate budget first. None throws for what the service does. */
export interface ServiceCalls {
  /** `bodyJson` leaves byte for byte as it stands in the attempt. */
  emitirFactura(bodyJson: string): Promise<EmissionAnswer>;
  emitirNotaCredito(bodyJson: string): Promise<EmissionAnswer>;
  consultarComprobante(claveacceso: string): Promise<ConsultAnswer>;
  descargarXml(claveacceso: string): Promise<XmlAnswer>;
  descargarPdf(claveacceso: string): Promise<PdfAnswer>;
  consultarSaldo(): Promise<BalanceAnswer>;
}

export interface ServiceClient {
  with(budget: Budget): ServiceCalls;
  /** Says whether the service is there; needs no key and no budget. */
  ping(): Promise<PingAnswer>;
  close(): Promise<void>;
}

/** After a 429 without `Retry-After`; the limit counts per minute (spec, limits). */
const DEFAULT_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Opens the client of one account: one connection pool, no repetition of any call. */
export function openServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, apiKey, userAgent, log } = options;
  const connection = openConnection(baseUrl, userAgent, { ...defaultTimeouts, ...options.timeouts });
  const lost = (operation: string, reason: string): Unknown => {
    log.warn({ operation, reason }, 'The tax document service gave no usable answer');
    return { kind: 'unknown', reason };
  };

  return {
    with(budget) {
      const emit = async (operation: string, path: string, body: string): Promise<EmissionAnswer> => {
        await budget.take('emission');
        const reply = await whole(await connection.call({ method: 'POST', path, body, apiKey }));
        if (reply.kind === 'broken') {
          return { ...lost(operation, reply.reason), claveacceso: null, mayHaveLeft: reply.mayHaveLeft };
        }
        if (reply.status === 429) return throttled(budget, reply);
        const answer = readEmission(reply);
        if (answer.kind === 'unknown') lost(operation, answer.reason);
        return answer;
      };
      const ask = async <T extends { kind: string }>(
        operation: string,
        path: string,
        kind: 'question' | 'download',
        read: (reply: ReadReply) => T | Unknown,
      ): Promise<T | Unknown | Throttled> => {
        await budget.take(kind);
        const reply = await whole(await connection.call({ method: 'GET', path, apiKey }));
        if (reply.kind === 'broken') return lost(operation, reply.reason);
        if (reply.status === 429) return throttled(budget, reply);
        const answer = read(reply);
        return answer.kind === 'unknown' && 'reason' in answer ? lost(operation, answer.reason) : answer;
      };
      return {
        emitirFactura: (body) => emit('emitirFactura', '/api/factura/emision', body),
        emitirNotaCredito: (body) => emit('emitirNotaCredito', '/api/credito/emision', body),
        consultarComprobante: async (clave) =>
          ask('consultarComprobante', documentPath('consulta', clave), 'question', (reply) =>
            readConsult(reply, clave),
          ),
        descargarXml: async (clave) =>
          ask('descargarXml', documentPath('xml', clave), 'download', (reply) => readXml(reply, clave)),
        async descargarPdf(clave) {
          const path = documentPath('pdf', clave);
          await budget.take('download');
          const reply = await connection.call({ method: 'GET', path, apiKey });
          if (reply.kind === 'broken') return lost('descargarPdf', reply.reason);
          if (reply.status === 429) return throttled(budget, reply);
          const answer = await readPdf(reply);
          return answer.kind === 'unknown' ? lost('descargarPdf', answer.reason) : answer;
        },
        consultarSaldo: () => ask('consultarSaldo', '/api/creditos/saldo', 'question', readBalance),
      };
    },
    async ping() {
      const reply = await whole(await connection.call({ method: 'POST', path: '/api/ping' }));
      return reply.kind === 'broken' ? lost('ping', reply.reason) : readPing(reply);
    },
    close: () => connection.close(),
  };
}

function documentPath(route: 'consulta' | 'xml' | 'pdf', claveacceso: string): string {
  if (!/^\d{49}$/.test(claveacceso)) {
    throw new RangeError('An access key has 49 digits; ask with the key of an attempt.');
  }
  return `/api/comprobante/${route}/${claveacceso}`;
}

/** Reads the body to its end; one that breaks off is no answer. The request left, whatever became of it. */
async function whole(reply: Reply | Broken): Promise<(ReadReply & Pick<Reply, 'kind' | 'headers'>) | Broken> {
  if (reply.kind === 'broken') return reply;
  try {
    return { kind: 'reply', status: reply.status, headers: reply.headers, text: await reply.body.text() };
  } catch (error) {
    return { kind: 'broken', reason: breakage(error), mayHaveLeft: true };
  }
}

async function throttled(budget: Budget, { headers }: Pick<Reply, 'headers'>): Promise<Throttled> {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  const wished = seconds > 0 ? seconds * 1000 : DEFAULT_PAUSE_MS;
  const retryAfterMs = Math.min(wished, LONGEST_PAUSE_MS);
  await budget.slow(retryAfterMs);
  return { kind: 'throttled', retryAfterMs };
}
