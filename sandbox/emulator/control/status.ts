import { Router } from 'express';
import { z } from 'zod';
import { statusWords } from '../status.ts';
import type { World } from '../world.ts';
import { readBody } from './read-body.ts';

const word = z.enum(statusWords);
const status = z.strictObject({
  estado: word,
  sri: z.strictObject({ recepcion: word, autorizacion: word }).partial().default({}),
});

/**
 * `POST estado` with `{estado, sri?: {recepcion?, autorizacion?}}` sets what the public status route says, and
 * answers it. It only says so: what a bad day does to calls is for the faults.
 */
export function statusRoutes(world: World): Router {
  const router = Router();
  router.post('/estado', (req, res) => {
    const given = readBody(req, res, status);
    if (!given) return;
    const { estado, sri } = given;
    const before = world.status.sri;
    world.status = {
      estado,
      sri: {
        recepcion: sri.recepcion ?? before.recepcion,
        autorizacion: sri.autorizacion ?? before.autorizacion,
      },
    };
    res.json({ success: true, ...world.status });
  });
  return router;
}
