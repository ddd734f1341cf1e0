import { Router } from 'express';
import { mask } from '../accounts/accounts.ts';
import type { World } from '../world.ts';
import { annulmentRoutes } from './annulments.ts';
import { audit } from './audit.ts';
import { clockRoutes } from './clock.ts';
import { deliveryRoutes } from './deliveries.ts';
import { faultRoutes } from './faults.ts';
import { keyDigitsRoutes } from './key-digits.ts';
import { rechargeRoutes } from './recharges.ts';
import { statusRoutes } from './status.ts';
import { thisMachineOnly } from './this-machine.ts';
import { verificationRoutes } from './verifications.ts';

/**
 * `/__sandbox/…`: what the service does not have. Audits (`GET documents`, `GET requests`), disturbances
 * (`GET`, `POST`, `DELETE faults`), the clock (`GET`, `POST clock`), the free digits of access keys
 * (`GET`, `POST codigo-numerico`), what happens outside the service's routes (`POST recargas`, `POST anulaciones`,
 * `POST verificaciones/:id`, `POST estado`), `POST reset` and `POST webhook-prueba`.
 * No API key, only from this machine.
 */
export function controlRoutes(world: World, reset: () => void): Router {
  const router = Router();
  router.use(thisMachineOnly(world));
  router.use(clockRoutes(world));
  router.use(keyDigitsRoutes(world));
  router.use(rechargeRoutes(world));
  router.use(annulmentRoutes(world));
  router.use(faultRoutes(world));
  router.use(deliveryRoutes(world));
  router.use(verificationRoutes(world));
  router.use(statusRoutes(world));
  router.get('/documents', (_req, res) => {
    res.json(world.documents.all().map((document) => ({ ...document, apiKey: mask(document.apiKey) })));
  });
  router.get('/requests', (_req, res) => {
    res.json(world.requests.all());
  });
  router.get('/audit', (_req, res) => {
    res.json(audit(world));
  });
  router.post('/reset', (_req, res) => {
    reset();
    res.status(204).end();
  });
  return router;
}
