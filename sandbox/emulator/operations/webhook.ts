import { z } from 'zod';
import { mask, newSecret } from '../accounts/accounts.ts';
import type { Call, Operation, Reply } from '../operation.ts';
import { refusedWebhookUrl } from '../webhooks/webhook-url.ts';
import { failed, plainFailures } from './shapes.ts';

const webhookSchema = z.strictObject({
  url: z.string(),
  secret: z.string().min(1).optional(),
  activo: z.boolean().optional(),
});

const delivery = z
  .object({
    entrega: z.string(),
    evento: z.string(),
    claveacceso: z.string().nullable(),
    intento: z.int(),
    estado_http: z.int().nullable(),
    exito: z.boolean(),
    error: z.string().nullable(),
    enviado_en: z.string(),
  })
  .meta({ id: 'Entrega' });

const shared = {
  path: '/api/webhook',
  tag: 'Webhook',
  access: 'key',
  words: 'plain',
  inferred: true,
} as const;
const saving = {
  ...shared,
  json: webhookSchema,
  answers: {
    200: {
      says: 'Saved; the secret in full, this once',
      json: z.looseObject({
        success: z.literal(true),
        mensaje: z.string(),
        url: z.string(),
        secret: z.string(),
        activo: z.boolean(),
      }),
    },
    400: {
      says: 'The URL is not public, or the body is not right',
      json: failed.safeExtend({ errors: z.array(z.string()).optional().describe('By field.') }),
    },
    ...plainFailures,
  },
  handle: save,
} as const;

/** The account's one webhook: reading it, and saving it by POST or PUT (assumptions A12, A19). */
export const webhookOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'leer_webhook',
    method: 'get',
    summary: 'The webhook with its secret masked and the attempts of the last deliveries, newest first',
    answers: {
      200: {
        says: 'The webhook',
        json: z.looseObject({
          success: z.literal(true),
          url: z.string().nullable(),
          secret: z.string().nullable(),
          activo: z.boolean(),
          ultimas_entregas: z.array(delivery),
        }),
      },
      ...plainFailures,
    },
    handle: ({ account: { webhook, deliveries } }) => ({
      status: 200,
      body: {
        success: true,
        url: webhook?.url ?? null,
        secret: webhook ? mask(webhook.secret) : null,
        activo: webhook?.activo ?? false,
        ultimas_entregas: deliveries,
      },
    }),
  },
  { ...saving, id: 'guardar_webhook', method: 'post', summary: 'Saves the webhook' },
  { ...saving, id: 'actualizar_webhook', method: 'put', summary: 'Saves the webhook, like the POST' },
];

/** Without a secret the current one stays or a new one is made. */
function save({ world, account, json }: Call): Reply {
  const read = webhookSchema.safeParse(json());
  if (!read.success) {
    const errors = read.error.issues.map((issue) => `${issue.path.join('.') || 'cuerpo'}: no es válido.`);
    return { status: 400, body: { success: false, message: 'El webhook no es válido.', errors } };
  }
  const { url, secret, activo } = read.data;
  const refused = refusedWebhookUrl(url, world.settings.allowLoopbackWebhooks);
  if (refused) {
    const message = `La URL del webhook ${refused}`;
    return { status: 400, body: { success: false, message, errors: [`url: ${refused}`] } };
  }
  account.webhook = {
    url,
    secret: secret ?? account.webhook?.secret ?? newSecret(),
    activo: activo ?? account.webhook?.activo ?? true,
  };
  world.touch(account);
  return { status: 200, body: { success: true, mensaje: 'Webhook guardado.', ...account.webhook } };
}
