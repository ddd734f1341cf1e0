import type { RequestHandler, Response } from 'express';
import { accountOf, answer, markInferred } from '../answers.ts';
import { wrapAuthorised } from '../authorised-xml.ts';
import { isAuthorised, type StoredDocument } from '../documents.ts';
import { documentReport } from '../reports.ts';
import type { World } from '../world.ts';

/** `GET /api/comprobante/consulta/:claveacceso` */
export function consultRoute(world: World): RequestHandler {
  return (req, res) => {
    const document = findOwn(world, res, req.params.claveacceso);
    if (document) answer(markInferred(res), 200, { success: true, ...documentReport(world, document) });
  };
}

/** `GET /api/comprobante/xml/:claveacceso` */
export function xmlRoute(world: World): RequestHandler {
  return (req, res) => {
    const document = findAuthorised(world, res, req.params.claveacceso);
    if (document) markInferred(res).type('application/xml').send(wrapAuthorised(document));
  };
}

/** `GET /api/comprobante/pdf/:claveacceso` */
export function pdfRoute(world: World): RequestHandler {
  return async (req, res) => {
    const document = findAuthorised(world, res, req.params.claveacceso);
    if (!document) return;
    // Loaded on the first PDF: the drawing libraries are slow to start and most runs never need them.
    const { drawRide } = await import('../ride/ride.ts');
    const pdf = await drawRide(document);
    markInferred(res)
      .type('application/pdf')
      .setHeader('Content-Disposition', `inline; filename="${document.claveacceso}.pdf"`)
      .send(pdf);
  };
}

/** The account's own document; a stranger's is answered like one that does not exist. */
export function findOwn(world: World, res: Response, claveacceso: unknown): StoredDocument | undefined {
  const document = world.documents.byKey(String(claveacceso));
  if (document?.apiKey === accountOf(res).apiKey) return document;
  answer(markInferred(res), 404, {
    success: false,
    message: 'No existe un comprobante con esa clave de acceso.',
  });
  return undefined;
}

function findAuthorised(world: World, res: Response, claveacceso: unknown): StoredDocument | undefined {
  const document = findOwn(world, res, claveacceso);
  if (!document || isAuthorised(document)) return document;
  answer(markInferred(res), 404, { success: false, message: 'El comprobante aún no está autorizado.' });
  return undefined;
}
