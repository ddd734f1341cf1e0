import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Log } from '../core/log.ts';

/** A refusal as JSON: a word for machines, a Spanish sentence for people. */
export function refuse(res: Response, status: number, error: string, message: string): void {
  res.status(status).json({ error, message });
}

export const notFound: RequestHandler = (_req, res) => {
  refuse(res, 404, 'not-found', 'Esta dirección no existe.');
};

/** The last door: no stack traces leave, and only failures of ours are errors in the log. */
export function answerFailure(log: Log): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    // body-parser and the router put the status of a client's mistake on the error.
    const status: unknown = error?.status;
    if (status === 413) {
      refuse(res, 413, 'too-large', `El cuerpo supera el máximo de ${error.limit} bytes.`);
    } else if (typeof status === 'number' && status >= 400 && status < 500) {
      refuse(res, status, 'unreadable', 'La solicitud no se pudo leer.');
    } else {
      log.error({ err: error, method: req.method, route: req.route?.path }, 'A request failed');
      refuse(res, 500, 'failed', 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.');
    }
  };
}
