import { Router } from 'express';
import { mask } from '../accounts/accounts.ts';
import { repeatDelivery } from '../webhooks/queue.ts';
import { announceTest } from '../webhooks/webhooks.ts';
import type { World } from '../world.ts';

/**
 * `GET entregas` answers the deliveries of all accounts, newest first, each with its attempts and its body;
 * `POST entregas/:entrega/repetir` sends one again and answers the attempt; `POST webhook-prueba` sends
 * `webhook.prueba` to every account's webhook.
 */
export function deliveryRoutes(world: World): Router {
  const router = Router();
  router.get('/entregas', (_req, res) => {
    res.json(
      world.deliveries
        .all()
        .reverse()
        .map(({ entrega, apiKey, evento, claveacceso, due, raw }) => ({
          ...{ entrega, clave: mask(apiKey), evento, claveacceso },
          proximo_intento: due,
          cuerpo: JSON.parse(raw),
          intentos: (world.accounts.get(apiKey)?.deliveries ?? []).filter((one) => one.entrega === entrega),
        })),
    );
  });
  router.post('/entregas/:entrega/repetir', async (req, res) => {
    const attempt = await repeatDelivery(world, req.params.entrega);
    if (attempt) res.json(attempt);
    else res.status(404).json({ success: false, message: 'Esa entrega no existe o ya no se recuerda.' });
  });
  router.post('/webhook-prueba', (_req, res) => {
    for (const account of world.accounts.values()) if (account.webhook?.activo) announceTest(world, account);
    res.status(202).end();
  });
  return router;
}
