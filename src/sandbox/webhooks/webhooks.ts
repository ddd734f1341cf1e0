import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Account } from '../accounts/accounts.ts';
import { isoInEcuador } from '../clock.ts';
import type { StoredDocument } from '../emission/documents.ts';
import { documentReport } from '../emission/reports.ts';
import type { World } from '../world.ts';

/** The receiver has this long to answer 2xx (spec, "Delivery and retries"). */
const answerWithinMs = 25_000;
const keptAttempts = 100;

interface Delivery {
  id: string;
  evento: string;
  claveacceso: string | null;
  /** Serialised once: every attempt sends, and signs, the same bytes. */
  raw: Buffer;
}

/** Tells the account's webhook that a document reached a final state. */
export function announce(world: World, document: StoredDocument): void {
  const account = world.accounts.get(document.apiKey);
  if (!account?.webhook?.activo) return;
  const evento = document.errores.length > 0 ? 'comprobante.error' : 'comprobante.autorizado';
  if (world.faults.take('dropWebhooks')) return;
  const body = { evento, ...documentReport(world, document), enviado_en: isoInEcuador(world.clock.now()) };
  const delivery = prepare(evento, document.claveacceso, body);
  schedule(world, account, delivery, 1, world.clock.now().getTime());
  if (world.faults.take('duplicateWebhooks'))
    schedule(world, account, delivery, 1, world.clock.now().getTime());
}

/** Sends `webhook.prueba`. */
export function announceTest(world: World, account: Account): void {
  const body = {
    evento: 'webhook.prueba',
    enviado_en: isoInEcuador(world.clock.now()),
    mensaje: 'Entrega de prueba del webhook.',
  };
  schedule(world, account, prepare(body.evento, null, body), 1, world.clock.now().getTime());
}

// JSON.stringify escapes neither "/" nor Unicode, as the specification demands.
function prepare(evento: string, claveacceso: string | null, body: object): Delivery {
  return { id: randomUUID(), evento, claveacceso, raw: Buffer.from(JSON.stringify(body)) };
}

function schedule(world: World, account: Account, delivery: Delivery, attempt: number, due: number): void {
  world.timers.at(due, async (signal) => {
    const result = await send(world, account, delivery, signal);
    if (signal.aborted) return;
    account.deliveries.unshift({
      entrega: delivery.id,
      evento: delivery.evento,
      claveacceso: delivery.claveacceso,
      intento: attempt,
      ...result,
    });
    account.deliveries.length = Math.min(account.deliveries.length, keptAttempts);
    world.touch(account);
    const wait = world.settings.webhookRetryDelaysMs[attempt - 1];
    world.settings.log(
      `${delivery.evento} ${delivery.claveacceso ?? ''} intento ${attempt}: ${result.estado_http ?? result.error}`,
    );
    if (!result.exito && wait !== undefined) {
      // Counted from when this attempt was due, so that one long step makes every attempt that fits into it.
      schedule(world, account, delivery, attempt + 1, Math.min(due, world.clock.now().getTime()) + wait);
    }
  });
}

/** The signature headers of one attempt, made at `timestamp` (Unix seconds). */
export function signatures(raw: Buffer, secret: string, timestamp: number): Record<string, string> {
  const hmac = (...parts: (string | Buffer)[]) => {
    const mac = createHmac('sha256', secret);
    for (const part of parts) mac.update(part);
    return mac.digest('hex');
  };
  return {
    'X-Service-Signature': `sha256=${hmac(raw)}`,
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature-V2': `t=${timestamp},v1=${hmac(`${timestamp}.`, raw)}`,
  };
}

async function send(world: World, account: Account, delivery: Delivery, stop: AbortSignal) {
  const now = world.clock.now();
  const webhook = account.webhook;
  const enviado_en = isoInEcuador(now);
  if (!webhook?.activo)
    return { estado_http: null, exito: false, error: 'El webhook ya no está activo.', enviado_en };
  try {
    const response = await request(webhook.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Service-Webhook/1.0',
        'X-Service-Event': delivery.evento,
        'X-Service-Delivery': delivery.id,
        ...signatures(delivery.raw, webhook.secret, Math.floor(now.getTime() / 1000)),
      },
      body: delivery.raw,
      signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), stop]),
    });
    await response.body.dump();
    const exito = response.statusCode >= 200 && response.statusCode < 300;
    return { estado_http: response.statusCode, exito, error: null, enviado_en };
  } catch (error) {
    return { estado_http: null, exito: false, error: readError(error), enviado_en };
  }
}

function readError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
