import { setTimeout } from 'node:timers/promises';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Log } from '../domain/log.ts';

/** A refusal as JSON: a word for machines and metrics, a Spanish sentence for people. */
export function refuse(res: Response, status: number, error: string, message: string): void {
  res.locals.answer = error;
  res.status(status).json({ error, message });
}

/** The good answer of a door: one word. */
export function accept(res: Response, word: string): void {
  res.locals.answer = word;
  res.json({ status: word });
}

/** How long any check of a signature takes, milliseconds: 4 MB under several secrets, some read from the ledger. */
const checkedWithin = 50;

/**
 * A webhook that nobody proved to be genuine. An address that belongs to nothing answers the same, so that neither words
 * nor time tell which ids exist. `since`: when its body was read, by `performance.now()`.
 */
export async function refuseUnsigned(res: Response, since: number, inMetrics = 'refused'): Promise<void> {
  await setTimeout(Math.max(0, checkedWithin - (performance.now() - since)));
  refuse(res, 401, 'refused', 'La firma del webhook no es válida.');
  res.locals.answer = inMetrics;
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
    const { status, word } = failureOf(error);
    if (word === 'failed')
      log.error({ err: error, method: req.method, route: req.route?.path }, 'A request failed');
    refuse(res, status, word, sentences[word](error));
  };
}

type FailureWord = 'too-large' | 'unreadable' | 'busy' | 'failed';

const sentences: Record<FailureWord, (error: { limit?: number }) => string> = {
  'too-large': ({ limit }) => `El cuerpo supera el máximo de ${limit} bytes.`,
  unreadable: () => 'La solicitud no se pudo leer.',
  busy: () => 'Llegan demasiadas solicitudes a la vez; vuelva a intentarlo en unos segundos.',
  failed: () => 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
};

/** What a thrown error is answered with: raw-body.ts, body-parser and the router put a status on it. */
export function failureOf(error: unknown): { status: number; word: FailureWord } {
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return { status, word: 'too-large' };
  if (status === 503) return { status, word: 'busy' };
  if (typeof status === 'number' && status >= 400 && status < 500) return { status, word: 'unreadable' };
  return { status: 500, word: 'failed' };
}
