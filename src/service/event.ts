import { otherParts } from './access-key.ts';
import { type DocumentFacts, readMessages, readState, type ServiceMessage, typeCode } from './inferred.ts';
import type { DocumentBody } from './wire.ts';

/** What a service event says of one document; nothing of its buyer. */
export interface DocumentEvent {
  evento: 'comprobante.autorizado' | 'comprobante.error';
  claveacceso: string;
  /** Null when the body names the document only: then the state must be asked for. */
  state: 'authorized' | 'error' | null;
  numeroAutorizacion: string | null;
  fechaAutorizacion: string | null;
  errors: ServiceMessage[];
}

/**
 * Reads the body of an event (spec, "Body fields"). `contradictory` when its parts do not agree (an event of
 * authorisation with a state of error, another number than the key's): then nothing in it can be believed.
 */
export function readEvent(body: DocumentBody): DocumentEvent | 'contradictory' {
  const { evento, claveacceso } = body;
  if (!agreesWithKey(body)) return 'contradictory';
  const state = stateOf(body);
  if (state === 'contradictory') return state;
  return {
    evento,
    claveacceso,
    state,
    numeroAutorizacion: body.numero_autorizacion ?? null,
    fechaAutorizacion: body.fecha_autorizacion ?? null,
    errors: readMessages(body.errores).map(withoutPersons),
  };
}

/** Type, number, issuer and environment stand in the access key's own digits. */
function agreesWithKey({ claveacceso, tipo_comprobante: tipo, ...others }: DocumentBody): boolean {
  return otherParts(claveacceso, { ...others, tipo_comprobante: typeCode(tipo) }).length === 0;
}

function stateOf(body: DocumentBody): DocumentEvent['state'] | 'contradictory' {
  const { estado, estado_texto, autorizado, requiere_correccion } = body;
  if ([estado, estado_texto, autorizado, requiere_correccion].every((value) => value == null)) return null;
  const told = readState(body satisfies DocumentFacts);
  if (told === null) return 'contradictory';
  if (body.evento === 'comprobante.error') return told === 'authorized' ? 'contradictory' : 'error';
  if (told === 'error' || autorizado === false) return 'contradictory';
  return told === 'authorized' ? told : null;
}

/**
 * The authority quotes what it refuses: quoted values, addresses of mail and long numbers other than access keys
 * may be the buyer's and are left out.
 */
function withoutPersons(message: ServiceMessage): ServiceMessage {
  const clean = (text: string) =>
    text
      .replace(/'[^']*'|"[^"]*"|«[^»]*»?/g, "'…'")
      .replace(/(?<!\S)\S+@\S+/g, '…')
      // Numbers of documents and access keys are not about persons.
      .replace(/(?<!\d|\d{3}-\d{3}-)\d{6,}/g, (digits) => (digits.length === 49 ? digits : '…'));
  const { mensaje, informacionAdicional } = message;
  return {
    ...message,
    mensaje: clean(mensaje),
    informacionAdicional: informacionAdicional === null ? null : clean(informacionAdicional),
  };
}
