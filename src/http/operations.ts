import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Express, Router } from 'express';
import type { Log } from '../core/log.ts';
import { type Operator, operatorOnly } from './operator.ts';

/** Pages for whoever runs the product. */
export interface Operations {
  operator: Operator;
  /** Shows the queue; lives below `queuesPath`. */
  queues: (req: IncomingMessage, res: ServerResponse) => void;
}

export const queuesPath = '/operations/queues';

/** Its page names fonts elsewhere, which need not learn that we exist; styles in elements are its own. */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  "font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

export function addOperations(app: Express, { operator, queues }: Operations, log: Log): void {
  const pages = Router();
  pages.use(...operatorOnly(operator, log));
  pages.use((req, res) => {
    res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'private' });
    queues(req, res);
  });
  app.use(queuesPath, pages);
}
