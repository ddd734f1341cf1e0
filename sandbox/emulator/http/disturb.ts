import { setTimeout as wait } from 'node:timers/promises';
import type { Response } from 'express';
import type { Account } from '../accounts/accounts.ts';
import { leaf, writeXml } from '../authority/xml/xml.ts';
import type { Strike } from '../faults/faults.ts';
import type { Disturbance } from '../faults/schema.ts';
import { Bytes, type Operation, type Reply } from '../operation.ts';
import { failure, said, send, withNotice, write } from './answers.ts';
import { atTheGate } from './gate.ts';

/** What happens instead of the operation: nothing is stored. `cut`: no answer at all. */
export function disturbBefore(
  operation: Operation,
  strike: Strike,
  res: Response,
): Reply | 'cut' | undefined {
  if (strike('cutBeforeStoring')) return 'cut';
  const many = strike('tooManyRequests');
  if (many) {
    res.setHeader('Retry-After', String(many.retryAfterSeconds ?? 1));
    const sentence = 'Superó las 300 solicitudes por minuto; espere antes de continuar.';
    return failure(atTheGate(operation.words), 429, sentence, { inferred: true });
  }
  // An emission fails later, when it knows the access key its answer has to name.
  const broken = operation.words === 'emision' ? undefined : strike('failBeforeStoring');
  if (!broken) return undefined;
  return failure(operation.words, broken.status ?? 500, 'Error interno del servidor.', { inferred: true });
}

/** Sends a reply, disturbed where faults say so; what is stored stays stored. */
export async function deliver(
  res: Response,
  operation: Operation,
  reply: Reply,
  account: Account | undefined,
  strike: Strike,
): Promise<void> {
  const { body } = reply;
  const json = body instanceof Bytes ? undefined : body;
  const claveacceso = typeof json?.claveacceso === 'string' ? json.claveacceso : null;
  const here = { stored: reply.stored ?? false, claveacceso };
  const late = strike('delayAnswerMs', here);
  // Not worth keeping a closed sandbox's process alive for.
  if (late) await wait(late.ms, undefined, { ref: false });
  if (strike('dropAnswer', here)) return cut(res);
  if (strike('status500AfterStoring', here)) {
    const broken = { creado: false, claveacceso, errors: ['Error interno del servidor.'] };
    return send(res, { status: 500, body: broken }, account);
  }
  const page = strike('htmlAnswer', here);
  if (page) {
    const status = page.status ?? 502;
    res.status(status).type('html').send(`<html><body><h1>${status} Bad Gateway</h1></body></html>`);
    return;
  }
  if (body instanceof Bytes) {
    const spoilt = body.type === 'application/xml' && strike('spoilXml', here);
    return send(res, spoilt ? { ...reply, body: spoilXml(body, spoilt) } : reply, account);
  }
  const spoken = said(res, reply);
  const reported = spoken.body as Record<string, unknown>;
  if (strike('brokenJson', here)) {
    const whole = JSON.stringify(withNotice(reported, account));
    res
      .status(spoken.status)
      .type('json')
      .send(whole.slice(0, Math.ceil(whole.length / 2)));
    return;
  }
  const asString = operation.words === 'emision' && strike('creadoAsString', here);
  write(
    res,
    asString ? { ...spoken, body: { ...reported, creado: String(reported.creado) } } : spoken,
    account,
  );
}

/** The same XML with another value in one element: a digit more where none is given. */
function spoilXml(xml: Bytes, { campo = 'importeTotal', valor }: Disturbance): Bytes {
  const element = new RegExp(`<${campo}>([^<]*)</${campo}>`);
  const content = String(xml.content).replace(element, (_, text: string) => {
    const [written] = leaf(campo, valor ?? `${text}1`);
    return written ? writeXml(written) : '';
  });
  return new Bytes(xml.type, content, xml.fileName);
}

/** Ends the connection without an answer. */
export function cut(res: Response): void {
  res.req.socket.destroy();
}
