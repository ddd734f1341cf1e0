import { setTimeout as wait } from 'node:timers/promises';
import type { Response } from 'express';
import type { Account } from '../accounts/accounts.ts';
import { Bytes, type Operation, type Reply } from '../operation.ts';
import type { World } from '../world.ts';
import { send } from './answers.ts';

/** Sends a reply, disturbed where faults say so; what is stored stays stored. */
export async function deliver(
  world: World,
  res: Response,
  operation: Operation,
  reply: Reply,
  account: Account | undefined,
): Promise<void> {
  const { faults } = world;
  const { body } = reply;
  if (operation.words !== 'emision' || body instanceof Bytes) return send(res, reply, account);
  if (reply.stored) {
    const late = faults.take('delayAnswerMs');
    // Not worth keeping a closed sandbox's process alive for.
    if (late) await wait(late.ms, undefined, { ref: false });
    if (faults.take('dropAnswer')) {
      res.req.socket.destroy();
      return;
    }
    if (faults.take('status500AfterStoring')) {
      const { claveacceso } = body;
      const broken = { creado: false, claveacceso, errors: ['Error interno del servidor.'] };
      return send(res, { status: 500, body: broken }, account);
    }
    if (faults.take('htmlAnswer')) {
      res.status(502).type('html').send('<html><body><h1>502 Bad Gateway</h1></body></html>');
      return;
    }
  }
  const creado = faults.take('creadoAsString') ? String(body.creado) : body.creado;
  send(res, { ...reply, body: { ...body, creado } }, account);
}
