import { createHmac } from 'node:crypto';
import { request } from 'undici';
import type { Account, DeliveryAttempt } from '../accounts/accounts.ts';
import { isoInEcuador } from '../clock.ts';
import type { World } from '../world.ts';
import type { Delivery } from './deliveries.ts';

/** The receiver has this long to answer 2xx (spec, "Delivery and retries"); real time, it waits for no clock. */
const answerWithinMs = 25_000;
/** Beyond the 300 seconds a receiver may take (spec, "Headers of each delivery"). */
const staleSeconds = 600;

export type AttemptResult = Pick<DeliveryAttempt, 'estado_http' | 'exito' | 'error' | 'enviado_en'>;

/** Sends a delivery once, signed now; redirects are not followed. Never rejects. */
export async function attempt(
  world: World,
  account: Account,
  delivery: Delivery,
  stop: AbortSignal,
  signature?: 'V1' | 'V2' | 'stale',
): Promise<AttemptResult> {
  const now = world.clock.now();
  const enviado_en = isoInEcuador(now);
  const webhook = account.webhook;
  const failed = (error: string) => ({ estado_http: null, exito: false, error, enviado_en });
  const url = delivery.url ?? (webhook?.activo ? webhook.url : undefined);
  if (url === undefined) return failed('El webhook ya no está activo.');
  try {
    const response = await request(url, {
      method: 'POST',
      headers: deliveryHeaders(delivery, webhook?.secret, now, signature),
      body: Buffer.from(delivery.raw),
      signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), stop]),
    });
    await response.body.dump();
    const exito = response.statusCode >= 200 && response.statusCode < 300;
    return { estado_http: response.statusCode, exito, error: null, enviado_en };
  } catch (error) {
    return failed(readError(error));
  }
}

/**
 * Every header of an attempt made `now` (spec, "Headers of each delivery"), its signature spoiled where asked.
 * Without a secret it goes unsigned: a verification may have a webhook before its account has (assumption A26).
 */
export function deliveryHeaders(
  { evento, entrega, raw }: Delivery,
  secret: string | undefined,
  now: Date,
  signature?: 'V1' | 'V2' | 'stale',
): Record<string, string> {
  const seconds = Math.floor(now.getTime() / 1000) - (signature === 'stale' ? staleSeconds : 0);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook/1.0',
    'X-Service-Event': evento,
    'X-Service-Delivery': entrega,
    'X-Service-Timestamp': String(seconds),
    ...(secret === undefined ? {} : signatures(Buffer.from(raw), secret, seconds)),
    ...(secret === undefined ? {} : spoiledSignature(signature, seconds)),
  };
}

function spoiledSignature(signature: string | undefined, timestamp: number): Record<string, string> {
  const wrong = '0'.repeat(64);
  if (signature === 'V1') return { 'X-Service-Signature': `sha256=${wrong}` };
  if (signature === 'V2') return { 'X-Service-Signature-V2': `t=${timestamp},v1=${wrong}` };
  return {};
}

/** The signature headers of one attempt, made at `timestamp` (Unix seconds). */
function signatures(raw: Buffer, secret: string, timestamp: number): Record<string, string> {
  const hmac = (...parts: (string | Buffer)[]) => {
    const mac = createHmac('sha256', secret);
    for (const part of parts) mac.update(part);
    return mac.digest('hex');
  };
  return {
    'X-Service-Signature': `sha256=${hmac(raw)}`,
    'X-Service-Signature-V2': `t=${timestamp},v1=${hmac(`${timestamp}.`, raw)}`,
  };
}

function readError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `No respondió en ${answerWithinMs / 1000} segundos.`;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
