import { z } from 'zod';
import type { Failure, Refused } from '../answers.ts';
import { httpUrl, text } from './checked.ts';

/** The account's one webhook (assumption A12). Without `secret` the current one stays, or one is generated. */
export const webhookRequest = z.strictObject({
  url: httpUrl,
  secret: text().optional(),
  activo: z.boolean().optional(),
});
export type WebhookRequest = z.input<typeof webhookRequest>;

/** One attempt of one delivery (assumption A19); what the answer does not say is null. */
export interface DeliveryAttempt {
  entrega: string | null;
  evento: string | null;
  claveacceso: string | null;
  intento: number | null;
  estadoHttp: number | null;
  exito: boolean | null;
  error: string | null;
  enviadoEn: string | null;
}

/** The webhook as it is; `secret` is masked. `url` null: none is saved. */
export type WebhookAnswer =
  | {
      kind: 'webhook';
      url: string | null;
      secret: string | null;
      activo: boolean | null;
      ultimasEntregas: DeliveryAttempt[];
      aviso: string | null;
    }
  | Failure;

/** `secret` in full: the service shows it only here. */
export type SavedWebhookAnswer =
  | { kind: 'saved'; url: string | null; secret: string | null; activo: boolean | null; aviso: string | null }
  | Refused
  | Failure;
