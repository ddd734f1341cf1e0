import type { BalanceAnswer, ConsultAnswer, EmissionAnswer, PingAnswer, XmlAnswer } from './answers.ts';
import { readAuthorizedXml } from './authorized-xml.ts';
import { messageText, readCredits, readFacts, readMessages, readNotice, readState } from './inferred.ts';
import { emissionBody, pingBody, plainBody } from './wire.ts';

/** A reply with its whole body in memory. */
export interface ReadReply {
  status: number;
  text: string;
}

/** Reads what an emission route answered. What is not clearly something else is `unknown`, never success. */
export function readEmission({ status, text }: ReadReply): EmissionAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  const lost = (reason: string, claveacceso: string | null = null): EmissionAnswer => ({
    kind: 'unknown',
    claveacceso,
    reason,
    mayHaveLeft: true,
  });
  const json = readJson(text);
  if (json === undefined) return lost(`answered ${status} with something that is no JSON`);
  const read = emissionBody.safeParse(json);
  if (!read.success) return lost(`answered ${status} with a body of unknown shape`);
  const { creado, errors, mensaje, message } = read.data;
  const claveacceso = read.data.claveacceso ?? null;
  const aviso = readNotice(read.data.aviso_proveedor_sri);
  if (creado) {
    if (status < 200 || status > 299) return lost(`answered ${status} with "creado" true`, claveacceso);
    if (claveacceso === null) return lost('answered "creado" true without an access key of 49 digits');
    return { kind: 'created', claveacceso, aviso };
  }
  if (status >= 500 || status === 408) return lost(`answered ${status}`, claveacceso);
  if (status >= 300 && status < 400) return lost(`answered ${status}, a redirection`, claveacceso);
  const sentences = readMessages(errors).map(messageText);
  if (status === 409) return { kind: 'duplicate', claveacceso, errors: sentences };
  if (sentences.length === 0) sentences.push(...[mensaje, message].filter((one) => one !== undefined));
  return { kind: 'refused', status, errors: sentences, aviso };
}

/** Reads `consulta` (assumptions A1 to A4). `claveacceso` is the key that was asked for. */
export function readConsult({ status, text }: ReadReply, claveacceso: string): ConsultAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  if (status === 404) return { kind: 'not-found' };
  const body = readSuccess({ status, text });
  if (typeof body === 'string') return { kind: 'unknown', reason: body };
  const facts = readFacts(body);
  const state = facts && readState(facts);
  if (!facts || !state) return { kind: 'unknown', reason: 'answered without a state of the document' };
  if (facts.claveacceso != null && facts.claveacceso !== claveacceso) {
    return { kind: 'unknown', reason: 'answered about another access key than asked' };
  }
  return {
    kind: 'found',
    state,
    claveacceso,
    numero: facts.numero ?? null,
    tipo: facts.tipo_comprobante ?? null,
    rucEmisor: facts.ruc_emisor ?? null,
    ambiente: facts.ambiente ?? null,
    numeroAutorizacion: facts.numero_autorizacion ?? null,
    fechaAutorizacion: facts.fecha_autorizacion ?? null,
    estadoTexto: facts.estado_texto ?? null,
    errors: readMessages(facts.errores),
  };
}

/** Reads the authorised XML (assumption A5) of the key that was asked for. */
export function readXml({ status, text }: ReadReply, claveacceso: string): XmlAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  if (status === 404) return { kind: 'not-found' };
  if (status !== 200) return { kind: 'unknown', reason: `answered ${status}` };
  const facts = readAuthorizedXml(text);
  if (facts === null) return { kind: 'unknown', reason: 'answered 200 without an authorised document' };
  if (facts.claveAcceso !== claveacceso) {
    return { kind: 'unknown', reason: 'answered with another document than asked' };
  }
  return { kind: 'found', xml: text, facts };
}

/** Reads the wallets (assumption A7). */
export function readBalance({ status, text }: ReadReply): BalanceAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  const body = readSuccess({ status, text });
  if (typeof body === 'string') return { kind: 'unknown', reason: body };
  return { kind: 'balance', creditos: readCredits(body), aviso: readNotice(body.aviso_proveedor_sri) };
}

export function readPing({ status, text }: ReadReply): PingAnswer {
  if (status === 200 && pingBody.safeParse(readJson(text)).success) return { kind: 'alive' };
  return { kind: 'unknown', reason: `answered ${status} without "pong"` };
}

/** The JSON object of a good answer, or the sentence that says why it is none. */
function readSuccess({ status, text }: ReadReply): Record<string, unknown> | string {
  if (status !== 200) return `answered ${status}`;
  const body = plainBody.safeParse(readJson(text));
  return body.success ? body.data : 'answered 200 with a body of unknown shape';
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
