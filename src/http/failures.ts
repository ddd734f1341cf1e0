import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Log } from '../core/log.ts';

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

type FailureWord = 'too-large' | 'unreadable' | 'failed';

const sentences: Record<FailureWord, (error: { limit?: number }) => string> = {
  'too-large': ({ limit }) => `El cuerpo supera el máximo de ${limit} bytes.`,
  unreadable: () => 'La solicitud no se pudo leer.',
  failed: () => 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
};

/** What a thrown error is answered with: body-parser and the router put the status of a client's mistake on it. */
export function failureOf(error: unknown): { status: number; word: FailureWord } {
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return { status, word: 'too-large' };
  if (typeof status === 'number' && status >= 400 && status < 500) return { status, word: 'unreadable' };
  return { status: 500, word: 'failed' };
}
