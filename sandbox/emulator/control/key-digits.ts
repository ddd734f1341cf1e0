import { Router } from 'express';
import { z } from 'zod';
import type { World } from '../world.ts';
import { readBody } from './read-body.ts';

const change = z.strictObject({ modo: z.enum(['fijo', 'aleatorio']) });

/** `GET codigo-numerico` answers `{modo}`: how the free digits of new access keys come to be; `POST` sets it. */
export function keyDigitsRoutes({ settings }: World): Router {
  const router = Router();
  router.get('/codigo-numerico', (_req, res) => {
    res.json({ modo: settings.codigoNumerico });
  });
  router.post('/codigo-numerico', (req, res) => {
    const given = readBody(req, res, change);
    if (!given) return;
    settings.codigoNumerico = given.modo;
    res.json(given);
  });
  return router;
}
