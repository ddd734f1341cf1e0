import express, { type ErrorRequestHandler, type Express } from 'express';
import { answerFailure, UnreadableBody } from './answers.ts';
import { limitRate, recordRequests, requireKey } from './gate.ts';
import { balanceRoute, pingRoute, readWebhookRoute, saveWebhookRoute } from './routes/account.ts';
import { controlRoutes } from './routes/control.ts';
import { consultRoute, pdfRoute, xmlRoute } from './routes/documents.ts';
import { facturaRoute } from './routes/emission.ts';
import { reprocessRoute } from './routes/reprocess.ts';
import type { World } from './world.ts';

/** Every route of the sandbox, in the order a request meets them. */
export function buildServer(world: World, reset: () => void): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(recordRequests(world));
  app.use(express.raw({ type: () => true, limit: '2mb' }));
  app.post('/api/ping', pingRoute);
  app.use('/__sandbox', controlRoutes(world, reset));

  app.use('/api', requireKey(world), limitRate(world));
  app.post('/api/factura/emision', facturaRoute(world));
  app.get('/api/comprobante/consulta/:claveacceso', consultRoute(world));
  app.get('/api/comprobante/xml/:claveacceso', xmlRoute(world));
  app.get('/api/comprobante/pdf/:claveacceso', pdfRoute(world));
  app.post('/api/comprobante/reprocesar', reprocessRoute(world));
  app.get('/api/creditos/saldo', balanceRoute(world));
  app.get('/api/webhook', readWebhookRoute);
  app.post('/api/webhook', saveWebhookRoute(world));
  app.put('/api/webhook', saveWebhookRoute(world));

  app.use((req, res) => answerFailure(req, res, 404, `La ruta ${req.method} ${req.path} no existe.`));
  app.use(failed(world));
  return app;
}

function failed(world: World): ErrorRequestHandler {
  return (error, req, res, _next) => {
    if (error instanceof UnreadableBody) {
      answerFailure(req, res, 400, error.message);
      return;
    }
    // body-parser's own errors carry the status: an aborted, too large or wrongly encoded body.
    const status = typeof error?.status === 'number' ? error.status : 500;
    if (status === 500) world.settings.log(`Error interno: ${error instanceof Error ? error.stack : error}`);
    answerFailure(
      req,
      res,
      status,
      status === 500 ? 'Error interno del sandbox.' : 'El cuerpo no se pudo leer.',
    );
  };
}
