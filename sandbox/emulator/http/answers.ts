import type { Response } from 'express';
import { type Account, avisoProveedor } from '../accounts/accounts.ts';
import { dialects, type Speaker } from '../dialects.ts';
import { Bytes, type Operation, type Reply } from '../operation.ts';
import type { World } from '../world.ts';

/** The reply as the dialect of the sandbox writes it. */
export function inDialect({ settings }: World, speaker: Speaker, reply: Reply): Reply {
  const { status, body } = reply;
  if (body instanceof Bytes) return reply;
  return { ...reply, ...dialects[settings.dialect].say(speaker, { status, body }) };
}

/** Says for whom this request is answered from now on. */
export function speakFor(res: Response, world: World, speaker: Speaker): void {
  res.locals.said = (reply: Reply) => inDialect(world, speaker, reply);
}

/** The reply as this request is to be answered. */
export const said = (res: Response, reply: Reply): Reply => res.locals.said?.(reply) ?? reply;

/** Sends a reply in the dialect of the sandbox. */
export function send(res: Response, reply: Reply, account?: Account): void {
  write(res, said(res, reply), account);
}

/** Writes a reply as it is; until the provider data is approved every JSON answer says what is missing. */
export function write(res: Response, { status, body, inferred }: Reply, account?: Account): void {
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
