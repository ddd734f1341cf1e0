import { type Request, Router } from 'express';
import { z } from 'zod';
import { mask } from '../accounts/accounts.ts';
import type { FaultInput } from '../faults.ts';
import { announceTest } from '../webhooks/webhooks.ts';
import type { World } from '../world.ts';
import { audit } from './audit.ts';
import { clockRoutes } from './clock.ts';
import { thisMachineOnly } from './this-machine.ts';

/**
 * `/__sandbox/…`: what the service does not have. Audits (`GET documents`, `GET requests`), disturbances
 * (`GET`, `POST`, `DELETE faults`), the clock (`GET`, `POST clock`), `POST reset` and `POST webhook-prueba`.
 * No API key, only from this machine.
 */
export function controlRoutes(world: World, reset: () => void): Router {
  const router = Router();
  router.use(thisMachineOnly(world));
  router.use(clockRoutes(world));
  router.get('/documents', (_req, res) => {
    res.json(world.documents.all().map((document) => ({ ...document, apiKey: mask(document.apiKey) })));
  });
  router.get('/requests', (_req, res) => {
    res.json(world.requests.all());
  });
  router.get('/audit', (_req, res) => {
    res.json(audit(world));
  });
  router.get('/faults', (_req, res) => {
    res.json(world.faults.list());
  });
  router.post('/faults', (req, res) => {
    try {
      world.faults.add(readJson(req) as FaultInput);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      res.status(400).json({ success: false, message: z.prettifyError(error) });
      return;
    }
    res.status(201).json(world.faults.list());
  });
  router.delete('/faults', (_req, res) => {
    world.faults.clear();
    res.status(204).end();
  });
  router.post('/reset', (_req, res) => {
    reset();
    res.status(204).end();
  });
  router.post('/webhook-prueba', (_req, res) => {
    for (const account of world.accounts.values()) if (account.webhook?.activo) announceTest(world, account);
    res.status(202).end();
  });
  return router;
}

function readJson(req: Request): unknown {
  return JSON.parse(Buffer.isBuffer(req.body) ? req.body.toString('utf8') : 'null');
}
