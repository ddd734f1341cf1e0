import type { Exchange } from '../exchange.ts';
import { type Attempt, webhookBody } from '../inferred-accounts.ts';
import { type ReadReply, readSaid, readShape } from '../replies.ts';
import { check, sentencesOf } from '../shapes/checked.ts';
import {
  type DeliveryAttempt,
  type SavedWebhookAnswer,
  type WebhookAnswer,
  type WebhookRequest,
  webhookRequest,
} from '../shapes/webhook.ts';

/**
 * The account's one webhook, shared by all its companies (spec, "Webhook configuration"; shapes by assumptions
 * A12 and A19). Deliveries are checked with `verifyServiceWebhook`. Errors: spec, "Errors" 4 and 6.
 */
export interface WebhookCalls {
  /** `GET /api/webhook`: the secret masked, and the delivery attempts. */
  leerWebhook(): Promise<WebhookAnswer>;
  /** `POST /api/webhook`. The answer holds the secret in full, this once. The URL must be public. */
  guardarWebhook(webhook: WebhookRequest): Promise<SavedWebhookAnswer>;
  /** `PUT /api/webhook`: the same by the other method. */
  actualizarWebhook(webhook: WebhookRequest): Promise<SavedWebhookAnswer>;
}

export function webhookCalls({ ask }: Exchange): WebhookCalls {
  const path = '/api/webhook';
  const save =
    (operation: string, method: 'POST' | 'PUT') =>
    async (webhook: WebhookRequest): Promise<SavedWebhookAnswer> => {
      const checked = check(webhookRequest, webhook);
      if (!checked.ok) return { kind: 'refused', status: null, errors: sentencesOf(checked.fields) };
      const call = { method, path, body: JSON.stringify(checked.data) };
      return ask({ operation, slot: 'question', call, read: readSaved });
    };
  return {
    leerWebhook: () =>
      ask({ operation: 'leerWebhook', slot: 'question', call: { method: 'GET', path }, read: readWebhook }),
    guardarWebhook: save('guardarWebhook', 'POST'),
    actualizarWebhook: save('actualizarWebhook', 'PUT'),
  };
}

function readWebhook(reply: ReadReply): WebhookAnswer {
  const said = readSaid(reply);
  // Reading has nothing to refuse: a failure teaches nothing about the webhook.
  if (said.kind === 'refused') return { kind: 'unknown', reason: `answered ${said.status} without success` };
  if (said.kind !== 'said') return said;
  const read = readShape(said.body, webhookBody, 'a webhook');
  if ('kind' in read) return read;
  const { ultimas_entregas, ...webhook } = read.data;
  return {
    kind: 'webhook',
    ...webhook,
    ultimasEntregas: ultimas_entregas.map(toAttempt),
    aviso: said.aviso,
  };
}

function readSaved(reply: ReadReply): SavedWebhookAnswer {
  const said = readSaid(reply);
  if (said.kind !== 'said') return said;
  const read = readShape(said.body, webhookBody, 'the webhook that was saved');
  if ('kind' in read) return read;
  const { url, secret, activo } = read.data;
  return { kind: 'saved', url, secret, activo, aviso: said.aviso };
}

function toAttempt({ estado_http, enviado_en, ...attempt }: Attempt): DeliveryAttempt {
  return { ...attempt, estadoHttp: estado_http, enviadoEn: enviado_en };
}
