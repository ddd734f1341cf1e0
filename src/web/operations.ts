import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Express, type RequestHandler, Router } from 'express';
import { refuse } from './failures.ts';

/** Shows the queue; lives below `queuesPath`. */
export type Queues = (req: IncomingMessage, res: ServerResponse) => void;

export const queuesPath = '/operations/queues';

/** Its page names fonts elsewhere, which need not learn that we exist; styles in elements are its own. */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  "font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** The page of the queue, for whoever `guard` lets pass. It only shows, so nothing but GET and HEAD is answered. */
export function addOperations(app: Express, queues: Queues, guard: RequestHandler): void {
  const pages = Router();
  pages.use(guard, (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return refuse(res, 405, 'only-looking', 'Aquí solo se puede mirar.');
    res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
    queues(req, res);
  });
  app.use(queuesPath, pages);
}
