import { setTimeout as wait } from 'node:timers/promises';
import { Agent, type FormData, request } from 'undici';
import { NotTestable, Unseen } from './check.ts';
import { openPace } from './pace.ts';

/** One request. `key` null sends none; without it the run's own key goes along. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  key?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged, as `application/json`. */
  text?: string;
  form?: FormData;
}

/** One answer, read to its end. `json` is undefined when the body is none. */
export interface Answer {
  status: number;
  type: string;
  retryAfter: string | undefined;
  /** The header `Date`. */
  date: string | undefined;
  bytes: Buffer;
  json: unknown;
}

export interface Service {
  /** Throws Unseen when no answer came or the run has spent its requests. */
  ask(ask: Ask): Promise<Answer>;
  /** Without pace, limit or a second try: for the check of the rate limit itself. */
  burst(ask: Ask): Promise<Answer>;
  /** Requests sent so far. */
  sent(): number;
  /** Answers to the run's own key in JSON, how many carried `aviso_proveedor_sri`, and of which type it was. */
  notices(): { answers: number; withNotice: number; type: string };
  close(): Promise<void>;
}

const rateLimit = 300;
const timeoutMs = 30_000;
/** Answers missing in a row after which the service counts as away. */
const patience = 3;

/** A connection to the service under test. Nothing but a 429 is ever asked twice. */
export function openService({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Service {
  const agent = new Agent({ connect: { timeout: 10_000 }, keepAliveTimeout: 4_000 });
  const pace = openPace();
  const base = baseUrl.replace(/(?<!\/)\/+$/, '');
  let sent = 0;
  let bursts = 0;
  let missing = 0;
  const seen = { answers: 0, withNotice: 0, type: '' };

  const burst: Service['burst'] = async ({ method, path, key = apiKey, json, text, form }) => {
    sent += 1;
    const response = await request(`${base}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        accept: 'application/json, application/xml, application/pdf',
        'user-agent': 'facturapuente-conformance',
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(json === undefined && text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: form ?? text ?? (json === undefined ? null : JSON.stringify(json)),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const type = String(response.headers['content-type'] ?? '');
    const answer: Answer = {
      status: response.statusCode,
      type,
      retryAfter: response.headers['retry-after']?.toString(),
      date: response.headers.date?.toString(),
      bytes,
      json: readJson(bytes),
    };
    if (key === apiKey && type.includes('json') && isRecord(answer.json)) {
      seen.answers += 1;
      if ('aviso_proveedor_sri' in answer.json) {
        seen.withNotice += 1;
        seen.type = typeof answer.json.aviso_proveedor_sri;
      }
    }
    return answer;
  };

  const once = async (ask: Ask): Promise<Answer> => {
    if (sent - bursts >= rateLimit)
      throw new Unseen(`Ya se enviaron ${rateLimit} solicitudes, el tope de una revisión.`);
    await pace.turn(ask.key ?? (ask.key === null ? '' : apiKey));
    try {
      const answer = await burst(ask);
      missing = 0;
      return answer;
    } catch (error) {
      missing += 1;
      const why = `${ask.method} ${pattern(ask.path)} quedó sin respuesta: ${breakage(error)}.`;
      if (missing >= patience) throw new NotTestable(`El servicio dejó de responder. ${why}`);
      throw new Unseen(why);
    }
  };

  return {
    async ask(ask) {
      const answer = await once(ask);
      if (answer.status !== 429) return answer;
      await wait(Math.min(Number(answer.retryAfter) || 30, 60) * 1000);
      return once(ask);
    },
    burst(ask) {
      bursts += 1;
      return burst(ask);
    },
    sent: () => sent,
    notices: () => ({ ...seen }),
    // Not `close`, which would wait for an answer that is no longer read.
    close: () => agent.destroy(),
  };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const pattern = (path: string) => path.replace(/\d{49}/, '{claveacceso}');

/** Why there is no answer, in Spanish and without address or body. */
export function breakage(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `pasaron ${timeoutMs / 1000} segundos`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const said: Record<string, string> = {
    ECONNREFUSED: 'nadie escucha en esa dirección',
    ENOTFOUND: 'ese nombre de servidor no existe',
    UND_ERR_CONNECT_TIMEOUT: 'no se pudo conectar a tiempo',
    ECONNRESET: 'la conexión se cortó',
    UND_ERR_SOCKET: 'la conexión se cortó',
  };
  return said[code] ?? (code ? `la conexión falló (${code})` : 'la conexión falló');
}
