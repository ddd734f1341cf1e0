import { Router } from 'express';
import { z } from 'zod';
import { sentence } from '../emission/validation.ts';
import type { FaultInput } from '../faults/schema.ts';
import type { World } from '../world.ts';
import { readBody } from './read-body.ts';

/**
 * `GET faults` answers `{waiting, struck}`; `POST faults` takes what `faults.add` takes and answers 201 with the
 * same; `DELETE faults` forgets what waits.
 */
export function faultRoutes({ faults }: World): Router {
  const router = Router();
  const state = () => ({ waiting: faults.list(), struck: faults.struck() });
  router.get('/faults', (_req, res) => {
    res.json(state());
  });
  router.post('/faults', (req, res) => {
    const given = readBody(req, res, z.looseObject({}));
    if (!given) return;
    try {
      faults.add(given as FaultInput);
    } catch (error) {
      const message =
        error instanceof z.ZodError
          ? error.issues.map(sentence).join(' ')
          : error instanceof RangeError && error.message;
      if (!message) throw error;
      res.status(400).json({ success: false, message });
      return;
    }
    res.status(201).json(state());
  });
  router.delete('/faults', (_req, res) => {
    faults.clear();
    res.status(204).end();
  });
  return router;
}
