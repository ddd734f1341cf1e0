import { type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { type Html, html } from '../../../src/domain/text.ts';
import type { VerificationEnd, VerificationKind } from '../accounts/verifications.ts';
import { isoInEcuador } from '../clock.ts';
import { findVerification, finish } from '../operations/verification-course.ts';
import type { World } from '../world.ts';

const kinds: Readonly<Record<VerificationKind, string>> = {
  prueba_de_vida: 'Prueba de vida',
  cedula_ocr: 'Lectura de la cédula',
  completa: 'Cédula, prueba de vida y comparación del rostro',
};
const ends: Readonly<Record<VerificationEnd, string>> = {
  aprobada: 'La verificación fue aprobada.',
  rechazada: 'La verificación fue rechazada.',
  expirada: 'El plazo de la verificación terminó.',
};

/**
 * `/verificacion/:id`, where `url_verificacion` leads: instead of a camera two buttons, Aprobar and Rechazar. It
 * answers every machine without a key, as the end user's browser needs; the unguessable id is the permission.
 */
export function verificationPage(world: World): Router {
  const router = Router();
  router.use('/verificacion', headers);
  router.get('/verificacion/:id', (req, res) => show(world, req.params.id, res));
  for (const [button, estado] of [
    ['aprobar', 'aprobada'],
    ['rechazar', 'rechazada'],
  ] as const) {
    router.post(`/verificacion/:id/${button}`, (req, res) => {
      const { id } = req.params;
      const found = findVerification(world, id);
      if (found?.verification.estado === 'pendiente') {
        finish(world, found.account, found.verification, estado, world.clock.now().toISOString());
        res.redirect(303, `../${id}`);
      } else show(world, id, res, 409);
    });
  }
  return router;
}

function show(world: World, id: string, res: Response, status = 200): void {
  const found = findVerification(world, id);
  if (!found) {
    send(res, 404, html`<p>Esta verificación no existe; tal vez el sandbox empezó de nuevo.</p>`);
    return;
  }
  const { tipo, estado, expira_en } = found.verification;
  // Relative, so that a path which a proxy puts in front does not matter.
  const button = (action: string, text: string) =>
    html`<form method="post" action="${found.verification.id}/${action}"><button>${text}</button></form>`;
  const body =
    estado === 'pendiente'
      ? html`<p>${kinds[tipo]}. Puede responder hasta ${isoInEcuador(new Date(expira_en)).slice(0, 16).replace('T', ' ')} (Ecuador).</p>
<p>En el servicio real aquí se usa la cámara; en el sandbox elija cómo termina.</p>
${button('aprobar', 'Aprobar')}${button('rechazar', 'Rechazar')}`
      : html`<p>${ends[estado]}</p>`;
  send(res, status, body);
}

function send(res: Response, status: number, body: Html): void {
  const page = html`<!doctype html>
<html lang="es-EC">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Verificación de identidad · sandbox</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}form{display:inline-block;margin-right:1rem}button{font:inherit;padding:.6rem 1.4rem}</style>
</head>
<body><main><h1>Verificación de identidad</h1>
${body}</main></body>
</html>`;
  res.status(status).type('html').send(page.text);
}

const headers: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'unsafe-inline'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: false,
});
