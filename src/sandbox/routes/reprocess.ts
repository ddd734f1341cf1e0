import type { RequestHandler } from 'express';
import { z } from 'zod';
import { answer, markInferred, readJson } from '../answers.ts';
import { sendToAuthority } from '../authority.ts';
import { isRefused } from '../documents.ts';
import type { World } from '../world.ts';
import { findOwn } from './documents.ts';

const reprocessSchema = z.object({ claveacceso: z.string() });

/** `POST /api/comprobante/reprocesar`: sends a refused document, unchanged, to the authority again. */
export function reprocessRoute(world: World): RequestHandler {
  return (req, res) => {
    const value = readJson(req);
    res.locals.record.body = value;
    const read = reprocessSchema.safeParse(value);
    if (!read.success) {
      answer(markInferred(res), 400, { success: false, message: 'claveacceso: es obligatorio.' });
      return;
    }
    const document = findOwn(world, res, read.data.claveacceso);
    if (!document) return;
    if (!isRefused(document)) {
      const message = 'El comprobante no necesita reproceso: no terminó con un error.';
      answer(markInferred(res), 409, { success: false, message, claveacceso: document.claveacceso });
      return;
    }
    document.estado = 1;
    document.errores = [];
    sendToAuthority(world, document);
    answer(markInferred(res), 200, {
      success: true,
      claveacceso: document.claveacceso,
      estado: 'En procesamiento',
      mensaje: 'El comprobante se envió otra vez al SRI.',
    });
  };
}
