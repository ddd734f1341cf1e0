import { Router } from 'express';
import { z } from 'zod';
import { isoInEcuador } from '../clock.ts';
import type { World } from '../world.ts';
import { readBody } from './read-body.ts';

const change = z
  .strictObject({
    set: z.iso.datetime({ offset: true, error: 'debe ser un instante ISO: 2026-11-20T23:59:59-05:00' }),
    stepMs: z.int(),
    rate: z.number().nonnegative(),
  })
  .partial()
  .refine((given) => Object.keys(given).length > 0, 'Indique set, stepMs o rate.');

/**
 * `GET clock` answers `{now, rate}`; `POST clock` takes `{set?, stepMs?, rate?}`, does them in this order and
 * answers the same once everything that became due has been started.
 */
export function clockRoutes({ clock, timers }: World): Router {
  const router = Router();
  const state = () => ({ now: isoInEcuador(clock.now()), rate: clock.rate });
  router.get('/clock', (_req, res) => {
    res.json(state());
  });
  router.post('/clock', async (req, res) => {
    const given = readBody(req, res, change);
    if (!given) return;
    try {
      if (given.set !== undefined) clock.set(new Date(given.set));
      if (given.stepMs !== undefined) clock.step(given.stepMs);
      if (given.rate !== undefined) clock.run(given.rate);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      res.status(400).json({ success: false, message: 'El reloj no llega tan lejos.' });
      return;
    }
    await timers.settled();
    res.json(state());
  });
  return router;
}
