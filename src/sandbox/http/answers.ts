import type { Response } from 'express';
import { type Account, avisoProveedor } from '../accounts/accounts.ts';
import { Bytes, type Operation, type Reply } from '../operation.ts';

/** Sends a reply; until the provider data is approved every JSON answer says what is missing. */
export function send(res: Response, { status, body, inferred }: Reply, account?: Account): void {
  if (inferred) res.setHeader('X-Sandbox-Inferred', 'true');
  res.status(status);
  if (body instanceof Bytes) {
    if (body.fileName) res.setHeader('Content-Disposition', `inline; filename="${body.fileName}"`);
    res.type(body.type).send(body.content);
    return;
  }
  res.json(withNotice(body, account));
}

/** The body with the notice every answer of an account without approved provider data carries. */
export function withNotice(body: Record<string, unknown>, account?: Account): Record<string, unknown> {
  return account && !account.providerApproved ? { ...body, aviso_proveedor_sri: avisoProveedor } : body;
}

/** A failure in the words of the route (spec, "Errors" 2 to 4). `field` is where company routes hang it. */
export function failure(
  words: Operation['words'],
  status: number,
  sentence: string,
  { field = 'cuerpo', inferred = false }: { field?: string; inferred?: boolean } = {},
): Reply {
  const bodies = {
    emision: { creado: false, errors: [sentence] },
    empresa: { respuesta: false, errors: { [field]: [sentence] } },
    plain: { success: false, message: sentence },
  };
  return { status, body: bodies[words], inferred };
}

/** A request the sandbox cannot read; answered with 400. */
export class UnreadableBody extends Error {
  override name = 'UnreadableBody';
}
