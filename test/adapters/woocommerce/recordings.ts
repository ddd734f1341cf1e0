import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import type { RawDelivery } from '../../../src/domain/platform.ts';
import { hasShared, readShared, sharedPath } from '../../support/shared.ts';

const folder = 'data/woocommerce/recordings';

const webhook = z.object({
  scenario: z.string(),
  topic: z.string(),
  headers: z.record(z.string(), z.string()),
  signatureValid: z.boolean().nullable(),
  rawBodyBase64: z.string(),
});
const rest = z.object({
  request: z.object({
    method: z.string(),
    path: z.string(),
    params: z.record(z.string(), z.unknown()).nullish(),
    body: z.unknown().optional(),
  }),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  rawBodyText: z.string(),
  json: z.unknown(),
});

/** A call of the API with its answer, as recorded. */
export interface RecordedCall {
  file: string;
  request: {
    method: string;
    path: string;
    params?: Record<string, unknown> | null | undefined;
    body?: unknown;
  };
  status: number;
  headers: Record<string, string>;
  text: string;
  json: unknown;
}

export interface RecordedWebhook {
  file: string;
  scenario: string;
  topic: string;
  signatureValid: boolean | null;
  delivery: RawDelivery;
  text: string;
}

const filesOf = (part: string): string[] =>
  hasShared ? readdirSync(sharedPath(`${folder}/${part}`)).sort() : [];

/** Every recorded webhook request, byte for byte. Empty where the recordings are not beside the checkout. */
export function recordedWebhooks(): RecordedWebhook[] {
  return filesOf('webhooks').map((file) => {
    const { scenario, topic, headers, signatureValid, rawBodyBase64 } = webhook.parse(
      JSON.parse(readShared(`${folder}/webhooks/${file}`)),
    );
    const body = Buffer.from(rawBodyBase64, 'base64');
    return {
      file,
      scenario,
      topic,
      signatureValid,
      delivery: { headers, body },
      text: body.toString('utf8'),
    };
  });
}

/** The recorded webhook whose file name starts with this number. */
export function recordedWebhook(number: string): RecordedWebhook {
  const found = recordedWebhooks().find(({ file }) => file.startsWith(number));
  if (found === undefined) throw new Error(`No recorded webhook ${number}.`);
  return found;
}

/** Every recorded call, in the order they were made. */
export function recordedCalls(): RecordedCall[] {
  return filesOf('rest').map((file) => {
    const { rawBodyText: text, ...call } = rest.parse(JSON.parse(readShared(`${folder}/rest/${file}`)));
    return { file, text, ...call };
  });
}

/** The recorded call whose file name starts with this number. */
export function recordedRest(number: string): RecordedCall {
  const found = recordedCalls().find(({ file }) => file.startsWith(number));
  if (found === undefined) throw new Error(`No recorded REST call ${number}.`);
  return found;
}

/** The connection the recordings were made with (recordings/README.md). */
export const recordedConnection = connectionSchema.parse({
  url: 'http://127.0.0.1:8081/',
  webhookSecrets: ['whsec_tienda_quito_2026'],
});

/** A delivery as WooCommerce signs it, by default with the secret of the recordings (recordings/README.md). */
export function signed(topic: string, text: string, secret = 'whsec_tienda_quito_2026'): RawDelivery {
  const body = Buffer.from(text);
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  return { headers: { 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': signature }, body };
}
