import type { Request, Response } from 'express';
import { type Account, avisoProveedor } from './accounts.ts';

/** The account whose key came with the request; set by `requireKey`. */
export function accountOf(res: Response): Account {
  return res.locals.account as Account;
}

/** Sends JSON; until the provider data is approved every answer says what is missing. */
export function answer(res: Response, status: number, body: Record<string, unknown>): void {
  const account = res.locals.account as Account | undefined;
  const aviso = account && !account.providerApproved ? { aviso_proveedor_sri: avisoProveedor } : {};
  res.status(status).json({ ...body, ...aviso });
}

/** Marks an answer whose shape the specification does not show (docs/assumptions.md). */
export function markInferred(res: Response): Response {
  return res.setHeader('X-Sandbox-Inferred', 'true');
}

/** A failure in the words of the route: emission speaks of `creado`, everything else of `success`. */
export function answerFailure(req: Request, res: Response, status: number, sentence: string): void {
  const body = req.path.endsWith('/emision')
    ? { creado: false, errors: [sentence] }
    : { success: false, message: sentence };
  answer(res, status, body);
}

/** A request the sandbox cannot read; answered with 400. */
export class UnreadableBody extends Error {
  override name = 'UnreadableBody';
}

/** The JSON a request carries; throws UnreadableBody on anything else. */
export function readJson(req: Request): unknown {
  if (!req.is('application/json')) {
    throw new UnreadableBody('El cuerpo debe ser JSON, con Content-Type: application/json.');
  }
  try {
    return JSON.parse(Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '');
  } catch {
    throw new UnreadableBody('El cuerpo no es JSON válido.');
  }
}
