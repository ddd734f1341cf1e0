import type { RequestHandler } from 'express';
import { z } from 'zod';
import { mask, newSecret } from '../accounts.ts';
import { accountOf, answer, markInferred, readJson } from '../answers.ts';
import { isoInEcuador } from '../clock.ts';
import { refusedWebhookUrl } from '../webhook-url.ts';
import type { World } from '../world.ts';

/** `POST /api/ping`: alive, whoever asks. */
export const pingRoute: RequestHandler = (_req, res) => {
  res.json({ pong: true });
};

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** `GET /api/creditos/saldo`: both wallets; the way to check that a key is valid. */
export function balanceRoute(world: World): RequestHandler {
  return (_req, res) => {
    const { credits, queries } = accountOf(res);
    const expires = new Date(world.clock.now().getTime() + yearMs);
    answer(markInferred(res), 200, {
      success: true,
      facturacion: { creditos_disponibles: credits, vence_en: isoInEcuador(expires) },
      consultas: { saldo: 0, gratis_restantes: queries },
    });
  };
}

/** `GET /api/webhook`: the secret only masked, with the attempts of the last deliveries, newest first. */
export const readWebhookRoute: RequestHandler = (_req, res) => {
  const { webhook, deliveries } = accountOf(res);
  answer(markInferred(res), 200, {
    success: true,
    url: webhook?.url ?? null,
    secret: webhook ? mask(webhook.secret) : null,
    activo: webhook?.activo ?? false,
    ultimas_entregas: deliveries,
  });
};

const webhookSchema = z.strictObject({
  url: z.string(),
  secret: z.string().min(1).optional(),
  activo: z.boolean().optional(),
});

/** `POST` and `PUT /api/webhook`: saves; without a secret the current one stays or a new one is made. */
export function saveWebhookRoute(world: World): RequestHandler {
  return (req, res) => {
    const account = accountOf(res);
    const read = webhookSchema.safeParse(readJson(req));
    if (!read.success) {
      const errors = read.error.issues.map((issue) => `${issue.path.join('.') || 'cuerpo'}: no es válido.`);
      answer(markInferred(res), 400, { success: false, message: 'El webhook no es válido.', errors });
      return;
    }
    const { url, secret, activo } = read.data;
    const refused = refusedWebhookUrl(url, world.settings.allowLoopbackWebhooks);
    if (refused) {
      answer(markInferred(res), 400, {
        success: false,
        message: `La URL del webhook ${refused}`,
        errors: [`url: ${refused}`],
      });
      return;
    }
    account.webhook = {
      url,
      secret: secret ?? account.webhook?.secret ?? newSecret(),
      activo: activo ?? account.webhook?.activo ?? true,
    };
    answer(markInferred(res), 200, { success: true, mensaje: 'Webhook guardado.', ...account.webhook });
  };
}
