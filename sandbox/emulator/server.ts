import express, { type ErrorRequestHandler, type Express } from 'express';
import { pageRoutes } from './control/page/routes.ts';
import { controlRoutes } from './control/routes.ts';
import { verificationPage } from './control/verification-page.ts';
import { failure, send, speakFor } from './http/answers.ts';
import { recordRequests, requireKey } from './http/gate.ts';
import { mount, noRoute } from './http/mount.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { descriptionRoutes } from './openapi/routes.ts';
import { allOperations } from './operations/all.ts';
import type { World } from './world.ts';

/** Every route of the sandbox, in the order a request meets them. */
export function buildServer(world: World, reset: () => void): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(descriptionRoutes(world));
  app.use(pageRoutes(world, reset));
  app.use(verificationPage(world));
  app.use('/api', recordRequests(world));
  // Room for a signature of 10 MB as base64 in JSON.
  app.use(express.raw({ type: () => true, limit: '16mb' }));
  app.use('/__sandbox', controlRoutes(world, reset));
  app.use(mcpRoutes(world));
  for (const operation of allOperations(world)) mount(app, world, operation);

  // An unknown path under /api is 404 only with a key, except under /api/public.
  app.use(/^\/api(?!\/public\/)/, requireKey(world, { words: 'plain' }));
  app.use(noRoute);
  app.use(failed(world));
  return app;
}

function failed(world: World): ErrorRequestHandler {
  return (error, req, res, _next) => {
    // body-parser's own errors carry the status: an aborted, too large or wrongly encoded body.
    const status = typeof error?.status === 'number' ? error.status : 500;
    if (status === 500) world.settings.log(`Error interno: ${error instanceof Error ? error.stack : error}`);
    const sentences: Record<number, string> = {
      413: 'El cuerpo pasa de 16 MB.',
      500: 'Error interno del sandbox.',
    };
    const sentence = sentences[status] ?? 'El cuerpo no se pudo leer.';
    const company = req.path.startsWith('/api/empresa/');
    const words = company ? 'empresa' : req.path.endsWith('/emision') ? 'emision' : 'plain';
    // A file beyond its limit is a validation error there (spec, "Limits"), however large the body around it.
    const reported = company && status === 413 ? 400 : status;
    if (!res.locals.said) speakFor(res, world, { id: '', words });
    const account = res.locals.account ?? world.accounts.get(req.get('X-API-KEY') ?? '');
    send(res, failure(words, reported, sentence, { inferred: true }), account);
  };
}
