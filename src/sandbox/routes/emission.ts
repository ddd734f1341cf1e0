import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { accountOf, answer, readJson } from '../answers.ts';
import { type EmissionAnswer, emitFactura } from '../emission.ts';
import type { World } from '../world.ts';

/** `POST /api/factura/emision` */
export function facturaRoute(world: World): RequestHandler {
  return async (req, res) => {
    const value = readJson(req);
    res.locals.record.body = value;
    await deliver(world, res, emitFactura(world, accountOf(res), value));
  };
}

/** Sends an emission answer, disturbed where faults say so; what is stored stays stored. */
async function deliver(world: World, res: Response, { status, body, stored }: EmissionAnswer): Promise<void> {
  const { faults } = world;
  if (stored) {
    const late = faults.take('delayAnswerMs');
    // Not worth keeping a closed sandbox's process alive for.
    if (late) await wait(late.ms, undefined, { ref: false });
    if (faults.take('dropAnswer')) {
      res.req.socket.destroy();
      return;
    }
    if (faults.take('status500AfterStoring')) {
      const { claveacceso } = body;
      answer(res, 500, { creado: false, claveacceso, errors: ['Error interno del servidor.'] });
      return;
    }
    if (faults.take('htmlAnswer')) {
      res.status(502).type('html').send('<html><body><h1>502 Bad Gateway</h1></body></html>');
      return;
    }
  }
  const creado = faults.take('creadoAsString') ? String(body.creado) : body.creado;
  answer(res, status, { ...body, creado });
}
