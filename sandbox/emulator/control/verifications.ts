import { Router } from 'express';
import { z } from 'zod';
import { verificationEnds } from '../accounts/verifications.ts';
import { findVerification, finish, showVerification } from '../operations/verification-course.ts';
import type { World } from '../world.ts';
import { readBody } from './read-body.ts';

// Time alone ends one as expirada: move the clock.
const end = z.strictObject({ estado: z.enum(verificationEnds).exclude(['expirada']) });

/**
 * `POST verificaciones/:id` with `{estado: 'aprobada' | 'rechazada'}` ends a pending verification, as the person
 * does who follows its link, and answers it; 404 for an unknown one, 409 for one that has ended.
 */
export function verificationRoutes(world: World): Router {
  const router = Router();
  router.post('/verificaciones/:id', (req, res) => {
    const given = readBody(req, res, end);
    if (!given) return;
    const found = findVerification(world, req.params.id);
    if (!found) {
      res.status(404).json({ success: false, message: 'No hay una verificación con ese id.' });
      return;
    }
    const { account, verification } = found;
    if (verification.estado !== 'pendiente') {
      const message = `La verificación ya terminó: ${verification.estado}.`;
      res.status(409).json({ success: false, message });
      return;
    }
    finish(world, account, verification, given.estado, world.clock.now().toISOString());
    res.json({ success: true, ...showVerification(world, verification) });
  });
  return router;
}
