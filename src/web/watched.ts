import type { RequestHandler, Response } from 'express';
import type { Observer } from '../observability/observer.ts';
import { failureOf } from './failures.ts';

/** Says which door a request came to, once that is known; until then it is `unknown`. */
export function cameTo(res: Response, door: string): void {
  res.locals.door = door;
}

/** A door that is measured, and whose request begins a journey. */
export function watched<Params>(observer: Observer, handler: RequestHandler<Params>): RequestHandler<Params> {
  return (req, res, next) =>
    observer.door(async (said) => {
      try {
        await handler(req, res, next);
        said(res.locals.door ?? 'unknown', res.locals.answer ?? 'closed');
      } catch (error) {
        said(res.locals.door ?? 'unknown', failureOf(error).word);
        throw error;
      }
    });
}
