import { Router } from 'express';
import { z } from 'zod';
import { isAuthorised } from '../emission/documents.ts';
import type { World } from '../world.ts';
import { readBody } from './read-body.ts';

const annulment = z.strictObject({ claveacceso: z.string().regex(/^\d{49}$/, 'son 49 dígitos') });

/**
 * `POST anulaciones` with `{claveacceso}` does what the issuer does at the authority's portal: the authorised document is
 * annulled, which only a consult shows (docs/assumptions.md, A34). 404 for a key that is not there, 409 for one that
 * is not authorised.
 */
export function annulmentRoutes(world: World): Router {
  const router = Router();
  router.post('/anulaciones', (req, res) => {
    const given = readBody(req, res, annulment);
    if (!given) return;
    const document = world.documents.byKey(given.claveacceso);
    if (!document) {
      res.status(404).json({ success: false, message: 'No hay un documento con esa clave en el sandbox.' });
      return;
    }
    if (!isAuthorised(document)) {
      res.status(409).json({ success: false, message: 'Solo se anula lo que está autorizado.' });
      return;
    }
    document.annulled = true;
    world.documents.changed(document);
    res.status(201).json({ success: true, claveacceso: given.claveacceso, estado_texto: 'Anulado' });
  });
  return router;
}
